/** A value as `VrlProgram.run` returns it. */
export type VrlValue = null | boolean | number | bigint | string | Date | VrlValue[] | { [key: string]: VrlValue };

/** First character of a string that encodes a value JSON cannot write. `wasm/src/values.rs` has the other half. */
const TAG = '\0';

/** Serialises a JavaScript value for the engine, as `JSON.stringify` does, with tags for bigints and dates. */
export function toTaggedJson(value: unknown): string {
  const json: string | undefined = JSON.stringify(value, tag);
  if (json === undefined) throw new TypeError(`An event cannot be ${typeof value}`);
  return json;
}

/** Parses the output of the engine. */
export function fromTaggedJson(json: string): VrlValue {
  // A reviver is slow. JSON can write the tag only as this escape.
  return json.includes('\\u0000') ? JSON.parse(json, untag) : JSON.parse(json);
}

/**
 * Replaces lone surrogates by U+FFFD. They occur in texts that were cut, JSON writes them as escapes, and the engine, whose
 * strings are UTF-8, refuses these.
 */
export function mendSurrogates(json: string): string {
  if (!/\\ud/i.test(json)) return json;
  const escapes = /\\\\|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|\\ud[89a-f][\da-f]{2}/gi;
  return json.replace(escapes, written => (written.length === 6 ? '\ufffd' : written));
}

function tag(this: Record<string, unknown>, key: string, value: unknown): unknown {
  if (typeof value === 'string') {
    // `JSON.stringify` has called `toJSON` already, so that a date is a string here.
    const original = this[key];
    if (original instanceof Date) return `${TAG}t${original.getTime()}`;
    return value.startsWith(TAG) ? `${TAG}s${value}` : value;
  }
  if (typeof value !== 'bigint') return value;
  if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${value} does not fit in 64 bits`);
  return `${TAG}i${value}`;
}

function untag(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(TAG)) return value;
  const rest = value.slice(2);
  switch (value[1]) {
    case 'i':
      return BigInt(rest);
    case 't':
      return new Date(Number(rest));
    default:
      return rest;
  }
}
