import { asText, fieldsOf, type Json } from '@a2c-smcp/core';
import { alternativesOf, isRequired, propertiesOf, resolveSchema, typesOf } from './schema.ts';
import { briefLine } from './table.ts';

/** Levels of nested parameters that are shown. Schemas may refer to themselves. */
const MAX_LEVELS = 3;
/** Parameters that are shown of one schema. */
const MAX_PARAMETERS = 200;
const MAX_VALUE_LENGTH = 200;
/** Alternatives of a type that are shown. */
const MAX_ALTERNATIVES = 10;
/** Values of an enumeration that are shown. */
const MAX_CHOICES = 50;

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
  const found: Parameter[] = [];
  for (const parameter of fieldsIn(resolveSchema(root, root), root, '', MAX_LEVELS)) {
    if (found.push(parameter) === MAX_PARAMETERS) break;
  }
  return found;
}

/** Lazy: with references, a small schema may have millions of fields. */
function* fieldsIn(schema: Json, root: Json, prefix: string, levels: number): Generator<Parameter> {
  if (levels === 0) return;
  for (const [key, property] of Object.entries(propertiesOf(schema))) {
    const resolved = resolveSchema(property, root);
    const name = prefix + key;
    const type = typeText(resolved, root, MAX_LEVELS);
    const facts = [type, isRequired(schema, key) ? 'required' : '', ...limitsOf(resolved)];
    const description = asText(resolved.description ?? resolved.title ?? '');
    yield { name, facts: facts.filter(Boolean).join(', '), description };
    yield* fieldsIn(resolved, root, `${name}.`, levels - 1);
    yield* fieldsIn(resolveSchema(fieldsOf(resolved.items), root), root, `${name}[].`, levels - 1);
  }
}

/** The type of a value, as in `"low" or "high"`, `list of integers`, `string or number`. */
function typeText(schema: Json, root: Json, levels: number): string {
  if (levels === 0) return 'any';
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (Array.isArray(values)) return joined(values.map(shown));
  const alternatives = alternativesOf(schema).slice(0, MAX_ALTERNATIVES);
  if (schema.type === undefined && alternatives.length > 1) {
    return joined(alternatives.map(each => typeText(resolveSchema(each, root), root, levels - 1)));
  }
  const types = typesOf(schema, root).filter(type => type !== 'null');
  if (types.length === 0) return 'any';
  return joined(types.map(type => (type === 'array' ? listText(schema, root, levels) : briefLine(type, 40))));
}

function listText({ items }: Json, root: Json, levels: number): string {
  if (items === undefined) return 'list';
  const item = typeText(resolveSchema(fieldsOf(items), root), root, levels - 1);
  return /^\w+$/.test(item) && item !== 'any' ? `list of ${item}s` : `list of ${item}`;
}

function joined(texts: readonly string[]): string {
  const choices = [...new Set(texts)];
  const more = choices.length > MAX_CHOICES ? ' or …' : '';
  return choices.slice(0, MAX_CHOICES).join(' or ') + more;
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
  return briefLine(asText(value), MAX_VALUE_LENGTH);
}
