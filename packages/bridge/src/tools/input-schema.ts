import { isObject, type Json } from '@a2c-smcp/core';

/** Marks a parameter that is sent as an HTTP header, too. */
const HEADER_KEYWORD = 'x-mcp-header';

/** An object as JSON Schema describes it. */
export type ObjectSchema = Json & { type: 'object' };

/**
 * The schema of a tool's arguments for MCP clients. `x-mcp-header` is removed: it concerns the connection of the Computer to
 * its MCP server, and clients drop tools that declare it wrongly.
 */
export function toInputSchema(schema: Json): ObjectSchema {
  return toObjectSchema(JSON.stringify(schema).includes(`"${HEADER_KEYWORD}"`) ? fieldsWithoutHeaders(schema) : schema);
}

/** Clients drop the whole list for a schema whose first keywords have another form than MCP's; such ones are left out. */
export function toObjectSchema(schema: Json): ObjectSchema {
  const fields = Object.entries(schema).filter(([key, value]) => isSound(key, value));
  const { properties, ...rest } = Object.fromEntries(fields);
  return { ...rest, ...(isObject(properties) && { properties: toProperties(properties) }), type: 'object' };
}

function isSound(key: string, value: unknown): boolean {
  if (key === 'required') return Array.isArray(value) && value.every(name => typeof name === 'string');
  return key !== '$schema' || typeof value === 'string';
}

/** A schema may be `true` or `false`, too, which some clients do not know. */
function toProperties(properties: Json): Json {
  const toSchema = (value: unknown) => (isObject(value) ? value : value === false ? { not: {} } : {});
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, toSchema(value)]));
}

function withoutHeaders(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutHeaders);
  return isObject(schema) ? fieldsWithoutHeaders(schema) : schema;
}

function fieldsWithoutHeaders(schema: Json): Json {
  const fields = Object.entries(schema).filter(([key, value]) => key !== HEADER_KEYWORD || typeof value !== 'string');
  return Object.fromEntries(fields.map(([key, value]) => [key, withoutHeaders(value)]));
}
