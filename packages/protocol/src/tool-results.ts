import { ErrorCode } from './errors.ts';
import type { CallToolResult } from './schemas/tools.ts';

/** The markers in a result's `meta`, by which a Computer or an Agent marks how a call ended. */
export interface ResultMarkers {
  /** One of `ErrorCode`. */
  error_code?: number;
  a2c_cancelled?: true;
  a2c_cancel_reason?: 'agent_requested';
  /** False when the Agent gave a cancelled call up before the Computer said anything: the tool may still run. */
  a2c_cancel_confirmed?: false;
  a2c_timeout?: true;
  /** The name that early documents give to `a2c_timeout`. */
  timeout?: true;
  /** With `UpstreamAuthRequired` and `UpstreamAuthFailed`. */
  auth_hint?: { action?: string; message: string };
  mcp_server?: string;
}

/** A failed call as a result with one text: a tool that fails is not an error of the protocol. */
export function failedResult(text: string, meta: ResultMarkers & Record<string, unknown> = {}): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true, meta };
}

/** The result of a call that took too long. */
export function timedOutResult(text: string): CallToolResult {
  return failedResult(text, { error_code: ErrorCode.ToolTimeout, a2c_timeout: true, timeout: true });
}

/** The result of a call that the Agent cancelled. That is not a failure, so it has no code. */
export function cancelledResult(text: string, more: Pick<ResultMarkers, 'a2c_cancel_confirmed'> = {}): CallToolResult {
  return failedResult(text, { a2c_cancelled: true, a2c_cancel_reason: 'agent_requested', ...more });
}

/** True if the Agent or the Computer cancelled the call. */
export function isCancelled(result: CallToolResult): boolean {
  return markersOf(result).a2c_cancelled === true;
}

/** True if the call took too long, for the Agent or for the Computer. */
export function isTimedOut(result: CallToolResult): boolean {
  const { a2c_timeout, timeout } = markersOf(result);
  return a2c_timeout === true || timeout === true;
}

/** The `ErrorCode` of a failed call, if the Computer gave one. */
export function errorCodeOf(result: CallToolResult): number | undefined {
  const { error_code } = markersOf(result);
  return typeof error_code === 'number' ? error_code : undefined;
}

/** A remedy for a person when a tool lacks authorisation (`UpstreamAuthRequired`, `UpstreamAuthFailed`). */
export function authHintOf(result: CallToolResult): string | undefined {
  const { auth_hint } = markersOf(result);
  const hint =
    typeof auth_hint === 'object' && auth_hint !== null && 'message' in auth_hint ? auth_hint.message : undefined;
  return typeof hint === 'string' ? hint : undefined;
}

/** The text blocks of a result, one per line; empty when it has none. */
export function textOf({ content }: Pick<CallToolResult, 'content'>): string {
  // A block that breaks MCP's rules may have no text.
  return content
    .flatMap(block => (block.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
    .join('\n');
}

/** Foreign Computers may send markers in MCP's `_meta`. */
function markersOf({ meta, _meta }: CallToolResult): { [K in keyof ResultMarkers]: unknown } {
  return { ...(typeof _meta === 'object' ? _meta : {}), ...meta };
}

/** The keys in the `_meta` of a content item whose bytes wait behind `client:get_blob`. */
export interface OffloadMarkers {
  a2c_blob_handle: string;
  /** Bytes of the whole. */
  a2c_total_size?: number;
  a2c_sha256?: string;
  /** Extension: JSON Pointers into `structuredContent`, to the places where the same base64 text was taken out. */
  a2c_copies?: string[];
}

/** How a content item was offloaded; undefined when its bytes are in it. */
export function offloadOf(block: { _meta?: unknown }): OffloadMarkers | undefined {
  const { a2c_blob_handle, a2c_total_size, a2c_sha256, a2c_copies } = Object(block._meta) as Record<string, unknown>;
  if (typeof a2c_blob_handle !== 'string') return undefined;
  return {
    a2c_blob_handle,
    ...(typeof a2c_total_size === 'number' ? { a2c_total_size } : {}),
    ...(typeof a2c_sha256 === 'string' ? { a2c_sha256 } : {}),
    ...(Array.isArray(a2c_copies) ? { a2c_copies: a2c_copies.filter(copy => typeof copy === 'string') } : {}),
  };
}
