import { parseMessage } from '@a2c-smcp/core';
import { SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import { tooLarge } from '../limits.ts';

/** The arguments of an event or an answer as a JSON array: valid, and within the limits. Bytes are UTF-8. */
export type Arguments = string | Buffer;

/** An event of a peer. */
export interface Message {
  event: unknown;
  /** The first argument. Must not be changed: `json` is what is sent on. */
  body: unknown;
  /** The event and its body, as they arrived. */
  json: Arguments;
  /** Why the event cannot be read: it exceeds a limit. All else is undefined then. */
  refusal: SmcpError | undefined;
  /** Sends the answer, if the peer wants one. */
  reply: (answer: Arguments) => void;
}

export interface MessageLimits {
  /** Bytes of the longest message. */
  messageBytes: number;
  /** Called for a message that is longer. */
  onOversized: () => void;
}

/** Reads an event. Throws a `SyntaxError` for broken JSON. */
export function readEvent(packet: Arguments, start: number, limits: MessageLimits, reply: Message['reply']): Message {
  try {
    checkSize(packet, limits);
    const json = typeof packet === 'string' ? packet.slice(start) : packet.toString('utf8', start);
    const args = parseMessage(json) as unknown[];
    // By index: an iterator costs more in this, the hottest function.
    const event = args[0];
    const body = args[1];
    // Further arguments are not forwarded.
    const forwarded = args.length === 2 ? argumentsOf(packet, start) : encode([event, body], limits.messageBytes);
    return { event, body, json: forwarded, refusal: undefined, reply };
  } catch (refusal) {
    if (!(refusal instanceof SmcpError)) throw refusal;
    return { event: undefined, body: undefined, json: '[]', refusal, reply };
  }
}

/** Reads an answer; one that exceeds a limit becomes an error. Throws a `SyntaxError` for broken JSON. */
export function readAnswer(packet: Arguments, start: number, limits: MessageLimits): Arguments {
  try {
    checkSize(packet, limits);
    if (typeof packet === 'string') parseMessage(packet.slice(start));
    else checkJson(packet, start);
    return argumentsOf(packet, start);
  } catch (error) {
    if (!(error instanceof SmcpError)) throw error;
    return errorAnswer(error);
  }
}

/**
 * The arguments as JSON. Throws 413 when that is more than `messageBytes`: JSON may grow on its way, as `1e20` does to 21
 * digits.
 */
export function encode(args: readonly unknown[], messageBytes: number): string {
  const json = JSON.stringify(args);
  const size = Buffer.byteLength(json);
  if (size > messageBytes) throw tooLarge(size, messageBytes);
  return json;
}

/** The answer that carries an error. */
export function errorAnswer(error: unknown): string {
  return JSON.stringify([toErrorPayload(error)]);
}

function argumentsOf(packet: Arguments, start: number): Arguments {
  return typeof packet === 'string' ? packet.slice(start) : packet.subarray(start);
}

function checkSize(packet: Arguments, { messageBytes, onOversized }: MessageLimits): void {
  // A character is at most three bytes of UTF-8, so most texts need not be measured.
  if (packet.length * (typeof packet === 'string' ? 3 : 1) <= messageBytes) return;
  const size = Buffer.byteLength(packet);
  if (size <= messageBytes) return;
  onOversized();
  throw tooLarge(size, messageBytes);
}

const [QUOTE = 0, BACKSLASH = 0] = Buffer.from('"\\');
const SPACE = 0x20;
/** Bytes from which on a message, or a string in it, is worth the search. */
const LARGE_BYTES = 16_384;
/** Strings of a message that are looked at. */
const MAX_STRINGS = 64;

/**
 * Checks a message from `start` on; its bytes are known to be UTF-8. Throws a `SyntaxError` when it is no JSON, and 400
 * when it exceeds a limit. It is JSON just when it is as Latin-1, which is read faster.
 */
export function checkJson(message: Buffer, start: number): void {
  parseMessage(message.length - start < LARGE_BYTES ? message.toString('latin1', start) : abridged(message, start));
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
  for (let count = 0; count < MAX_STRINGS && open !== -1; count++) {
    const close = message.indexOf(QUOTE, open + 1);
    if (close === -1 || close > end) break;
    if (close - open > LARGE_BYTES && !hasControlCharacter(message, open + 1, close)) {
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
