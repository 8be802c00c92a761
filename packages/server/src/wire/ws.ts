import type { IncomingMessage } from 'node:http';
import type { Duplex, Writable } from 'node:stream';
import * as ws from 'ws';
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws';
import { Batch, readFrames, shareReads } from './frames.ts';

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

/** Collects output until it is flushed. */
export interface Sender {
  flush(): void;
}

/** Watches the messages that a WebSocket receives, and the bytes that it has not sent yet. */
export interface Watcher {
  /** Called when more arrived than may. */
  onExceeded(what: 'bytes' | 'messages'): void;
  /** Called after a write with the bytes that the connection has not taken yet, if there are any. */
  onBacklog(bytes: number): void;
}

interface Tap {
  /** Returns whether it has taken the message. @param isBehind whether it must be handled in a tick of its own */
  takeFrame(frame: Buffer, isBehind: boolean): boolean;
}

/**
 * A WebSocket that writes with one system call all text that some input causes, or all of one turn of the event loop. What
 * waits to be written is no longer Engine.IO's to know, so the WebSocket itself watches it.
 */
export class BatchingWebSocket extends WebSocket implements Sender {
  /** Gets every text message first. */
  tap?: Tap;
  /** Called with every text message, in both directions. */
  trace?: (direction: 'in' | 'out', text: string) => void;
  #stream?: Duplex;
  #batch?: Batch;
  /** True if the batch leaves in this turn of the event loop. */
  #isDue = false;
  /** True if Engine.IO has got a message in this tick, which Socket.IO handles in a tick of its own. */
  #isBehind = false;
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
    shareReads(stream);
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
      if (event === 'message') {
        const isTaken = args[1] === false && this.tap?.takeFrame(args[0] as Buffer, this.#isBehind);
        return isTaken || this.#passOn(...args);
      }
    }
    return super.emit(event, ...args);
  }

  /** Leaves a message to Engine.IO. Those behind it are handled behind it. */
  #passOn(...args: unknown[]): boolean {
    const isHeard = super.emit('message', ...args);
    if (!this.#isBehind) {
      this.#isBehind = true;
      process.nextTick(() => {
        this.#isBehind = false;
      });
    }
    return isHeard;
  }

  /** Takes a text message. */
  receive(text: Buffer): void {
    if (this.trace || !this.tap) this.emit('message', text, false);
    else if (this.readyState === WebSocket.OPEN && !this.#isFlooded() && !this.tap.takeFrame(text, this.#isBehind)) {
      this.#passOn(text, false);
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
      this.sendText('', data);
      const sent = rest.at(-1);
      if (typeof sent === 'function') sent();
    } else {
      super.send(data, ...(rest as [Sent]));
    }
  }

  /** Sends a head of ASCII and a body as one message. @param isLone no other is likely to follow soon */
  sendText(head: string, body: string | Buffer, isLone = false): void {
    if (this.trace) this.trace('out', head + body);
    this.#currentBatch(isLone)?.add(head, body);
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
      if (!this.#isDue) departLate(this);
    }
  }

  flush(): void {
    this.#isDue = false;
    const batch = this.#batch;
    const stream = this.#stream;
    this.#batch = undefined;
    if (!batch || !stream?.writable) return;
    batch.write(stream);
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

  #currentBatch(isLone = false): Batch | undefined {
    if (this.readyState !== WebSocket.OPEN) return undefined;
    this.#batch ??= new Batch();
    if (!this.#isDue) {
      this.#isDue = true;
      depart(this, isLone);
    }
    return this.#batch;
  }
}

/** Takes the place of the function of this name, which gets all that arrives. */
function receive(this: Receiver, chunk: Buffer): boolean {
  return handleInput(read, this, chunk);
}

/** Reads the whole text messages at the start and leaves the rest to `ws`, which makes several buffers for each frame. */
function read(receiver: Receiver, chunk: Buffer): boolean {
  const { webSocket } = receiver;
  const start = webSocket && isIdle(receiver) ? readFrames(chunk, webSocket) : 0;
  if (start === chunk.length) return true;
  return Object.getPrototypeOf(receiver).write.call(receiver, start === 0 ? chunk : chunk.subarray(start));
}

/** True if nothing of an unfinished message or frame is kept. */
function isIdle({ writableLength, _bufferedBytes, _state, _fragmented }: Receiver): boolean {
  return writableLength === 0 && _bufferedBytes === 0 && _state === EXPECTS_FRAME && _fragmented === 0;
}

/** Milliseconds that a message may wait for others to the same peer. */
export const LATE_MS = 10;

/** WebSockets whose batch may wait. */
const late = new Set<BatchingWebSocket>();

function departLate(webSocket: BatchingWebSocket): void {
  if (late.size === 0) setTimeout(departAllLate, LATE_MS);
  late.add(webSocket);
}

function departAllLate(): void {
  const webSockets = [...late];
  late.clear();
  for (const webSocket of webSockets) webSocket.flush();
}

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

/** Milliseconds between the end of an input and the next one, if the event loop handles both in one turn. */
const SAME_TURN_MS = 0.02;

/** Senders that the input which is being handled has given something to write. */
let caused: Sender[] = [];
/** Senders that wait for the end of the turn. */
let waiting: Sender[] = [];
let isReading = false;
/** True if the input which is being handled has caused a lone message. */
let isLoneCaused = false;
/** When the last input was handled, in milliseconds of `performance.now()`. */
let handledAt = 0;

/**
 * Has a sender flush soon: behind the input that is being handled, so that a lone message does not wait for a phase of the
 * event loop. If that input follows another one at once, the Server is busy and its messages wait for the end of the turn,
 * as do those that no input has caused: many of them may go to the same peer, and calls to the kernel cost most.
 *
 * @param isLone the Server is not busy, however soon the input has followed another one: on a core that all share, the
 *   answer to a lone message is there as soon as that is written
 */
export function depart(sender: Sender, isLone = false): void {
  if (!isReading) {
    wait(sender);
    return;
  }
  caused.push(sender);
  if (isLone) isLoneCaused = true;
}

/** Handles input. What it causes to be sent leaves behind it. */
export function handleInput<A extends unknown[], T>(handle: (...args: A) => T, ...args: A): T {
  const isBusy = performance.now() - handledAt < SAME_TURN_MS;
  isReading = true;
  try {
    return handle(...args);
  } finally {
    isReading = false;
    if (caused.length > 0) {
      const senders = caused;
      const mayWait = isBusy && !isLoneCaused;
      caused = [];
      isLoneCaused = false;
      for (const sender of senders) {
        if (mayWait) wait(sender);
        else sender.flush();
      }
    }
    handledAt = performance.now();
  }
}

function wait(sender: Sender): void {
  if (waiting.length === 0) setImmediate(departWaiting);
  waiting.push(sender);
}

function departWaiting(): void {
  const senders = waiting;
  waiting = [];
  for (const sender of senders) sender.flush();
}
