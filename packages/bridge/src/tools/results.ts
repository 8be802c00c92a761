import { ErrorCode, SmcpError } from '@a2c-smcp/agent';
import { isObject } from '@a2c-smcp/core';
import type { CallToolResult as SmcpResult } from '@a2c-smcp/protocol';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { sizeProblem } from '../message-size.ts';

/**
 * The result of a Computer in MCP's words: `meta` is `_meta` there. Everything else is untouched, unknown content included,
 * but for the fields by which an MCP server would ask the client for input through us.
 */
export function toMcpResult({ meta, resultType, inputRequests, requestState, ...result }: SmcpResult): CallToolResult {
  // Computers may send content that is newer than the types of the SDK.
  return { ...result, ...(isObject(meta) && { _meta: meta }) } as CallToolResult;
}

/** The result, or an error in place of one that clients do not accept. */
export function limitResult(result: CallToolResult): CallToolResult {
  const problem = sizeProblem(result);
  return problem === undefined ? result : errorResult(problem, ErrorCode.TooLarge);
}

/** A text for the model. */
export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

/** A failed call that the model can react to. */
export function errorResult(text: string, code?: number): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    isError: true,
    ...(code !== undefined && { _meta: { error_code: code } }),
  };
}

/** The error of a request to the office as a result. Unknown errors are thrown again. */
export function failureResult(error: unknown): CallToolResult {
  if (!(error instanceof SmcpError)) throw error;
  return errorResult(error.message, error.code);
}
