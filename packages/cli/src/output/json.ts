/** Control characters, line separators and bidi marks that JSON allows in strings without an escape. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu;

/** A value as indented JSON whose strings cannot control the terminal. */
export function prettyJson(value: unknown): string {
  return escaped(JSON.stringify(value, null, 2));
}

/** A value as JSON on one line. */
export function jsonLine(value: unknown): string {
  return escaped(JSON.stringify(value));
}

/** The unsafe characters occur only in strings, where an escape has the same meaning. */
function escaped(json: string | undefined): string {
  return (json ?? 'null').replace(UNSAFE, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
