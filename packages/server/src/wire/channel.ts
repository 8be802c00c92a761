import { type FrameHead, parseMessage, readHead, writeHead } from '@a2c-smcp/core';
import { SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import type { Socket as Connection } from 'engine.io';
import { tooLarge } from '../limits.ts';
import { endConnection, webSocketOf } from './engine-io.ts';
import { encodeFrame } from './frames.ts';
import { isMessage, readRequest } from './json-scan.ts';
import type { BatchingWebSocket } from './ws.ts';

/** The arguments of an event or an answer as a JSON array: valid, and within the limits. Bytes are UTF-8. */
export type Arguments = string | Buffer;

/** An event of a peer. */
export interface Message {
  event: unknown;
  /** The first argument, of a request perhaps only the fields by which it is routed: `json` is what is sent on. */
  body: unknown;
  /** The event and its body, as they arrived. */
  json: Arguments;
  /** Why the event cannot be read: it exceeds a limit. All else is undefined then. */
  refusal: SmcpError | undefined;
  reply: Reply;
}

/** Sends the answer, if the peer wants one. @param isLone no other message is likely to follow soon */
export type Reply = (answer: Arguments, isLone?: boolean) => void;

export interface MessageLimits {
  /** Bytes of the longest message. */
  messageBytes: number;
  /** Called for a message that is longer. */
  onOversized: () => void;
}

export interface ChannelOptions<S> extends MessageLimits {
  /**
   * Reads from the WebSocket and writes to it directly. Otherwise all messages go through Engine.IO, as they do while a
   * peer polls.
   */
  fastPath: boolean;
  onEvent: (socket: S, message: Message) => void;
  calls: Answered<S>;
  onFailed: (socket: S, error: unknown) => void;
}

/** The calls that wait for an answer. */
interface Answered<S> {
  /** True if an answer is expected from the socket. Others are not read. */
  isPending(socket: S, id: number): boolean;
  answered(id: number, answer: Arguments): void;
}

const [MESSAGE = 0] = Buffer.from('4');

/**
 * The messages of one admitted peer. Socket.IO opens and closes connections and broadcasts to offices, but it neither
 * reads nor writes what is relayed: events and answers pass here, as the JSON they arrived in.
 */
export class Channel<S extends { conn: Connection } = { conn: Connection }> {
  readonly #socket: S;
  readonly #options: ChannelOptions<S>;
  #webSocket?: BatchingWebSocket;
  #isOpen = true;

  constructor(socket: S, options: ChannelOptions<S>) {
    this.#socket = socket;
    this.#options = options;
    this.upgraded();
  }

  /** The connection may be a WebSocket now. */
  upgraded(): void {
    const webSocket = this.#options.fastPath ? webSocketOf(this.#socket.conn) : undefined;
    if (!webSocket || !this.#isOpen) return;
    this.#webSocket = webSocket;
    webSocket.tap = this;
  }

  /** Takes a WebSocket message if it is an event or an answer. The first byte is Engine.IO's. */
  takeFrame(frame: Buffer, isBehind: boolean): boolean {
    return frame[0] === MESSAGE && this.#take(frame, 1, isBehind);
  }

  /** Takes a packet if it is an event or an answer. */
  takePacket(packet: string): boolean {
    return this.#take(packet, 0, true);
  }

  /** Sends an event or an answer. @param isLone no other message is likely to follow soon */
  send(head: string, json: Arguments, isLone = false): void {
    if (!this.#isOpen) return;
    if (this.#webSocket) this.#webSocket.sendText(`4${head}`, json, isLone);
    else this.#socket.conn.send(head + json);
  }

  /** Sends an event that others get too. @param mayWait for further ones to the same peer */
  sendShared(event: SharedEvent, mayWait: boolean): void {
    if (!this.#isOpen) return;
    if (this.#webSocket) this.#webSocket.sendFrame(event.frame, mayWait);
    else this.#socket.conn.send(event.text);
  }

  /** Bytes that the WebSocket has not taken yet; undefined for a peer that polls. */
  get backlog(): number | undefined {
    return this.#webSocket?.backlog;
  }

  /** The peer is not in the namespace any more. */
  close(): void {
    this.#isOpen = false;
    if (this.#webSocket) this.#webSocket.tap = undefined;
  }

  /** @param isBehind handles it in a tick of its own, as Socket.IO handles a DISCONNECT, so that both stay in order */
  #take(packet: Arguments, offset: number, isBehind: boolean): boolean {
    const head = readHead(packet, offset);
    if (!head || !this.#isOpen) return false;
    if (isBehind) process.nextTick(receive, this, head, packet);
    else this.receive(head, packet);
    return true;
  }

  /** Handles a packet. One that is broken or fails unexpectedly costs its sender the connection, never the process. */
  receive({ type, id, start }: FrameHead, packet: Arguments): void {
    if (!this.#isOpen) return;
    const { onEvent, calls, onFailed } = this.#options;
    try {
      if (type === 'event') {
        onEvent(this.#socket, readEvent(packet, start, this.#options, this.#replyTo(id)));
      } else if (id !== undefined && calls.isPending(this.#socket, id)) {
        calls.answered(id, readAnswer(packet, start, this.#options));
      }
    } catch (error) {
      if (!(error instanceof SyntaxError)) onFailed(this.#socket, error);
      endConnection(this.#socket.conn);
    }
  }

  #replyTo(id: number | undefined): Reply {
    return id === undefined ? () => {} : (answer, isLone) => this.send(writeHead('answer', id), answer, isLone);
  }
}

/** An event for several peers: encoded once for all WebSockets, and once for all peers that poll. */
export class SharedEvent {
  readonly #json: Buffer;
  #frame?: Buffer;
  #text?: string;

  /** @param json the event with its arguments */
  constructor(json: Buffer) {
    this.#json = json;
  }

  get frame(): Buffer {
    this.#frame ??= encodeFrame(`4${writeHead('event')}`, this.#json);
    return this.#frame;
  }

  get text(): string {
    this.#text ??= writeHead('event') + this.#json;
    return this.#text;
  }
}

/** One function for all, without a closure for each packet. */
function receive(channel: Pick<Channel, 'receive'>, head: FrameHead, packet: Arguments): void {
  channel.receive(head, packet);
}

/** Reads an event. Throws a `SyntaxError` for broken JSON. */
export function readEvent(packet: Arguments, start: number, limits: MessageLimits, reply: Reply): Message {
  try {
    checkSize(packet, limits);
    const request = typeof packet === 'string' ? undefined : readRequest(packet, start);
    if (request) {
      return { event: request.event, body: request, json: argumentsOf(packet, start), refusal: undefined, reply };
    }
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

/**
 * Checks a message from `start` on; its bytes are known to be UTF-8. Throws a `SyntaxError` when it is not JSON, and 400
 * when it exceeds a limit. It is JSON just when it is as Latin-1, which is read faster.
 */
export function checkJson(message: Buffer, start: number): void {
  if (!isMessage(message, start)) parseMessage(message.toString('latin1', start));
}
