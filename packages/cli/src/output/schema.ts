import { fieldsOf, type Json } from '@a2c-smcp/core';

/** The names of a tool's parameters, those of optional ones with a question mark. */
export function signatureOf(schema: Json): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.entries(propertiesOf(schema)).map(([name, property]) => {
    // A parameter with a default is optional, also if `required` names it: some generators describe the parsed value.
    const isRequired = required.includes(name) && property.default === undefined;
    return isRequired ? name : `${name}?`;
  });
  return names.length > 0 ? names.join(' ') : '-';
}

/** The schema of each parameter. */
export function propertiesOf({ properties }: Json): Record<string, Json> {
  // A peer may send any value in place of a schema.
  return Object.fromEntries(Object.entries(fieldsOf(properties)).map(([name, schema]) => [name, fieldsOf(schema)]));
}
