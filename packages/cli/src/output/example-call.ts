import { fieldsOf, type Json } from '@a2c-smcp/core';
import { isRequired, propertiesOf, resolveSchema, typesOf } from './schema.ts';
import { briefLine } from './table.ts';

/** Levels of a sample value. Schemas may refer to themselves. */
const MAX_LEVELS = 2;
/** Fields of a sample value. With references, a small schema may have millions. */
const MAX_FIELDS = 8;
const MAX_PARAMETERS = 20;
const MAX_SAMPLE_LENGTH = 200;
const MAX_WORD_LENGTH = 1000;

/**
 * The words for a call of a tool with its required parameters, or with the first one if none is required. Samples are
 * defaults and examples of the schema, else the name of the parameter in capitals.
 */
export function exampleWords(root: Json): string[] {
  const schema = resolveSchema(root, root);
  const names = Object.keys(propertiesOf(schema));
  const required = names.filter(name => isRequired(schema, name));
  return (required.length > 0 ? required.slice(0, MAX_PARAMETERS) : names.slice(0, 1)).flatMap(name =>
    wordsFor(name, resolveSchema(propertiesOf(schema)[name] ?? {}, root), root),
  );
}

function wordsFor(name: string, schema: Json, root: Json): string[] {
  const types = typesOf(schema, root);
  const value = sample(name.split('.').at(-1) ?? name, schema, root, MAX_LEVELS);
  if (types.includes('object') && !Array.isArray(value)) {
    const fields = Object.keys(propertiesOf(schema))
      .filter(key => isRequired(schema, key))
      .slice(0, MAX_FIELDS);
    if (fields.length > 0 && !name.includes('.')) {
      return fields.flatMap(key =>
        wordsFor(`${name}.${key}`, resolveSchema(propertiesOf(schema)[key] ?? {}, root), root),
      );
    }
  }
  if (Array.isArray(value) && value.length > 0 && value.every(item => typeof item !== 'object')) {
    return value.map(item => assignment(name, item));
  }
  return [typeof value === 'object' ? `${quoted(name)}:=${quoted(JSON.stringify(value))}` : assignment(name, value)];
}

/** A text that begins with `@` would be taken for the name of a file. */
function assignment(name: string, value: unknown): string {
  return `${quoted(name)}=${quoted(String(value).replace(/^@/, '@@'))}`;
}

function sample(name: string, schema: Json, root: Json, levels: number): unknown {
  const [given] = [schema.const, schema.default, firstOf(schema.examples), firstOf(schema.enum)].filter(
    value => value !== undefined && value !== null && value !== '' && JSON.stringify(value).length <= MAX_SAMPLE_LENGTH,
  );
  if (given !== undefined) return given;
  const [type = 'string'] = typesOf(schema, root).filter(each => each !== 'null');
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return typeof schema.minimum === 'number' ? schema.minimum : 1;
  if (levels > 0 && type === 'array') {
    return [sample(name, resolveSchema(fieldsOf(schema.items), root), root, levels - 1)];
  }
  if (levels > 0 && type === 'object') {
    const fields = Object.entries(propertiesOf(schema))
      .filter(([key]) => isRequired(schema, key))
      .slice(0, MAX_FIELDS);
    return Object.fromEntries(
      fields.map(([key, field]) => [key, sample(key, resolveSchema(field, root), root, levels - 1)]),
    );
  }
  return name.replace(/[^a-z0-9]+/gi, '_').toUpperCase();
}

function firstOf(values: unknown): unknown {
  return Array.isArray(values) ? values[0] : undefined;
}

/** A word for a POSIX shell. People paste examples, so that no name of a peer may mean anything to the shell. */
export function quoted(text: string): string {
  const line = briefLine(text, MAX_WORD_LENGTH);
  return /^[\w@%+=:,./-]*$/.test(line) ? line : `'${line.replaceAll("'", "'\\''")}'`;
}
