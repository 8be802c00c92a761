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
/** By byte, 1 for all that may follow a backslash, but for `u`. */
const ESCAPES = tableOf(Buffer.from('"\\/bfnrt'));
/** By byte, 1 for all that a string does not contain as it is: what ends it, escapes, and control characters. */
const SPECIAL = tableOf([QUOTE, BACKSLASH, ...Array(SPACE).keys()]);
const [UNICODE_ESCAPE = 0, SMALL_E = 0, LARGE_E = 0] = Buffer.from('ueE');
const LITERALS = ['true', 'false', 'null'].map(word => Buffer.from(word));
/** Bytes of a string, and of its rest behind an escape, that are looked at one by one before native code searches its end. */
const SHORT_BYTES = 256;
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
  const end = endOfValue(bytes, skipSpaces(bytes, start), 0);
  return end !== BROKEN && skipSpaces(bytes, end) === bytes.length;
}

/** A request for a Computer, as far as it is read to be routed. */
export interface RoutedRequest {
  event: string;
  agent: string | undefined;
  computer: string | undefined;
  req_id: string | undefined;
  timeout: number | undefined;
  tool_name: string | undefined;
}

const [AGENT, COMPUTER, REQ_ID, TIMEOUT, TOOL_NAME] = ['agent', 'computer', 'req_id', 'timeout', 'tool_name'].map(
  name => Buffer.from(name),
) as [agent: Buffer, computer: Buffer, reqId: Buffer, timeout: Buffer, toolName: Buffer];
/** Names of fields by their length, which is another one for each. */
const FIELDS: (Buffer | undefined)[] = [];
for (const name of [AGENT, COMPUTER, REQ_ID, TIMEOUT, TOOL_NAME]) FIELDS[name.length] = name;

/** The start of each request. */
const REQUEST_START = Buffer.from('["client:');

/**
 * Reads the event of a request and the fields by which it is routed, while all else is only checked, as by `isMessage`.
 * Undefined says nothing: the parser decides, also about names with escapes and values of other types.
 */
export function readRequest(bytes: Buffer, start: number): RoutedRequest | undefined {
  if (!hasAt(bytes, start, REQUEST_START)) return undefined;
  const eventEnd = endOfPlainString(bytes, start + REQUEST_START.length);
  if (eventEnd === BROKEN || bytes[eventEnd] !== COMMA || bytes[eventEnd + 1] !== OPEN_OBJECT) return undefined;
  let agent: string | undefined;
  let computer: string | undefined;
  let req_id: string | undefined;
  let timeout: number | undefined;
  let tool_name: string | undefined;
  let at = eventEnd + 1;
  do {
    const key = at + 2;
    const keyEnd = bytes[at + 1] === QUOTE ? endOfPlainString(bytes, key) : BROKEN;
    if (keyEnd === BROKEN || bytes[keyEnd] !== COLON) return undefined;
    const value = keyEnd + 1;
    const name = FIELDS[keyEnd - 1 - key];
    if (name === undefined || !hasAt(bytes, key, name)) {
      at = endOfValue(bytes, value, 2);
    } else if (name === TIMEOUT) {
      at = isDigit(bytes[value]) ? endOfNumber(bytes, value) : BROKEN;
      timeout = at === BROKEN ? 0 : Number(bytes.toString('latin1', value, at));
    } else {
      at = bytes[value] === QUOTE ? endOfPlainString(bytes, value + 1) : BROKEN;
      const text = at === BROKEN ? '' : bytes.toString('utf8', value + 1, at - 1);
      if (name === AGENT) agent = text;
      else if (name === COMPUTER) computer = text;
      else if (name === REQ_ID) req_id = text;
      else tool_name = text;
    }
    if (at === BROKEN) return undefined;
  } while (bytes[at] === COMMA);
  if (bytes[at] !== CLOSE_OBJECT || bytes[at + 1] !== CLOSE_ARRAY || at + 2 !== bytes.length) return undefined;
  const event = bytes.toString('utf8', start + 2, eventEnd - 1);
  return { event, agent, computer, req_id, timeout, tool_name };
}

