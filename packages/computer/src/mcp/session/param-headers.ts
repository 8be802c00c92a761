import { fieldsOf, isObject } from '@a2c-smcp/core';

/** A parameter of a tool that is sent as an HTTP header too, so that proxies can route by it. */
export interface HeaderParameter {
  header: string;
  /** The names of the properties that lead to it. */
  path: readonly string[];
}

const DECLARATION = 'x-mcp-header';
const PREFIX = 'Mcp-Param-';
/** A name of a header as RFC 9110 has it. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES = new Set(['string', 'integer', 'boolean']);

/** Keywords with a schema or a list of schemas that may not declare headers. */
const PARTS = [
  ...['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['propertyNames', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'],
];
/** Keywords with such schemas by name. */
const NAMED_PARTS = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'];

/**
 * The parameters that the schema of a tool declares as headers (`x-mcp-header`). Throws with the reason when one of them
 * breaks a rule of MCP: a client must not offer such a tool over HTTP.
 */
export function readHeaderParameters(schema: unknown): HeaderParameter[] {
  const found: HeaderParameter[] = [];
  collect(schema, [], found);
  const names = found.map(({ header }) => header.toLowerCase());
  const twice = found.find((_, index) => names.indexOf(names[index] ?? '') !== index);
  if (twice) throw new Error(`'${twice.header}' is declared as a header twice`);
  return found;
}

/** The headers of a call. Parameters that are absent, null or of another type than text, number and boolean have none. */
export function headersOf(
  parameters: readonly HeaderParameter[],
  params: Record<string, unknown>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { header, path } of parameters) {
    const value = path.reduce<unknown>(
      (fields, name) => (isObject(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined),
      params,
    );
    const text = headerText(value);
    if (text !== undefined) headers[`${PREFIX}${header}`] = text;
  }
  return headers;
}

/** @param path of the schema; undefined where no header may be declared */
function collect(schema: unknown, path: readonly string[] | undefined, found: HeaderParameter[]): void {
  if (!isObject(schema)) return;
  if (DECLARATION in schema) found.push(declared(schema, path));
  for (const [name, part] of Object.entries(fieldsOf(schema.properties))) {
    collect(part, path && [...path, name], found);
  }
  const parts = [
    ...PARTS.flatMap(key => schema[key]),
    ...NAMED_PARTS.flatMap(key => Object.values(fieldsOf(schema[key]))),
  ];
  for (const part of parts) collect(part, undefined, found);
}

function declared(
  { [DECLARATION]: header, type }: Record<string, unknown>,
  path: readonly string[] | undefined,
): HeaderParameter {
  if (!path || path.length === 0) throw new Error('a header is declared elsewhere than on a property');
  if (typeof header !== 'string' || !TOKEN.test(header)) throw new Error(`'${path.join('.')}' has no name of a header`);
  if (!TYPES.has(String(type))) throw new Error(`'${path.join('.')}' is a header but no string, integer or boolean`);
  return { header, path };
}

function headerText(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number')
    return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
      ? String(value)
      : undefined;
  if (typeof value !== 'string') return undefined;
  return isPlain(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** True if a text arrives as it is in a header, and is not taken for base64. */
function isPlain(text: string): boolean {
  return (
    /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() && !(text.startsWith('=?base64?') && text.endsWith('?='))
  );
}
