import { fieldsOf, type Json } from '@a2c-smcp/core';
import { alternativesOf, isRequired, propertiesOf, resolveSchema, typesOf } from './schema.ts';
import { briefLine } from './table.ts';

/** Levels of nested parameters that are shown. Schemas may refer to themselves. */
const MAX_LEVELS = 3;
/** Parameters that are shown of one schema. */
const MAX_PARAMETERS = 200;
const MAX_VALUE_LENGTH = 200;

/** A parameter of a tool, or a field of one. */
export interface Parameter {
  /** As it is typed in a call: `page.number`. A field of the items of a list has `[]`: `edits[].text`. */
  name: string;
  /** As in `list of strings, required`. */
  facts: string;
  description: string;
}

/** The parameters of a tool in the order of its schema, each followed by its own fields. */
export function parametersOf(root: Json): Parameter[] {
  return fieldsIn(resolveSchema(root, root), root, '', MAX_LEVELS).slice(0, MAX_PARAMETERS);
}

function fieldsIn(schema: Json, root: Json, prefix: string, levels: number): Parameter[] {
  if (levels === 0) return [];
  return Object.entries(propertiesOf(schema))
    .slice(0, MAX_PARAMETERS)
    .flatMap(([key, property]) => {
      const resolved = resolveSchema(property, root);
      const name = prefix + key;
      const facts = [typeText(resolved, root), isRequired(schema, key) ? 'required' : '', ...limitsOf(resolved)];
      const description = String(resolved.description ?? resolved.title ?? '');
      const item = resolveSchema(fieldsOf(resolved.items), root);
      return [
        { name, facts: facts.filter(Boolean).join(', '), description },
        ...fieldsIn(resolved, root, `${name}.`, levels - 1),
        ...fieldsIn(item, root, `${name}[].`, levels - 1),
      ];
    });
}

/** The type of a value, as in `"low" or "high"`, `list of integers`, `string or number`. */
function typeText(schema: Json, root: Json): string {
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (Array.isArray(values)) return values.map(shown).join(' or ');
  const alternatives = alternativesOf(schema);
  if (schema.type === undefined && alternatives.length > 1) {
    return [...new Set(alternatives.map(each => typeText(resolveSchema(each, root), root)))].join(' or ');
  }
  const types = typesOf(schema, root).filter(type => type !== 'null');
  if (types.length === 0) return 'any';
  return types.map(type => (type === 'array' ? listText(schema, root) : briefLine(type, 40))).join(' or ');
}

function listText({ items }: Json, root: Json): string {
  if (items === undefined) return 'list';
  const item = typeText(resolveSchema(fieldsOf(items), root), root);
  return /^\w+$/.test(item) && item !== 'any' ? `list of ${item}s` : `list of ${item}`;
}

/** The limits of a value in the words of a person. */
function limitsOf(schema: Json): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, format, pattern } = schema;
  return [
    format === undefined ? '' : shortText(format),
    rangeText(minimum, maximum, ''),
    rangeText(minLength, maxLength, ' characters'),
    rangeText(minItems, maxItems, ' items'),
    pattern === undefined ? '' : `matches ${shortText(pattern)}`,
    schema.default === undefined ? '' : `default ${shown(schema.default)}`,
  ];
}

function rangeText(min: unknown, max: unknown, unit: string): string {
  // Generators write the largest safe integer where there is no limit.
  const [low, high] = [min, max].map(limit =>
    typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined,
  );
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (low !== undefined) return `at least ${low}${unit}`;
  return high === undefined ? '' : `at most ${high}${unit}`;
}

function shown(value: unknown): string {
  return shortText(JSON.stringify(value));
}

function shortText(value: unknown): string {
  return briefLine(String(value), MAX_VALUE_LENGTH);
}
