import { parseMessage } from '@a2c-smcp/core';

const [QUOTE = 0, BACKSLASH = 0] = Buffer.from('"\\');
const SPACE = 0x20;
/** From how many bytes on a message or a string in it is worth the search. */
const LARGE = 16_384;
/** How many strings of a message are looked at. */
const MOST_STRINGS = 64;

/**
 * Checks a message from `start` on; its bytes are known to be UTF-8. Throws a `SyntaxError` when it is no JSON, and 400
 * when it exceeds a limit. It is JSON just when it is as Latin-1, which is read faster.
 */
export function checkJson(message: Buffer, start: number): void {
  parseMessage(message.length - start < LARGE ? message.toString('latin1', start) : abridged(message, start));
}

/**
 * The message without the contents of long strings, such as images: to make a string of a megabyte, and another one of
 * what it parses to, costs more than all the rest of relaying it. What is left out has been checked. Strings with
 * escapes are not understood here: from the first of them on, everything is left to the parser.
 */
function abridged(message: Buffer, start: number): string {
  const firstEscape = message.indexOf(BACKSLASH, start);
  const end = firstEscape === -1 ? message.length : firstEscape;
  let json = '';
  let from = start;
  let open = message.indexOf(QUOTE, start);
  for (let count = 0; count < MOST_STRINGS && open !== -1; count++) {
    const close = message.indexOf(QUOTE, open + 1);
    if (close === -1 || close > end) break;
    if (close - open > LARGE && !hasControlCharacter(message, open + 1, close)) {
      json += message.toString('latin1', from, open + 1);
      from = close;
    }
    open = message.indexOf(QUOTE, close + 1);
  }
  return json + message.toString('latin1', from);
}

/** Four bytes at a time, each taken for less than a space if subtracting one makes it negative. */
function hasControlCharacter(message: Buffer, start: number, end: number): boolean {
  const skew = (message.byteOffset + start) % 4;
  const first = start + ((4 - skew) % 4);
  const count = Math.floor((end - first) / 4);
  const words = new Int32Array(message.buffer, message.byteOffset + first, count);
  for (let index = 0; index < count; index++) {
    const word = words[index] ?? 0;
    if (((word - 0x20202020) & ~word & 0x80808080) !== 0) return true;
  }
  const isControl = (byte: number) => byte < SPACE;
  return message.subarray(start, first).some(isControl) || message.subarray(first + count * 4, end).some(isControl);
}
