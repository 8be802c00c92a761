import { isObject } from '@a2c-smcp/core';

/** Keys with this prefix are the Computer's own: Agents take them for the word of its owner. */
const RESERVED = 'a2c_';

/** An object of an MCP server without the keys that it may not set. Nothing when it is no object. */
export function ownMeta(meta: unknown): Record<string, unknown> {
  if (!isObject(meta)) return {};
  return hasClaims(meta) ? Object.fromEntries(Object.entries(meta).filter(([key]) => !isReserved(key))) : { ...meta };
}

/** Words without the prefix that the Computer writes into the metadata of results. */
const RESULT_WORDS = new Set(['error_code', 'auth_hint', 'mcp_server', 'timeout', 'cancelled']);

/** Metadata of an MCP server's result: without the words, too, by which the Computer says how a call went. */
export function ownResultMeta(meta: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(ownMeta(meta)).filter(([key]) => !RESULT_WORDS.has(key)));
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

function hasClaims(meta: unknown): boolean {
  return isObject(meta) && Object.keys(meta).some(isReserved);
}

function isReserved(key: string): boolean {
  return key.startsWith(RESERVED);
}
