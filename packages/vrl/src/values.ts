/** A value as `VrlProgram.run` returns it. */
export type VrlValue = null | boolean | number | bigint | string | Date | VrlValue[] | { [key: string]: VrlValue };

/** Begins a string that stands for something JSON has no notation for; `wasm/src/values.rs` is the other side. */
const TAG = '\0';

/** Writes a JavaScript value for the engine. What JSON leaves out is left out, except for bigints and dates. */
export function toTaggedJson(value: unknown): string {
  const json: string | undefined = JSON.stringify(value, tag);
  if (json === undefined) throw new TypeError(`An event cannot be ${typeof value}`);
  return json;
}

/** Reads what the engine wrote. */
export function fromTaggedJson(json: string): VrlValue {
  // Reviving is slow, and JSON has no other way to write the tag.
  return json.includes('\\u0000') ? JSON.parse(json, untag) : JSON.parse(json);
}

/**
 * Replaces halves of surrogate pairs by U+FFFD. Texts that were cut contain them, JSON can only write them as escapes,
 * and the engine, whose strings are UTF-8, refuses those.
 */
export function mendSurrogates(json: string): string {
  if (!/\\ud/i.test(json)) return json;
  const escapes = /\\\\|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|\\ud[89a-f][\da-f]{2}/gi;
  return json.replace(escapes, written => (written.length === 6 ? '\ufffd' : written));
}

function tag(this: Record<string, unknown>, key: string, value: unknown): unknown {
  if (typeof value === 'string') {
    // By now a date is a string.
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