/**
 * The end of a value, if it and all in it is valid.
 *
 * @param outside how many arrays and objects surround it; 0 for a whole message
 */
function endOfValue(bytes: Buffer, start: number, outside: number): number {
  let depth = outside;
  let commas = 0;
  let at = start;
  for (;;) {
    // A value begins here.
    const first = bytes[at];
    if (first === OPEN_ARRAY || first === OPEN_OBJECT) {
      depth += 1;
      if (depth > MAX_NESTING_DEPTH) return BROKEN;
      const close = first === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT;
      closing[depth] = close;
      at = skipSpaces(bytes, at + 1);
      if (bytes[at] !== close) {
        if (close === CLOSE_OBJECT) at = endOfKey(bytes, at);
        if (at === BROKEN) return BROKEN;
        continue;
      }
    } else {
      at = first === QUOTE ? endOfString(bytes, at + 1) : endOfScalar(bytes, at);
      if (at === BROKEN) return BROKEN;
    }
    // A value has ended here, or the last bracket of an empty one is here.
    for (;;) {
      if (depth === outside) return at;
      at = skipSpaces(bytes, at);
      const next = bytes[at++];
      if (next === COMMA) break;
      if (next !== closing[depth]) return BROKEN;
      depth -= 1;
    }
    at = skipSpaces(bytes, at);
    if (closing[depth] === CLOSE_OBJECT) at = endOfKey(bytes, at);
    else if (depth === 1) commas += 1;
    if (at === BROKEN || commas >= MAX_ARGUMENTS) return BROKEN;
  }
}

/** As `endOfString`, for one that has no escapes and is short. */
function endOfPlainString(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && SPECIAL[bytes[at] ?? 0] === 0) at += 1;
  return bytes[at] === QUOTE ? at + 1 : BROKEN;
}

/** True if the bytes have these at a position. */
function hasAt(bytes: Buffer, start: number, part: Buffer): boolean {
  if (start + part.length > bytes.length) return false;
  for (let index = 0; index < part.length; index++) if (bytes[start + index] !== part[index]) return false;
  return true;
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
    for (let limit = Math.min(at + SHORT_BYTES, bytes.length); at < limit; ) {
      const byte = bytes[at] ?? 0;
      if (SPECIAL[byte] === 0) {
        at += 1;
        continue;
      }
      if (byte === QUOTE) return at + 1;
      at = byte === BACKSLASH ? endOfEscape(bytes, at) : BROKEN;
      if (at === BROKEN) return BROKEN;
      limit = Math.min(at + SHORT_BYTES, bytes.length);
    }
    if (quote < at) quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) return BROKEN;
    const backslash = bytes.subarray(at, quote).indexOf(BACKSLASH);
    const end = backslash === -1 ? quote : at + backslash;
    if (hasControlCharacter(bytes, at, end)) return BROKEN;
    if (backslash === -1) return quote + 1;
    at = endOfEscape(bytes, end);
    if (at === BROKEN) return BROKEN;
  }
}

/** @param start at the backslash */
function endOfEscape(bytes: Buffer, start: number): number {
  const kind = bytes[start + 1] ?? 0;
  if (kind !== UNICODE_ESCAPE) return ESCAPES[kind] === 1 ? start + 2 : BROKEN;
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
function hasControlCharacter(bytes: Buffer, start: number, end: number): boolean {
  const skew = (bytes.byteOffset + start) % 4;
  const first = Math.min(start + ((4 - skew) % 4), end);
  const count = Math.floor((end - first) / 4);
  const words = new Int32Array(bytes.buffer, count === 0 ? 0 : bytes.byteOffset + first, count);
  for (let index = 0; index < count; index++) {
    const word = words[index] ?? 0;
    if (((word - 0x20202020) & ~word & 0x80808080) !== 0) return true;
  }
  for (let at = start; at < first; at++) if ((bytes[at] ?? 0) < SPACE) return true;
  for (let at = first + count * 4; at < end; at++) if ((bytes[at] ?? 0) < SPACE) return true;
  return false;
}

function tableOf(bytes: Iterable<number>): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
}
