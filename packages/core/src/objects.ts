export type Json = Record<string, unknown>;

/** Whether a value is an object with fields: neither an array nor null. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a value; none when it is not an object. */
export function fieldsOf(value: unknown): Json {
  return isObject(value) ? value : {};
}
