import { parseMessage } from '@a2c-smcp/core';
import { SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import { tooLarge } from '../limits.ts';
import { checkJson } from './check-json.ts';

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
  refusal?: SmcpError;
  /** Sends the answer, if the peer wants one. */
  reply: (answer: Arguments) => void;
}

export interface MessageLimits {
  /** Bytes of the longest message. */
  messageBytes: number;
  /** Called for a message that is longer. */
  onOversized: () => void;
}

/** Reads an event. Throws a `SyntaxError` for what is no JSON. */
export function readEvent(packet: Arguments, start: number, limits: MessageLimits): Omit<Message, 'reply'> {
  try {
    checkSize(packet, limits);
    const args = parseMessage(typeof packet === 'string' ? packet.slice(start) : packet.toString('utf8', start));
    const [event, body] = args as unknown[];
    // Further arguments are not forwarded.
    const isWhole = (args as unknown[]).length === 2;
    const json = isWhole ? argumentsOf(packet, start) : encode([event, body], limits.messageBytes);
    return { event, body, json };
  } catch (error) {
    if (!(error instanceof SmcpError)) throw error;
    return { event: undefined, body: undefined, json: '[]', refusal: error };
  }
}

/** Reads an answer; one that exceeds a limit becomes an error. Throws a `SyntaxError` for what is no JSON. */
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

/** The answer that says what went wrong. */
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
