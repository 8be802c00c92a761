import { fieldsOf, isObject, type Json } from '@a2c-smcp/core';

/** References that are followed for one schema. They may form a circle. */
const MAX_REFERENCES = 8;

/** The names of a tool's parameters, those of optional ones with a question mark. */
export function signatureOf(schema: Json): string {
  const names = Object.keys(propertiesOf(schema)).map(name => (isRequired(schema, name) ? name : `${name}?`));
  return names.length > 0 ? names.join(' ') : '-';
}

/** True if a property must be given. */
export function isRequired(schema: Json, name: string): boolean {
  const required = Array.isArray(schema.required) ? schema.required : [];
  // A parameter with a default is optional, also if `required` names it: some generators describe the parsed value.
  return required.includes(name) && fieldsOf(fieldsOf(schema.properties)[name]).default === undefined;
}

/** The schema of each parameter. */
export function propertiesOf({ properties }: Json): Record<string, Json> {
  // A peer may send any value in place of a schema.
  return Object.fromEntries(Object.entries(fieldsOf(properties)).map(([name, schema]) => [name, fieldsOf(schema)]));
}

/** A schema with its references to definitions in `root` replaced, and without the alternative `null`. */
export function resolveSchema(schema: Json, root: Json): Json {
  let resolved = schema;
  for (let count = 0; count < MAX_REFERENCES; count++) {
    const { $ref, anyOf, oneOf, allOf, ...own } = resolved;
    const [only, ...others] = alternativesOf(resolved);
    if (typeof $ref === 'string') resolved = { ...definitionAt($ref, root), ...own };
    else if (only && others.length === 0) resolved = { ...only, ...own };
    else return resolved;
  }
  return resolved;
}

/** The alternatives of a schema without `null`. */
export function alternativesOf({ anyOf, oneOf, allOf }: Json): Json[] {
  const given = [anyOf, oneOf, allOf].find(list => Array.isArray(list));
  return Array.isArray(given) ? given.map(fieldsOf).filter(({ type }) => type !== 'null') : [];
}

/** The types of a resolved schema: those it names, else those of its alternatives. Empty for any. */
export function typesOf(schema: Json, root: Json): string[] {
  const named = [schema.type].flat().filter(type => typeof type === 'string');
  if (named.length > 0) return named;
  const values = [schema.const ?? [], schema.enum ?? []].flat(2);
  if (values.length > 0) return [...new Set(values.map(value => (isObject(value) ? 'object' : typeof value)))];
  return alternativesOf(schema).flatMap(each => [resolveSchema(each, root).type].flat().map(String));
}

/** The definition at a JSON pointer such as `#/$defs/Edit`. */
function definitionAt(pointer: string, root: Json): Json {
  const steps = pointer.replace(/^#\/?/, '').split('/').filter(Boolean);
  const names = steps.map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce((found, name) => fieldsOf(Object.hasOwn(found, name) ? found[name] : undefined), root);
}
