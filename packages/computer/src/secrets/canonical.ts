/** A text with its encodings undone, and where each part of it came from. */
export interface Canonical {
  text: string;
  /** The range of the original text that a range of `text` stands for. */
  source(start: number, end: number): [start: number, end: number];
}

/** Any number of backslashes, because JSON within JSON doubles them, as they are or URL-encoded. */
const BACKSLASHES = String.raw`(?:\\|%(?:25)*5[Cc])+`;
const HEX = '[0-9A-Fa-f]';

/** The ways to write a character: each alternative is one, its group holds what it says of the character. */
const ENCODED = new RegExp(
  [
    `${BACKSLASHES}u([Dd][89ABab]${HEX}{2})${BACKSLASHES}u([Dd][C-Fc-f]${HEX}{2})`,
    `${BACKSLASHES}(?:u(${HEX}{4})|x(${HEX}{2}))`,
    `${BACKSLASHES}(?:(["'/bfnrt])|%(?:25)*(2[27Ff]))`,
    `(${BACKSLASHES})`,
    `%(?:25)*(${HEX}{2})`,
    String.raw`(\+)`,
    '&(amp|lt|gt|quot|apos|#39|#x27|#34);',
    String.raw`([^\0-\x7f])`,
  ].join('|'),
  'gu',
);

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  '#x27': "'",
  '#34': '"',
};

/** Whether a text has anything that `canonical` would undo. */
export function isEncoded(text: string): boolean {
  return /%[0-9A-Fa-f]{2}|[\\+]|&[#a-z]/.test(text);
}

/**
 * The text as the same characters however they were written: as they are, in JSON at any depth of nesting, or URL- or
 * form-encoded. Characters beyond ASCII become the bytes of their UTF-8, one character each, as a URL has them.
 */
export function canonical(text: string): Canonical {
  const pieces: Pieces = { starts: [], origins: [], widths: [] };
  let output = '';
  let next = 0;
  const add = (piece: string, origin: number, width: number) => {
    if (piece === '') return;
    pieces.starts.push(output.length);
    pieces.origins.push(origin);
    pieces.widths.push(width);
    output += piece;
  };
  for (const match of text.matchAll(ENCODED)) {
    add(text.slice(next, match.index), next, 0);
    next = match.index + match[0].length;
    add(decode(match), match.index, match[0].length);
  }
  add(text.slice(next), next, 0);
  return {
    text: output,
    source(from, to) {
      const first = pieceAt(pieces, from);
      const last = pieceAt(pieces, to - 1);
      return [
        first.origin + (first.width === 0 ? from - first.start : 0),
        last.origin + (last.width === 0 ? to - last.start : last.width),
      ];
    },
  };
}

/** The pieces of the canonical text. Lists of numbers, because an object for each character takes ten times the memory. */
interface Pieces {
  /** Where each starts in the canonical text. */
  starts: number[];
  /** Where it starts in the original. */
  origins: number[];
  /** Characters of the original; 0 when the piece was copied as it is. */
  widths: number[];
}

/** The piece that has the character at `position`. */
function pieceAt({ starts, origins, widths }: Pieces, position: number) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return { start: starts[low] ?? 0, origin: origins[low] ?? 0, width: widths[low] ?? 0 };
}

/** A form writes a space as `+` and a `+` as `%2B`, a URL leaves `+` as it is: all count as a space. */
function decode(match: RegExpExecArray): string {
  const character = decodeCharacter(match);
  return character === '+' ? ' ' : character;
}

function decodeCharacter(match: RegExpExecArray): string {
  const [, high, low, unicode, latin, letter, escaped, backslashes, percent, plus, entity, wide] = match;
  if (high !== undefined && low !== undefined) return utf8(String.fromCharCode(hex(high), hex(low)));
  const code = unicode ?? latin;
  if (code !== undefined) return utf8(String.fromCharCode(hex(code)));
  if (letter !== undefined) return ESCAPES[letter] ?? letter;
  if (backslashes !== undefined) return '\\';
  const byte = escaped ?? percent;
  if (byte !== undefined) return String.fromCharCode(hex(byte));
  return plus ?? (entity === undefined ? utf8(wide ?? '') : (ENTITIES[entity] ?? ''));
}

function hex(digits: string): number {
  return Number.parseInt(digits, 16);
}

function utf8(text: string): string {
  return text < '\x80' ? text : Buffer.from(text).toString('latin1');
}
