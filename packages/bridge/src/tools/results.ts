import { ErrorCode, SmcpError } from '@a2c-smcp/agent';
import { isObject } from '@a2c-smcp/core';
import type { CallToolResult as SmcpResult } from '@a2c-smcp/protocol';
import type { CallToolResult } from '@modelcontextprotocol/server';

/**
 * The result of a Computer in MCP's words: `meta` is `_meta` there. Everything else is untouched, unknown content included,
 * but for the fields by which an MCP server would ask the client for input through us.
 */
export function toMcpResult({ meta, resultType, inputRequests, requestState, ...result }: SmcpResult): CallToolResult {
  // Computers may send content that is newer than the types of the SDK.
  return { ...result, ...(isObject(meta) && { _meta: meta }) } as CallToolResult;
}

/** Bytes of a result. Clients of the MCP SDK close the connection when a message has more than 10 MiB. */
const MAX_RESULT_BYTES = 8 * 1024 * 1024;

/** The result, or an error in place of one that clients do not accept. */
export function limitResult(result: CallToolResult): CallToolResult {
  const bytes = jsonBytes(result);
  if (bytes <= MAX_RESULT_BYTES) return result;
  const sizes = `${(bytes / 1024 / 1024).toFixed(1)} MiB, and MCP clients accept ${MAX_RESULT_BYTES / 1024 / 1024}`;
  return errorResult(`The result is too large (${sizes}): ask for less, such as a part or a page`, ErrorCode.TooLarge);
}

/** Bytes as JSON; only an upper bound for small values. */
function jsonBytes(value: unknown): number {
  const json = JSON.stringify(value);
  // A character has three bytes at most.
  return json.length * 3 <= MAX_RESULT_BYTES ? json.length * 3 : Buffer.byteLength(json);
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
