import type { RpcSocket } from '@a2c-smcp/protocol';
import type { PeerSocket } from './connect.ts';
import { corkWrites, type Engine, type WebSocketLike } from './cork.ts';

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
    if (this.#isOpen) this.#send('42/smcp,', [event, payload]);
    else (this.#socket as { emit(event: string, payload: unknown): unknown }).emit(event, payload);
  }

  on(event: string, listener: (...args: unknown[]) => void): void {
    (this.#socket as RpcSocket).on(event, listener);
  }

  timeout(milliseconds: number): ReturnType<RpcSocket['timeout']> {
    if (!this.#isOpen) return this.#socket.timeout(milliseconds);
    return { emit: (event, request, answered) => this.#ask(event, request, milliseconds, answered) };
  }

  get #isOpen(): boolean {
    return this.#webSocket?.readyState === OPEN;
  }

  #ask(event: string, request: unknown, timeout: number, answered: Answered): void {
    const id = FIRST_ID + (this.#lastId++ % FIRST_ID);
    const timer = setTimeout(() => this.#settle(id, new Error('operation has timed out')), timeout);
    this.#waiting.set(id, { answered, timer });
    this.#send(`42/smcp,${id}`, [event, request]);
  }

  #send(head: string, args: readonly unknown[], webSocket = this.#webSocket): void {
    if (webSocket?.readyState === OPEN) this.#write(webSocket, head + JSON.stringify(args));
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
    if (!args) return false;
    if (asked !== undefined) return this.#serve(asked, args);
    nextTick(() => this.#settle(Number(answered), null, args));
    return true;
  }

  #serve(id: string, [event, ...args]: unknown[]): boolean {
    const { listeners: all } = this.#socket as { listeners(event: unknown): ((...args: unknown[]) => void)[] };
    const listeners = all.call(this.#socket, event);
    if (listeners.length === 0) return false;
    // An answer belongs to the connection on which it was asked for: on another one it would answer something else.
    const webSocket = this.#webSocket;
    const answer = (...values: unknown[]) => this.#send(`43/smcp,${id}`, values, webSocket);
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

function parse(json: string): unknown[] | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
