import { type FrameHead, readHead, writeHead } from '@a2c-smcp/core';
import type { Socket as Connection } from 'engine.io';
import { endConnection, webSocketOf } from './engine-io.ts';
import { type Arguments, type Message, type MessageLimits, readAnswer, readEvent } from './message.ts';
import type { BatchingWebSocket } from './ws.ts';

export interface ChannelOptions<S> extends MessageLimits {
  /**
   * Reads from the WebSocket and writes to it directly. Otherwise all messages go through Engine.IO, as they do while a
   * peer polls.
   */
  fastPath: boolean;
  onEvent: (socket: S, message: Message) => void;
  /** Whether an answer is expected from the socket. Others are not read. */
  isPending: (socket: S, id: number) => boolean;
  onAnswer: (socket: S, id: number, answer: Arguments) => void;
  onFailed: (socket: S, error: unknown) => void;
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
  takeFrame(frame: Buffer): boolean {
    return frame[0] === MESSAGE && this.#take(frame, 1);
  }

  /** Takes a packet if it is an event or an answer. */
  takePacket(packet: string): boolean {
    return this.#take(packet, 0);
  }

  /** Sends an event or an answer. */
  send(head: string, json: Arguments): void {
    if (!this.#isOpen) return;
    if (this.#webSocket) this.#webSocket.sendText(`4${head}`, json);
    else this.#socket.conn.send(head + json);
  }

  /** The peer is not in the namespace any more. */
  close(): void {
    this.#isOpen = false;
    if (this.#webSocket) this.#webSocket.tap = undefined;
  }

  #take(packet: Arguments, offset: number): boolean {
    const head = readHead(packet, offset);
    if (!head || !this.#isOpen) return false;
    // In a tick of its own, as Socket.IO handles a DISCONNECT, so that both stay in order.
    process.nextTick(receive, this, head, packet);
    return true;
  }

  /** Handles a packet. One that is broken or fails unexpectedly costs its sender the connection, never the process. */
  receive({ type, id, start }: FrameHead, packet: Arguments): void {
    if (!this.#isOpen) return;
    const { onEvent, isPending, onAnswer, onFailed } = this.#options;
    try {
      if (type === 'event') {
        onEvent(this.#socket, readEvent(packet, start, this.#options, this.#replyTo(id)));
      } else if (id !== undefined && isPending(this.#socket, id)) {
        onAnswer(this.#socket, id, readAnswer(packet, start, this.#options));
      }
    } catch (error) {
      if (!(error instanceof SyntaxError)) onFailed(this.#socket, error);
      endConnection(this.#socket.conn);
    }
  }

  #replyTo(id: number | undefined): (answer: Arguments) => void {
    return id === undefined ? () => {} : answer => this.send(writeHead('answer', id), answer);
  }
}

/** One function for all, without a closure for each packet. */
function receive(channel: Pick<Channel, 'receive'>, head: FrameHead, packet: Arguments): void {
  channel.receive(head, packet);
}
