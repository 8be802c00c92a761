import { isObject } from '@a2c-smcp/core';
import { CallToolResult, describeProblem, ErrorCode, failedResult, type ToolMeta } from '@a2c-smcp/protocol';

/** Keys with this prefix are the Computer's own: Agents take them for the word of its owner. */
const RESERVED = 'a2c_';

/** Words without the prefix that the Computer writes into the metadata of results. */
const RESULT_WORDS = new Set(['error_code', 'auth_hint', 'mcp_server', 'timeout', 'cancelled']);

/**
 * The result of an MCP server as the wire has it: `_meta` is called `meta` there, and keys that only the Computer may
 * set are gone. Everything else is untouched.
 */
export function passOn(raw: Record<string, unknown>, toolMeta: ToolMeta | undefined): CallToolResult {
  const { _meta, meta: misspelled, content = [], ...rest } = raw;
  const own = { ...ownResultMeta(misspelled), ...ownResultMeta(_meta) };
  const meta = { ...own, ...(toolMeta ? { a2c_tool_meta: toolMeta } : {}) };
  const items = Array.isArray(content) ? content.map(withoutItemClaims) : content;
  const result = { content: items, ...ownMeta(rest), ...(Object.keys(meta).length > 0 ? { meta } : {}) };
  const checked = CallToolResult.safeParse(result);
  if (checked.success) return checked.data;
  const text = `The MCP server's answer is no tool result: ${describeProblem(checked.error)}`;
  return failedResult(text, { error_code: ErrorCode.ToolFailed });
}

/** An object of an MCP server without the keys that it may not set. Nothing when it is not an object. */
export function ownMeta(meta: unknown): Record<string, unknown> {
  if (!isObject(meta)) return {};
  return hasClaims(meta) ? Object.fromEntries(Object.entries(meta).filter(([key]) => !isReserved(key))) : { ...meta };
}

/** An entry of an MCP server without reserved keys in its metadata; the same object when there are none. */
export function withoutClaims<T extends object>(entry: T): T {
  const { _meta, meta } = entry as { _meta?: unknown; meta?: unknown };
  if (!hasClaims(_meta) && !hasClaims(meta)) return entry;
  return {
    ...entry,
    ...(hasClaims(_meta) ? { _meta: ownMeta(_meta) } : {}),
    ...(hasClaims(meta) ? { meta: ownMeta(meta) } : {}),
  };
}

/** Metadata of an MCP server's result: without the words, too, by which the Computer says how a call went. */
function ownResultMeta(meta: unknown): Record<string, unknown> {
  if (meta === undefined) return {};
  return Object.fromEntries(Object.entries(ownMeta(meta)).filter(([key]) => !RESULT_WORDS.has(key)));
}

/** An item of content, and the resource embedded in it. */
export function withoutItemClaims(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  const { resource } = item as { resource?: unknown };
  const own = withoutClaims(item);
  if (typeof resource !== 'object' || resource === null) return own;
  const ownResource = withoutClaims(resource);
  return ownResource === resource ? own : { ...own, resource: ownResource };
}

function hasClaims(meta: unknown): boolean {
  return isObject(meta) && Object.keys(meta).some(isReserved);
}

function isReserved(key: string): boolean {
  return key.startsWith(RESERVED);
}
