import { type CallToolResult, cancelledResult, failedResult } from '@a2c-smcp/protocol';

export { timedOutResult as timedOut } from '@a2c-smcp/protocol';

/** Markers that a result carries in `meta`, beside what the MCP server put there. */
export type ResultMeta = Record<string, unknown>;

/** A failed call as a result with its code. */
export function failure(code: number, text: string, meta: ResultMeta = {}): CallToolResult {
  return failedResult(text, { error_code: code, ...meta });
}

/** The result of a call that the Agent cancelled. */
export function cancelled(): CallToolResult {
  return cancelledResult('The call was cancelled');
}

/** The same result with more in its `meta`. */
export function withMeta(result: CallToolResult, meta: ResultMeta): CallToolResult {
  return { ...result, meta: { ...result.meta, ...meta } };
}
