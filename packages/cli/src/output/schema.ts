import { fieldsOf, type Json } from '@a2c-smcp/core';

/** The parameters of a tool in short: required ones by name, optional ones with a question mark. */
export function signatureOf(schema: Json): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.entries(propertiesOf(schema)).map(([name, property]) => {
    // What has a default may be left out, whatever the schema says about the output of its parser.
    const isRequired = required.includes(name) && property.default === undefined;
    return isRequired ? name : `${name}?`;
  });
  return names.length > 0 ? names.join(' ') : '-';
}

/** The schema of each parameter. */
export function propertiesOf({ properties }: Json): Record<string, Json> {
  // A peer may send anything in the place of a schema.
  return Object.fromEntries(Object.entries(fieldsOf(properties)).map(([name, schema]) => [name, fieldsOf(schema)]));
}
