import type { IncomingMessage } from 'node:http';
import type { Duplex, Writable } from 'node:stream';
import * as ws from 'ws';
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws';
import { Batch, readFrames } from './frames.ts';

/** Bytes that a client may send before it is admitted: enough for any token. */
export const UNADMITTED_BYTES = 64 * 1024;

type Sent = (error?: Error) => void;

/** The part of a WebSocket that reads its frames. */
interface Receiver extends Writable {
  _bufferedBytes: number;
  _state: number;
  _fragmented: number;
  webSocket?: BatchingWebSocket;
}

/** The state in which a receiver expects a new frame. */
const EXPECTS_FRAME = 0;

/** Everything that needs private parts of `ws` is in this file. Its version is pinned in the package. */

/** True if the installed `ws` lets messages be read past it. Without that it reads each itself. */
export const canRead =
  typeof (ws as unknown as { Receiver?: { prototype: Receiver } }).Receiver?.prototype.write === 'function';

/** Watches the messages that a WebSocket receives, and the bytes that it has not sent yet. */
export interface Watcher {
  /** Called when more arrived than may. */
  onExceeded(what: 'bytes' | 'messages'): void;
  /** Called after a write with the bytes that the connection has not taken yet, if there are any. */
  onBacklog(bytes: number): void;
}

interface Tap {
  /** Returns whether it has taken the message. */
  takeFrame(frame: Buffer): boolean;
}

/**
 * A WebSocket that writes all text of one turn of the event loop with one system call: under load many small messages go
 * to the same peer in a turn, and calls to the kernel are what costs most. What waits to be written is no longer
 * Engine.IO's to know, so the WebSocket itself watches it.
 */
export class BatchingWebSocket extends WebSocket {
  /** Gets every text message first. */
  tap?: Tap;
  /** Called with every text message, in both directions. */
  trace?: (direction: 'in' | 'out', text: string) => void;
  #stream?: Duplex;
  #batch?: Batch;
  /** True if the batch leaves in this turn of the event loop. */
  #isDue = false;
  #watcher?: Watcher;
  /** Messages, pings and pongs. */
  #messagesPerSecond = 0;
  /** Stops counting bytes. */
  #uncount?: () => void;
  #received = 0;
  /** Since when messages are counted, in milliseconds. */
  #receivedSince = 0;

  /** Sets the stream to write to. Until it is watched, the WebSocket takes as little as a new connection may send. */
  attach(stream: Duplex): void {
    this.#stream = stream;
    this.limitBytes(UNADMITTED_BYTES);
    const { _receiver } = this as unknown as { _receiver: Receiver };
    if (canRead && isIdle(_receiver)) Object.assign(_receiver, { webSocket: this, write: receive });
  }

  watch(watcher: Watcher, messagesPerSecond: number): void {
    this.#watcher = watcher;
    this.#messagesPerSecond = messagesPerSecond;
    this.#received = 0;
    this.#receivedSince = Math.round(performance.now());
  }

  /**
   * Limits the bytes that are received from now on. `ws` bounds whole messages only, which a client may leave unfinished
   * in any number of connections.
   */
  limitBytes(limit: number | undefined): void {
    this.#uncount?.();
    const stream = this.#stream;
    if (!stream || limit === undefined) return;
    let received = 0;
    let isCounting = true;
    const count = ({ length }: Buffer) => {
      received += length;
      // The messages in this chunk may have ended the limit: an upgrade and a long message arrive together.
      if (!isCounting || received <= limit) return;
      if (this.#watcher) this.#watcher.onExceeded('bytes');
      else stream.destroy();
    };
    stream.on('data', count);
    this.#uncount = () => {
      isCounting = false;
      stream.off('data', count);
      this.#uncount = undefined;
    };
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'message' || event === 'ping' || event === 'pong') {
      // `ws` goes on with the rest of a chunk after the connection was cut.
      if (this.readyState !== WebSocket.OPEN || this.#isFlooded()) return true;
      if (event === 'message' && this.trace) this.trace('in', String(args[0]));
      if (event === 'message' && args[1] === false && this.tap?.takeFrame(args[0] as Buffer)) return true;
    }
    return super.emit(event, ...args);
  }

  /** Takes a text message. */
  receive(text: Buffer): void {
    if (this.trace || !this.tap) this.emit('message', text, false);
    else if (this.readyState === WebSocket.OPEN && !this.#isFlooded() && !this.tap.takeFrame(text)) {
      super.emit('message', text, false);
    }
  }

  /** Looks at the clock only when the messages of a second have arrived. */
  #isFlooded(): boolean {
    const watcher = this.#watcher;
    if (!watcher || ++this.#received < this.#messagesPerSecond) return false;
    const now = Math.round(performance.now());
    const isFlooded = now - this.#receivedSince < 1000;
    if (isFlooded) watcher.onExceeded('messages');
    this.#received = 0;
    this.#receivedSince = now;
    return isFlooded;
  }

