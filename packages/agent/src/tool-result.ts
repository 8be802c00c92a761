import { type CallToolResult, ErrorCode } from '@a2c-smcp/protocol';

/** A result in one spelling: some Computers write `is_error` for `isError`, and MCP writes `_meta` for `meta`. */
export function normalizeResult(result: CallToolResult): CallToolResult {
  const { is_error, _meta, ...rest } = result;
  const normalized: CallToolResult = rest;
  if (result.isError === undefined && typeof is_error === 'boolean') normalized.isError = is_error;
  if (isObject(_meta)) normalized.meta = { ..._meta, ...result.meta };
  return normalized;
}

/** Whether the call was cancelled, here or by the Computer. */
export function isCancelled(result: CallToolResult): boolean {
  return metaOf(result).a2c_cancelled === true;
}

/** Whether the tool did not answer in time, for the Agent or for the Computer. */
export function isTimedOut(result: CallToolResult): boolean {
  const { a2c_timeout, timeout } = metaOf(result);
  return a2c_timeout === true || timeout === true;
}

/** Why a tool failed, as one of `ErrorCode`, if the Computer said so. */
export function errorCodeOf(result: CallToolResult): number | undefined {
  const { error_code } = metaOf(result);
  return typeof error_code === 'number' ? error_code : undefined;
}

/** What a person can do when a tool lacks authorisation (`UpstreamAuthRequired`, `UpstreamAuthFailed`). */
export function authHintOf(result: CallToolResult): string | undefined {
  const { auth_hint } = metaOf(result);
  return isObject(auth_hint) && typeof auth_hint.message === 'string' ? auth_hint.message : undefined;
}

/** What the Agent returns in place of an answer that did not come in time. */
export function timedOut(tool: string, computer: string, seconds: number): CallToolResult {
  const text = `Tool '${tool}' on computer '${computer}' did not answer within ${seconds} s and was cancelled`;
  return failure(text, { a2c_timeout: true, timeout: true, error_code: ErrorCode.ToolTimeout });
}

/** What the Agent returns when its caller has cancelled the call. */
export function cancelled(tool: string, computer: string): CallToolResult {
  const text = `The call of tool '${tool}' on computer '${computer}' was cancelled`;
  return failure(text, { a2c_cancelled: true, a2c_cancel_reason: 'agent_requested' });
}

/** A failed result with one text. */
export function failure(text: string, meta: Record<string, unknown> = {}): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true, meta };
}

function metaOf(result: CallToolResult): Record<string, unknown> {
  const { meta, _meta } = result;
  return { ...(isObject(_meta) ? _meta : {}), ...meta };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
