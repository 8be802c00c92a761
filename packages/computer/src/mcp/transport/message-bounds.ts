import { isTooDeep, MAX_NESTING_DEPTH } from '@a2c-smcp/core';
import { type JSONRPCMessage, ProtocolErrorCode, type Transport } from '@modelcontextprotocol/client';
import { JsonMeter } from './json-meter.ts';
import { checkMessages } from './sdk.ts';

/**
 * Longest message of an MCP server: characters of a line, bytes of an HTTP body or of one event of a stream. Lines of a
 * process may be longer, for results with large files, as far as the pool of long messages goes.
 */
export const MAX_MESSAGE_LENGTH = 32 * 1024 * 1024;
/** Characters beyond `MAX_MESSAGE_LENGTH` that the messages of all processes together may have at a time. */
const LONG_MESSAGES_LENGTH = 256 * 1024 * 1024;
const [COMMON, POOL] = [MAX_MESSAGE_LENGTH, LONG_MESSAGES_LENGTH].map(length => `${length / 1024 / 1024} MiB`);
export const TOO_LONG = `It sent a message of more than ${COMMON}`;
export const POOL_EXHAUSTED = `${TOO_LONG}, and beyond that all MCP servers together may send ${POOL} at a time`;

let poolLeft = LONG_MESSAGES_LENGTH;

/** The share of one connection in the pool of long messages. */
export class LongMessage {
  #taken = 0;

  /** True if the message may have this length. */
  reach(length: number): boolean {
    const more = length - MAX_MESSAGE_LENGTH - this.#taken;
    if (more > poolLeft) return false;
    poolLeft -= more;
    this.#taken += more;
    return true;
  }

  /** The message is complete or dropped. */
  release(): void {
    poolLeft += this.#taken;
    this.#taken = 0;
  }
}

/** Values in a message: each takes far more time and memory than its characters. */
export const MAX_VALUES = 1_000_000;
// Not `toLocaleString`, whose tables take 6 MB of every process.
const VALUES = 'more than 1,000,000 values';
export const TOO_MANY_VALUES = `It sent a message of ${VALUES}`;

/** Characters that are measured at once. */
const STEP = 1024 * 1024;

/** Messages in one HTTP body. */
const MAX_BATCH = 100;
const TOO_MANY_MESSAGES = `It sent more than ${MAX_BATCH} messages at once`;

const TOO_DEEP = `nested deeper than ${MAX_NESTING_DEPTH} levels`;

/** Reports a message that was dropped. Its sender is alive and the connection sound. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';

  constructor() {
    super(`A message was ${TOO_DEEP}`);
  }
}

/**
 * Replaces a message that is nested too deeply: an answer by an error for its request, so that the request ends at
 * once. Undefined for any other message, which is to be dropped.
 */
export function withoutDepth(message: unknown): JSONRPCMessage | undefined {
  const { id, method } = Object(message) as { id?: unknown; method?: unknown };
  if (method !== undefined || (typeof id !== 'number' && typeof id !== 'string')) return undefined;
  return refusal(id, `is ${TOO_DEEP}`);
}

/** True if parsing a message would take too long. One of up to `MAX_VALUES` characters need not be asked about. */
export function hasTooManyValues(text: string): boolean {
  const meter = new JsonMeter();
  // Not all at once, which would double the memory of a long message. Only single bytes are looked at.
  for (let at = 0; at < text.length && meter.values <= MAX_VALUES; at += STEP) {
    meter.take(Buffer.from(text.slice(at, at + STEP)));
  }
  return meter.values > MAX_VALUES;
}

/** Why a message, or a part of one, is refused, if it is. */
export function excessOf(meter: JsonMeter): string | undefined {
  if (meter.entries > MAX_BATCH) return TOO_MANY_MESSAGES;
  return meter.values > MAX_VALUES ? TOO_MANY_VALUES : undefined;
}

/** Where an answer bears its id, as most servers write it: before the result or at the end. */
const HEAD = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,\s*"(?:result|error)"/;
const TAIL = /"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;
const EDGE_LENGTH = 200;

/** The error for the request that a message of too many values answers. Undefined when that is not easily found. */
export function withoutValues(text: string): JSONRPCMessage | undefined {
  const id = (HEAD.exec(text.slice(0, EDGE_LENGTH)) ?? TAIL.exec(text.slice(-EDGE_LENGTH)))?.[1];
  return id === undefined ? undefined : refusal(Number(id), `has ${VALUES}`);
}

function refusal(id: string | number, reason: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InternalError, message: `Its answer ${reason}` } };
}

/** Checks every message of one of the SDK's transports, which parse by themselves. Must be called before `connect`. */
export function boundMessages(transport: Transport): void {
  checkMessages(transport, message => {
    const bounded = isTooDeep(message) ? withoutDepth(message) : message;
    if (!bounded) transport.onerror?.(new MessageRefused());
    return bounded;
  });
}
