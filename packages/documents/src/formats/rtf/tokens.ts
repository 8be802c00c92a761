/** A piece of an RTF file. A control symbol is a word of one character. */
export type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'word'; name: string; value: number | undefined }
  | { kind: 'text'; bytes: Uint8Array }
  | { kind: 'binary'; bytes: Uint8Array };

const OPEN = 0x7b;
const CLOSE = 0x7d;
const BACKSLASH = 0x5c;
const QUOTE = 0x27;
const MINUS = 0x2d;
const SPACE = 0x20;
/** Longer words are none. */
const MAX_WORD_LENGTH = 32;
const MAX_DIGITS = 10;

/** The tokens of a file. Line ends mean nothing and are left out. */
export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === OPEN || byte === CLOSE) {
      yield { kind: byte === OPEN ? 'open' : 'close' };
      at += 1;
    } else if (byte === BACKSLASH) {
      const { token, end } = control(bytes, at + 1);
      yield token;
      at = end;
      if (token.kind === 'word' && token.name === 'bin') {
        const length = Math.max(0, Math.min(token.value ?? 0, bytes.length - at));
        yield { kind: 'binary', bytes: bytes.subarray(at, at + length) };
        at += length;
      }
    } else {
      const end = textEnd(bytes, at);
      if (end > at) yield { kind: 'text', bytes: bytes.subarray(at, end) };
      at = Math.max(end, at + 1);
    }
  }
}

/** Where plain text ends: at a brace, a backslash or a line end. */
function textEnd(bytes: Uint8Array, from: number): number {
  let end = from;
  for (; end < bytes.length; end += 1) {
    const byte = bytes[end];
    if (byte === OPEN || byte === CLOSE || byte === BACKSLASH || byte === 0x0a || byte === 0x0d || byte === 0) break;
  }
  return end;
}

function control(bytes: Uint8Array, from: number): { token: RtfToken; end: number } {
  if (bytes[from] === QUOTE) {
    const value = Number.parseInt(latin1(bytes, from + 1, from + 3), 16);
    return Number.isNaN(value)
      ? { token: { kind: 'text', bytes: new Uint8Array() }, end: from + 1 }
      : { token: { kind: 'text', bytes: Uint8Array.of(value) }, end: from + 3 };
  }
  const byte = bytes[from];
  // Second bytes of Chinese and Japanese letters are escaped, too.
  if (byte === OPEN || byte === CLOSE || byte === BACKSLASH)
    return { token: { kind: 'text', bytes: bytes.subarray(from, from + 1) }, end: from + 1 };
  let end = from;
  while (isLetter(bytes[end]) && end - from < MAX_WORD_LENGTH) end += 1;
  if (end === from)
    return { token: { kind: 'word', name: latin1(bytes, from, from + 1), value: undefined }, end: from + 1 };
  const name = latin1(bytes, from, end);
  const digits = end;
  if (bytes[end] === MINUS && isDigit(bytes[end + 1])) end += 1;
  while (isDigit(bytes[end]) && end - digits <= MAX_DIGITS) end += 1;
  const value = end > digits ? Number.parseInt(latin1(bytes, digits, end), 10) : undefined;
  return { token: { kind: 'word', name, value }, end: bytes[end] === SPACE ? end + 1 : end };
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', from, Math.min(to, bytes.length));
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
