import { isTooDeep, MAX_NESTING_DEPTH } from '@a2c-smcp/protocol';
import { type JSONRPCMessage, ProtocolErrorCode, type Transport } from '@modelcontextprotocol/client';

/** Longest message of an MCP server: characters of a line, bytes of an HTTP body or of one event of a stream. */
export const MAX_MESSAGE_LENGTH = 128 * 1024 * 1024;
export const TOO_LONG = `It sent a message of more than ${MAX_MESSAGE_LENGTH / 1024 / 1024} MiB`;

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
  const error = { code: ProtocolErrorCode.InternalError, message: `Its answer is ${TOO_DEEP}` };
  return { jsonrpc: '2.0', id, error };
}

/**
 * Checks every message of a transport that parses by itself before the listener gets it. The SDK assigns the listener
 * during `connect`, so that this must be called before.
 */
export function boundMessages(transport: Transport): void {
  let listener: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    get: () => listener,
    set: (given: Transport['onmessage']) => {
      listener = given && ((message, extra) => deliver(transport, given, message, extra));
    },
  });
}

type Listener = NonNullable<Transport['onmessage']>;

function deliver(transport: Transport, listener: Listener, ...[message, extra]: Parameters<Listener>): void {
  const bounded = isTooDeep(message) ? withoutDepth(message) : message;
  if (bounded) listener(bounded, extra);
  else transport.onerror?.(new MessageRefused());
}
