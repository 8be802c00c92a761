import { isObject, type Json } from '@a2c-smcp/core';

/** Marks a parameter that is sent as an HTTP header, too. */
const HEADER_KEYWORD = 'x-mcp-header';

/**
 * The schema of a tool's arguments for MCP clients. `x-mcp-header` is removed: it concerns the connection of the Computer to
 * its MCP server, and clients drop tools that declare it wrongly.
 */
export function toInputSchema(schema: Json): Json & { type: 'object' } {
  const own = JSON.stringify(schema).includes(`"${HEADER_KEYWORD}"`) ? fieldsWithoutHeaders(schema) : schema;
  return { ...own, type: 'object' };
}

function withoutHeaders(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutHeaders);
  return isObject(schema) ? fieldsWithoutHeaders(schema) : schema;
}

function fieldsWithoutHeaders(schema: Json): Json {
  const fields = Object.entries(schema).filter(([key, value]) => key !== HEADER_KEYWORD || typeof value !== 'string');
  return Object.fromEntries(fields.map(([key, value]) => [key, withoutHeaders(value)]));
}
