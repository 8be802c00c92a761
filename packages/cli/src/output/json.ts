/** Characters that JSON allows in strings as they are, though they steer terminals, change lines or turn the direction. */
const STEERING = /[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu;

/** A value as JSON for `--json` and for people, whose strings cannot steer the terminal. */
export function prettyJson(value: unknown): string {
  return escaped(JSON.stringify(value, null, 2));
}

/** A value as JSON on one line. */
export function jsonLine(value: unknown): string {
  return escaped(JSON.stringify(value));
}

/** These characters occur in strings only, where an escape means the same. */
function escaped(json: string | undefined): string {
  return (json ?? 'null').replace(STEERING, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
