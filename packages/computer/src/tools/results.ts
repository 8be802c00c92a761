import {
  CallToolResult,
  cancelledResult,
  describeProblem,
  ErrorCode,
  failedResult,
  readAs,
  type ToolMeta,
} from '@a2c-smcp/protocol';
import { ownMeta, ownResultMeta, withoutClaims } from '../claims.ts';
import type { RawResult } from '../mcp/session/schemas.ts';

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

/**
 * The result of an MCP server as the wire has it: `_meta` is called `meta` there, and keys that only the Computer may
 * set are gone. Everything else is untouched.
 */
export function passOn(raw: RawResult, toolMeta: ToolMeta | undefined): CallToolResult {
  const { _meta, meta: misspelled, content = [], ...rest } = raw;
  const own = { ...ownResultMeta(misspelled), ...ownResultMeta(_meta) };
  const meta = { ...own, ...(toolMeta ? { a2c_tool_meta: toolMeta } : {}) };
  const items = Array.isArray(content) ? content.map(withoutItemClaims) : content;
  const result = { content: items, ...ownMeta(rest), ...(Object.keys(meta).length > 0 ? { meta } : {}) };
  const checked = readAs(CallToolResult, result);
  if (checked.success) return checked.data;
  return failure(ErrorCode.ToolFailed, `The MCP server's answer is no tool result: ${describeProblem(checked.error)}`);
}

/** An item of content, and the resource embedded in it. */
function withoutItemClaims(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  const { resource } = item as { resource?: unknown };
  const own = withoutClaims(item);
  if (typeof resource !== 'object' || resource === null) return own;
  const ownResource = withoutClaims(resource);
  return ownResource === resource ? own : { ...own, resource: ownResource };
}

/** The same result with more in its `meta`. */
export function withMeta(result: CallToolResult, meta: ResultMeta): CallToolResult {
  return { ...result, meta: { ...result.meta, ...meta } };
}
