import {
  type CallOptions,
  type FrameHead,
  PendingCalls,
  parseJson,
  parseMessage,
  type Reply,
  readHead,
  writeHead,
} from '@a2c-smcp/core';
import { ErrorCode, SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import type { Manager } from 'socket.io-client';
import { Decoder, Encoder } from 'socket.io-parser';
import { messageSender, type SendMessage } from './engine-io.ts';

type Engine = Manager['engine'];
// biome-ignore lint/suspicious/noExplicitAny: the wire boundary
type Listener = (...args: any[]) => unknown;

export interface ChannelOptions {
  /** Called with the error of a listener, which harms nothing else. */
  onFailed: (event: unknown, error: unknown) => void;
  /** Called when messages go the slow path because of the installed version of `ws`. */
  onSlow: () => void;
}

interface Pending {
  resolve: (answer: unknown[]) => void;
  reject: (error: unknown) => void;
}

/** Names that Socket.IO uses for events of its own; a message with one is broken. */
const RESERVED = new Set(['connect', 'connect_error', 'disconnect', 'disconnecting', 'newListener', 'removeListener']);

/** Defers the delivery of messages as Socket.IO does, so that they stay in order with its own. */
const { nextTick = queueMicrotask } =
  (globalThis as { process?: { nextTick?: (task: () => void) => void } }).process ?? {};

/**
 * The messages of a peer. Socket.IO connects, upgrades and disconnects; events and answers are read and written here,
 * past it, because Socket.IO's own way costs a peer more than all the rest it does for a call.
 */
export class Channel {
  readonly #pending = new PendingCalls<Pending>({
    onTimeout: ({ reject }) => reject(unanswered('timeout')),
    onAbort: ({ reject }, reason) => reject(reason),
  });
  readonly #listeners = new Map<string, Listener[]>();
  readonly #options: ChannelOptions;
  #fallback: Listener | undefined;
  /** Sends a message on the present connection. */
  #send: SendMessage | undefined;
  /** Events of the present connection that still have to be answered. */
  #unanswered = 0;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /** Calls `listener` with the arguments of every event of that name, and last a function that sends an answer. */
  on(event: string, listener: Listener): void {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  /** Calls `listener` with the name and the arguments of every event that has no listener. */
  onUnknown(listener: Listener): void {
    this.#fallback = listener;
  }

  /** Sends an event that is not answered. Throws a `TypeError` for a payload that is not JSON. */
  emit(event: string, payload: unknown): void {
    const json = JSON.stringify([event, payload]);
    this.#send?.(writeHead('event') + json);
  }

  /** Sends an event and resolves with the arguments of its answer. */
  request(event: string, body: unknown, { timeout, signal }: CallOptions): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (!this.#send) throw unanswered('disconnected');
      const json = JSON.stringify([event, body]);
      const id = this.#pending.add({ resolve, reject }, timeout, signal);
      this.#send(writeHead('event', id) + json, this.#pending.size === 1);
    });
  }

  /** The peer is in the namespace. */
  open(engine: Engine): void {
    this.#send = messageSender(engine, this.#options.onSlow);
    this.#unanswered = 0;
  }

  /** The connection is gone: fails everything that was not answered. */
  close(): void {
    this.#send = undefined;
    for (const { reject } of this.#pending.takeAll()) reject(unanswered('disconnected'));
  }

  /** The head of an event or an answer; undefined for other packets, and while the peer is not in the namespace. */
  headOf(packet: string, offset: number): FrameHead | undefined {
    return this.#send && readHead(packet, offset);
  }

  /** Takes an event or an answer. Throws for a broken one, which closes the connection. */
  receive({ type, id, start }: FrameHead, packet: string): void {
    const args = readArguments(packet.slice(start));
    if (type === 'answer') {
      // An answer that exceeds a limit fails its call at once.
      const answer = args instanceof SmcpError ? [toErrorPayload(refusedAnswer(args))] : args;
      nextTick(() => id !== undefined && this.#pending.take(id)?.resolve(answer));
      return;
    }
    if (!(args instanceof SmcpError) && (typeof args[0] !== 'string' || RESERVED.has(args[0]))) {
      throw new Error('The event has no name');
    }
    nextTick(() => this.#deliver(args, this.#replyTo(id)));
  }

  #deliver(args: unknown[] | SmcpError, reply: Reply): void {
    if (!this.#send) return;
    if (args instanceof SmcpError) {
      reply(toErrorPayload(args));
      return;
    }
    const event = args[0] as string;
    const listeners = this.#listeners.get(event);
    args.push(reply);
    if (!listeners && this.#fallback) this.#call(event, this.#fallback, args);
    for (const listener of listeners ?? []) this.#call(event, listener, args.slice(1));
  }

  #call(event: string, listener: Listener, args: unknown[]): void {
    const { onFailed } = this.#options;
    try {
      const outcome = listener(...args);
      if (outcome instanceof Promise) outcome.catch(error => onFailed(event, error));
    } catch (error) {
      onFailed(event, error);
    }
  }

  /** An answer belongs to the connection on which it was asked for: on another one it would answer something else. */
  #replyTo(id: number | undefined): Reply {
    const send = this.#send;
    if (id !== undefined) this.#unanswered += 1;
    return (...answer) => {
      if (id === undefined || send === undefined || send !== this.#send) return;
      const json = JSON.stringify(answer);
      this.#unanswered -= 1;
      send(writeHead('answer', id) + json, this.#unanswered === 0);
    };
  }
}

function unanswered(reason: 'timeout' | 'disconnected'): SmcpError {
  const message = reason === 'timeout' ? 'It was not answered in time' : 'The connection was lost';
  return new SmcpError(ErrorCode.Timeout, message, { details: { reason } });
}

function refusedAnswer({ message }: SmcpError): SmcpError {
  return new SmcpError(ErrorCode.Internal, `The answer was refused: ${message}`);
}

/** The arguments, or the error when they exceed a limit. Throws a `SyntaxError` for broken JSON. */
function readArguments(json: string): unknown[] | SmcpError {
  try {
    return parseMessage(json) as unknown[];
  } catch (error) {
    if (error instanceof SmcpError) return error;
    throw error;
  }
}

/** For Socket.IO's option `parser`: its own wire format, but events and answers go to the channel. */
export function createParser(channel: Channel): { Encoder: typeof Encoder; Decoder: typeof Decoder } {
  class ChannelDecoder extends Decoder {
    /** Throwing closes the connection. */
    override add(packet: unknown): void {
      if (typeof packet !== 'string') throw new Error('Binary messages are not part of the protocol');
      const head = readHead(packet);
      if (head) {
        channel.receive(head, packet);
        return;
      }
      // Socket.IO would read an event in a form that the channel does not know, and deliver it unbounded.
      if (/^[2356]/.test(packet)) throw new Error('Neither an event nor an answer of the protocol');
      if (!isTooDeep(packet)) super.add(packet);
    }
  }
  return { Encoder, Decoder: ChannelDecoder };
}

/** True if the packet holds JSON that cannot be walked. Broken JSON is left to Socket.IO. */
function isTooDeep(packet: string): boolean {
  const brace = packet.indexOf('{');
  if (brace === -1) return false;
  try {
    parseJson(packet.slice(brace));
    return false;
  } catch (error) {
    return error instanceof SmcpError;
  }
}
