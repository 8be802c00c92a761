import { type Rewritten, rewrite } from './rewrite.ts';

const HEX = '[0-9A-Fa-f]';

/** Any number of backslashes, because JSON within JSON doubles them, as they are or encoded themselves. */
const BACKSLASHES = String.raw`(?:\\(?:x5[Cc]|u005[Cc]|u\{0{0,4}5[Cc]\}|134)?|%(?:25)*5[Cc]|&#0{0,5}92;|&#[Xx]0{0,4}5[Cc];)+`;
const ENCODED_PERCENT = String.raw`(?:\\+(?:x25|u0025|u\{0{0,4}25\}|045)|&#0{0,5}37;|&#[Xx]0{0,4}25;)`;

/** The ways to write a character: each alternative is one, its groups hold what it says of the character. */
const ENCODED = new RegExp(
  [
    `${BACKSLASHES}u(?<high>[Dd][89ABab]${HEX}{2})${BACKSLASHES}u(?<low>[Dd][C-Fc-f]${HEX}{2})`,
    String.raw`(?<bytes>\\+x[C-Fc-f]${HEX}(?:\\+x[89ABab]${HEX}){1,3})`,
    `${ENCODED_PERCENT}(?:25)*(?<escapedPercent>${HEX}{2})`,
    `${BACKSLASHES}u\\{0{0,4}(?<point>(?!5[Cc]\\})${HEX}{1,6})\\}`,
    `${BACKSLASHES}(?:u(?<unicode>(?!005[Cc])${HEX}{4})|x(?<latin>(?!5[Cc])${HEX}{2}))`,
    `${BACKSLASHES}(?<octal>(?!134)[0-3][0-7]{2})`,
    `${BACKSLASHES}(?<letter>[bfnrt])`,
    `(?<backslashes>${BACKSLASHES})`,
    `%(?:25)*(?<percent>${HEX}{2})`,
    String.raw`(?<plus>\+)`,
    '&(?<entity>amp|lt|gt|quot|apos);',
    `&#(?:(?<decimal>[0-9]{1,7})|[Xx](?<hexadecimal>${HEX}{1,6}));`,
    String.raw`(?<wide>[^\0-\x7f])`,
  ].join('|'),
  'gu',
);

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const MAX_CODE_POINT = 0x10ffff;

/** True if a text has anything that `canonical` would undo. */
export function isEncoded(text: string): boolean {
  return /%[0-9A-Fa-f]{2}|[\\+]|&[#a-z]/.test(text);
}

/**
 * The text as the same characters however they were written: as they are, in JSON at any depth of nesting, URL- or
 * form-encoded, as entities of HTML, as octal or hexadecimal escapes, or behind backslashes. Characters beyond ASCII
 * become the bytes of their UTF-8, one character each, as a URL has them.
 */
export function canonical(text: string): Rewritten {
  return rewrite(text, ENCODED, decode);
}

/** A form writes a space as `+` and a `+` as `%2B`, a URL leaves `+` as it is: all count as a space. */
function decode(match: RegExpExecArray): string {
  const character = decodeCharacter(match);
  return character === '+' ? ' ' : character;
}

/** Backslashes that escape nothing are dropped: some encodings write one before any punctuation. */
function decodeCharacter({ 0: written, groups = {} }: RegExpExecArray): string {
  const { high, low, bytes, unicode, latin, octal, letter, backslashes, plus, entity, wide } = groups;
  if (backslashes !== undefined) return '';
  if (plus !== undefined) return plus;
  const byte = groups.percent ?? groups.escapedPercent;
  if (byte !== undefined) return String.fromCharCode(hex(byte));
  if (high !== undefined && low !== undefined) return utf8(String.fromCharCode(hex(high), hex(low)));
  if (bytes !== undefined) return bytes.replace(/\\+x(..)/g, (_, digits) => String.fromCharCode(hex(digits)));
  const code = unicode ?? latin;
  if (code !== undefined) return utf8(String.fromCharCode(hex(code)));
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  if (letter !== undefined) return ESCAPES[letter] ?? letter;
  if (entity !== undefined) return ENTITIES[entity] ?? written;
  if (wide !== undefined) return utf8(wide);
  const { decimal, hexadecimal, point: braced } = groups;
  const point = decimal === undefined ? hex(hexadecimal ?? braced ?? '') : Number(decimal);
  return point <= MAX_CODE_POINT ? utf8(String.fromCodePoint(point)) : written;
}

function hex(digits: string): number {
  return Number.parseInt(digits, 16);
}

function utf8(text: string): string {
  return text < '\x80' ? text : Buffer.from(text).toString('latin1');
}
