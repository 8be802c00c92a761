import { MAX_ARGUMENTS, MAX_NESTING_DEPTH } from '@a2c-smcp/core';

const [
  QUOTE,
  BACKSLASH,
  COMMA,
  COLON,
  OPEN_ARRAY,
  CLOSE_ARRAY,
  OPEN_OBJECT,
  CLOSE_OBJECT,
  MINUS,
  PLUS,
  DOT,
  ZERO,
  NINE,
] = [...'"\\,:[]{}-+.09'].map(character => character.charCodeAt(0)) as Codes;
type Codes = [
  ...[quote: number, backslash: number, comma: number, colon: number],
  ...[openArray: number, closeArray: number, openObject: number, closeObject: number],
  ...[minus: number, plus: number, dot: number, zero: number, nine: number],
];
const SPACE = 0x20;
/** Those after a backslash, but for `u`. */
const ESCAPES: readonly number[] = [...Buffer.from('"\\/bfnrt')];
const [UNICODE_ESCAPE = 0, SMALL_E = 0, LARGE_E = 0] = Buffer.from('ueE');
const LITERALS = ['true', 'false', 'null'].map(word => Buffer.from(word));
/** Bytes of a string, and of its rest behind an escape, that are looked at one by one before native code searches its end. */
const SHORT_BYTES = 64;
/** The result of a step that fails, in place of the next position. */
const BROKEN = -1;

/** The bracket that closes each open array or object. One for all: nothing else runs while a message is read. */
const closing = new Uint8Array(MAX_NESTING_DEPTH + 1);

/**
 * True if the bytes from `start` on are the JSON of a message within its limits, without a control character between its
 * values. They are known to be UTF-8. False says nothing: the parser decides. Nothing is made of the values, which is what
 * costs a relay most when it parses an answer only to forward it.
 */
export function isMessage(bytes: Buffer, start: number): boolean {
  if (hasControlCharacter(bytes, start)) return false;
  let depth = 0;
  let commas = 0;
  let at = skipSpaces(bytes, start);
  for (;;) {
    // A value begins here.
    const first = bytes[at];
    if (first === OPEN_ARRAY || first === OPEN_OBJECT) {
      depth += 1;
      if (depth > MAX_NESTING_DEPTH) return false;
      const close = first === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT;
      closing[depth] = close;
      at = skipSpaces(bytes, at + 1);
      if (bytes[at] !== close) {
        if (close === CLOSE_OBJECT) at = endOfKey(bytes, at);
        if (at === BROKEN) return false;
        continue;
      }
    } else {
      at = first === QUOTE ? endOfString(bytes, at + 1) : endOfScalar(bytes, at);
      if (at === BROKEN) return false;
    }
    // A value has ended here, or the last bracket of an empty one is here.
    for (;;) {
      at = skipSpaces(bytes, at);
      if (depth === 0) return at === bytes.length;
      const next = bytes[at++];
      if (next === COMMA) break;
      if (next !== closing[depth]) return false;
      depth -= 1;
    }
    at = skipSpaces(bytes, at);
    if (closing[depth] === CLOSE_OBJECT) at = endOfKey(bytes, at);
    else if (depth === 1) commas += 1;
    if (at === BROKEN || commas >= MAX_ARGUMENTS) return false;
  }
}

function skipSpaces(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === SPACE) at += 1;
  return at;
}

/** Where the value of a key begins. */
function endOfKey(bytes: Buffer, start: number): number {
  if (bytes[start] !== QUOTE) return BROKEN;
  const end = endOfString(bytes, start + 1);
  if (end === BROKEN) return BROKEN;
  const colon = skipSpaces(bytes, end);
  return bytes[colon] === COLON ? skipSpaces(bytes, colon + 1) : BROKEN;
}

/**
 * Each byte is looked at by native code at most once for each of the two characters, so that a string without an end, or
 * with many escapes, takes no longer than others.
 *
 * @param start behind the quote that opens it
 */
function endOfString(bytes: Buffer, start: number): number {
  let at = start;
  /** The next quote, once native code has searched it. */
  let quote = BROKEN;
  for (;;) {
    for (const limit = at + SHORT_BYTES; at < limit; ) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte === undefined) return BROKEN;
      at = byte === BACKSLASH ? endOfEscape(bytes, at) : at + 1;
      if (at === BROKEN) return BROKEN;
    }
    if (quote < at) quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) return BROKEN;
    const backslash = bytes.subarray(at, quote).indexOf(BACKSLASH);
    if (backslash === -1) return quote + 1;
    at = endOfEscape(bytes, at + backslash);
    if (at === BROKEN) return BROKEN;
  }
}

/** @param start at the backslash */
function endOfEscape(bytes: Buffer, start: number): number {
  const kind = bytes[start + 1] ?? 0;
  if (kind !== UNICODE_ESCAPE) return ESCAPES.includes(kind) ? start + 2 : BROKEN;
  for (let at = start + 2; at < start + 6; at++) if (!isHex(bytes[at])) return BROKEN;
  return start + 6;
}

function endOfScalar(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === MINUS || isDigit(first)) return endOfNumber(bytes, first === MINUS ? start + 1 : start);
  const literal = LITERALS.find(word => word[0] === first);
  if (!literal) return BROKEN;
  for (let index = 1; index < literal.length; index++) if (bytes[start + index] !== literal[index]) return BROKEN;
  return start + literal.length;
}

/** @param start behind the sign */
function endOfNumber(bytes: Buffer, start: number): number {
  let at = bytes[start] === ZERO ? start + 1 : endOfDigits(bytes, start);
  if (at !== BROKEN && bytes[at] === DOT) at = endOfDigits(bytes, at + 1);
  if (at === BROKEN || (bytes[at] !== SMALL_E && bytes[at] !== LARGE_E)) return at;
  const sign = bytes[at + 1];
  return endOfDigits(bytes, sign === MINUS || sign === PLUS ? at + 2 : at + 1);
}

/** At least one. */
function endOfDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at += 1;
  return at === start ? BROKEN : at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isHex(byte: number | undefined): boolean {
  // A capital letter becomes a small one.
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

/** Four bytes at a time, each taken for less than a space if subtracting one makes it negative. */
function hasControlCharacter(bytes: Buffer, start: number): boolean {
  const skew = (bytes.byteOffset + start) % 4;
  const first = Math.min(start + ((4 - skew) % 4), bytes.length);
  const count = Math.floor((bytes.length - first) / 4);
  const words = new Int32Array(bytes.buffer, count === 0 ? 0 : bytes.byteOffset + first, count);
  for (let index = 0; index < count; index++) {
    const word = words[index] ?? 0;
    if (((word - 0x20202020) & ~word & 0x80808080) !== 0) return true;
  }
  for (let at = start; at < first; at++) if ((bytes[at] ?? 0) < SPACE) return true;
  for (let at = first + count * 4; at < bytes.length; at++) if ((bytes[at] ?? 0) < SPACE) return true;
  return false;
}
