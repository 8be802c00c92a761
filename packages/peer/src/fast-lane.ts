import { parseMessage, type RpcSocket } from '@a2c-smcp/core';
import { SmcpError } from '@a2c-smcp/protocol';
import { corkWrites, type Engine, type WebSocketLike } from './cork.ts';
import type { PeerSocket } from './peer-socket.ts';
import { refusedAnswer } from './wire-bounds.ts';

type Answered = (cause: Error | null, ...answer: unknown[]) => void;

interface Waiting {
  answered: Answered;
  timer: ReturnType<typeof setTimeout>;
}

const OPEN = 1;
/** The start of a request, 2, or of an answer, 3, up to its arguments. */
const HEAD = /^4(?:2\/smcp,(\d{1,15})(?=\["client:)|3\/smcp,(\d{1,15})(?=\[))/;
/** Socket.IO counts its own requests from 0, so that the answers to both are told apart. */
const FIRST_ID = 2 ** 30;

/** What Socket.IO defers the delivery of messages with, so that they stay in order with ours. */
const { nextTick = queueMicrotask } =
  (globalThis as { process?: { nextTick?: (task: () => void) => void } }).process ?? {};

/**
 * The way past Engine.IO and Socket.IO, which cost a peer more than all it does itself.
 *
 * It sends everything, so that all stays in order, and takes requests that somebody serves and answers to what it has
 * sent. Everything else, and everything while the connection is no WebSocket, goes the plain way. Messages are the same
 * bytes on both, and whoever sends or serves them cannot tell the difference.
 */
export class FastLane implements RpcSocket {
  readonly #socket: PeerSocket;
  readonly #waiting = new Map<number, Waiting>();
  #webSocket?: WebSocketLike;
  #write: (webSocket: WebSocketLike, text: string) => void = () => {};
  #lastId = 0;

  constructor(socket: PeerSocket) {
    this.#socket = socket;
    socket.on('disconnect', () => this.#close());
  }

  /** Opens the lane of a new connection, as soon as that is a WebSocket. */
  open(engine: Engine): void {
    this.#write = corkWrites(engine);
    this.#tap(engine);
    // What Engine.IO has kept during the upgrade leaves first.
    engine.once('upgrade', () => engine.once('drain', () => this.#socket.connected && this.#tap(engine)));
  }

  /** Sends what is not answered. */
  emit(event: string, payload: unknown): void {
    if (this.#isOpen) this.#send(`42/smcp,${JSON.stringify([event, payload])}`);
    else (this.#socket as { emit(event: string, payload: unknown): unknown }).emit(event, payload);
  }

  on(event: string, listener: (...args: unknown[]) => void): void {
    (this.#socket as RpcSocket).on(event, listener);
  }

  timeout(milliseconds: number): ReturnType<RpcSocket['timeout']> {
    return {
      emit: (event, request, answered) => {
        if (this.#isOpen) return this.#ask(event, request, milliseconds, answered);
        // Throws before Socket.IO keeps the callback of a request that it cannot send.
        JSON.stringify(request);
        return (this.#socket as RpcSocket).timeout(milliseconds).emit(event, request, answered);
      },
    };
  }

  get #isOpen(): boolean {
    return this.#webSocket?.readyState === OPEN;
  }

  #ask(event: string, request: unknown, timeout: number, answered: Answered): void {
    const id = FIRST_ID + (this.#lastId++ % FIRST_ID);
    // First of all, since it throws for what cannot be sent.
    const json = JSON.stringify([event, request]);
    const timer = setTimeout(() => this.#settle(id, new Error('operation has timed out')), timeout);
    this.#waiting.set(id, { answered, timer });
    this.#send(`42/smcp,${id}${json}`);
  }

  #send(message: string, webSocket = this.#webSocket): void {
    if (webSocket?.readyState === OPEN) this.#write(webSocket, message);
  }

  #tap({ transport }: Engine): void {
    const { ws: webSocket } = transport as { ws?: WebSocketLike };
    if (!webSocket) return;
    this.#webSocket = webSocket;
    const pass = webSocket.onmessage;
    webSocket.onmessage = event => {
      if (typeof event.data !== 'string' || !this.#take(event.data)) pass?.call(webSocket, event);
    };
  }

  /** Deals with a message if it is a request or an answer to one. */
  #take(message: string): boolean {
    const [head, asked, answered] = HEAD.exec(message) ?? [];
    if (head === undefined || !this.#socket.connected) return false;
    if (answered !== undefined && !this.#waiting.has(Number(answered))) return false;
    const args = parse(message.slice(head.length));
    // A request that exceeds the limits is refused on the slow path.
    if (args instanceof SmcpError && asked !== undefined) return false;
    if (args instanceof SmcpError) return this.#answer(Number(answered), refusedAnswer(args));
    if (!args) return false;
    return asked === undefined ? this.#answer(Number(answered), args) : this.#serve(asked, args);
  }

  #answer(id: number, args: unknown[]): boolean {
    nextTick(() => this.#settle(id, null, args));
    return true;
  }

  #serve(id: string, [event, ...args]: unknown[]): boolean {
    const { listeners: all } = this.#socket as { listeners(event: unknown): ((...args: unknown[]) => void)[] };
    const listeners = all.call(this.#socket, event);
    if (listeners.length === 0) return false;
    // An answer belongs to the connection on which it was asked for: on another one it would answer something else.
    const webSocket = this.#webSocket;
    const answer = (...values: unknown[]) => this.#send(`43/smcp,${id}${JSON.stringify(values)}`, webSocket);
    nextTick(() => {
      for (const listener of listeners) listener(...args, answer);
    });
    return true;
  }

  #settle(id: number, cause: Error | null, answer: unknown[] = []): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    waiting.answered(cause, ...answer);
  }

  #close(): void {
    this.#webSocket = undefined;
    for (const id of this.#waiting.keys()) this.#settle(id, new Error('socket has been disconnected'));
  }
}

/** The arguments of a message, the refusal of one that exceeds the limits, or undefined for what is no message. */
function parse(json: string): unknown[] | SmcpError | undefined {
  try {
    return parseMessage(json) as unknown[];
  } catch (error) {
    return error instanceof SmcpError ? error : undefined;
  }
}