  override send(data: Parameters<WebSocket['send']>[0], ...rest: [Sent?] | [object, Sent?]): void {
    if (typeof data === 'string') {
      this.sendText(data, '');
      const sent = rest.at(-1);
      if (typeof sent === 'function') sent();
    } else {
      super.send(data, ...(rest as [Sent]));
    }
  }

  /** Sends a head and a body as one message. */
  sendText(head: string, body: string | Buffer): void {
    if (this.trace) this.trace('out', head + body);
    this.#currentBatch()?.add(head, body);
  }

  /**
   * Sends a message that others get too, as `encodeFrame` has made it. One that may wait leaves with the next message that
   * may not, and at the latest after `LATE_MS`.
   */
  sendFrame(frame: Buffer, mayWait: boolean): void {
    if (this.trace) this.trace('out', textOf(frame));
    if (!mayWait) this.#currentBatch()?.addFrame(frame);
    else if (this.readyState === WebSocket.OPEN) {
      this.#batch ??= new Batch();
      this.#batch.addFrame(frame);
      if (!this.#isDue) late.add(this);
    }
  }

  flush(): void {
    this.#isDue = false;
    const batch = this.#batch;
    const stream = this.#stream;
    this.#batch = undefined;
    if (!batch || !stream?.writable) return;
    const chunks = batch.chunks();
    if (chunks.length > 1) stream.cork();
    for (const chunk of chunks) stream.write(chunk);
    if (chunks.length > 1) stream.uncork();
    this.checkBacklog();
  }

  /** Bytes that the connection has not taken yet. */
  get backlog(): number {
    return this.#stream?.writableLength ?? 0;
  }

  /** Bytes that the connection has taken so far. */
  get taken(): number {
    const { bytesWritten = 0 } = (this.#stream ?? {}) as { bytesWritten?: number };
    return bytesWritten - this.backlog;
  }

  checkBacklog(): void {
    const { backlog } = this;
    if (backlog > 0) this.#watcher?.onBacklog(backlog);
  }

  override close(code?: number, reason?: string | Buffer): void {
    this.flush();
    super.close(code, reason);
  }

  /** A client may send pings and not read the pongs. */
  override pong(...args: Parameters<WebSocket['pong']>): void {
    super.pong(...args);
    this.checkBacklog();
  }

  #currentBatch(): Batch | undefined {
    if (this.readyState !== WebSocket.OPEN) return undefined;
    this.#batch ??= new Batch();
    if (!this.#isDue) {
      this.#isDue = true;
      due.add(this);
    }
    return this.#batch;
  }
}

/**
 * Takes the place of the function of this name, which gets all that arrives. Reads the whole text messages at the start
 * and leaves the rest to `ws`, which makes several buffers for each frame.
 */
function receive(this: Receiver, chunk: Buffer): boolean {
  const { webSocket } = this;
  const start = webSocket && isIdle(this) ? readFrames(chunk, webSocket) : 0;
  if (start === chunk.length) return true;
  return Object.getPrototypeOf(this).write.call(this, start === 0 ? chunk : chunk.subarray(start));
}

/** True if nothing of an unfinished message or frame is kept. */
function isIdle({ writableLength, _bufferedBytes, _state, _fragmented }: Receiver): boolean {
  return writableLength === 0 && _bufferedBytes === 0 && _state === EXPECTS_FRAME && _fragmented === 0;
}

/** Milliseconds that a message may wait for others to the same peer. */
export const LATE_MS = 10;

/** WebSockets with a batch, which leave together: one callback for all of them. */
class Departure {
  #webSockets = new Set<BatchingWebSocket>();
  readonly #schedule: (depart: () => void) => void;

  constructor(schedule: (depart: () => void) => void) {
    this.#schedule = schedule;
  }

  add(webSocket: BatchingWebSocket): void {
    if (this.#webSockets.size === 0) this.#schedule(this.#depart);
    this.#webSockets.add(webSocket);
  }

  readonly #depart = () => {
    const webSockets = this.#webSockets;
    this.#webSockets = new Set();
    for (const webSocket of webSockets) webSocket.flush();
  };
}

const due = new Departure(setImmediate);
const late = new Departure(depart => setTimeout(depart, LATE_MS));

/** The message in a frame. */
function textOf(frame: Buffer): string {
  const length = (frame[1] ?? 0) & 127;
  return frame.toString('utf8', length < 126 ? 2 : length === 126 ? 4 : 10);
}

/** For Engine.IO's option `wsEngine`. */
export class BatchingWebSocketServer extends WebSocketServer<typeof BatchingWebSocket> {
  constructor(options: ServerOptions) {
    super({ ...options, WebSocket: BatchingWebSocket });
  }

  override handleUpgrade(
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
    done: (webSocket: BatchingWebSocket, request: IncomingMessage) => void,
  ): void {
    super.handleUpgrade(request, stream, head, (webSocket, upgraded) => {
      webSocket.attach(stream);
      done(webSocket, upgraded);
    });
  }
}
