import { parseMessage } from '@a2c-smcp/core';
import { ErrorCode, type ErrorPayload, SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import type { Dispatch } from '../dispatch.ts';
import { tooLarge } from '../limits.ts';
import type { Lane, PeerSocket } from '../sockets.ts';
import { checkJson } from './check-json.ts';
import { UNREADABLE } from './parser.ts';
import { Verbatim } from './verbatim.ts';
import { type BatchingWebSocket, webSocketOf } from './web-socket.ts';

type Answer = (...answer: unknown[]) => void;

export interface FastLaneOptions {
  dispatch: Dispatch;
  /** The longest message that is taken. */
  messageBytes: number;
  onOversized: () => void;
}

const EVENT = Buffer.from('42/smcp,');
const ACKNOWLEDGEMENT = Buffer.from('43/smcp,');
const REQUEST = Buffer.from('["client:');
const ARGUMENTS = Buffer.from('[');
const [ZERO = 0, NINE = 0] = Buffer.from('09');
const DIGITS = 15;
/** Socket.IO counts its own calls from 0, so that the answers to both are told apart. All fit 31 bits. */
const FIRST_ID = 2 ** 30;
/** One count for all: a Computer that comes back may answer what it was asked over its last connection. */
let lastId = 0;

/** Opens the fast lane of a peer as soon as its connection is a WebSocket. */
export function openFastLane(socket: PeerSocket, options: FastLaneOptions): void {
  const webSocket = webSocketOf(socket.conn);
  if (webSocket) socket.data.lane = new FastLane(socket, webSocket, options);
  else socket.conn.once('upgrade', () => socket.connected && openFastLane(socket, options));
}

/**
 * The way of relayed calls past Engine.IO and Socket.IO: from one WebSocket to another, as the bytes they arrived in.
 *
 * It takes a request `42/smcp,7["client:…",{…}]` and the answer `43/smcp,7[…]` to one it has sent, if they are valid
 * JSON and not too long. Everything else goes the plain way, which treats any message the same: what is broken costs its
 * sender the connection there. A request is dispatched and answered by the same rules on both ways, in the order of
 * arrival, and the two ways meet in any combination.
 */
export class FastLane implements Lane {
  readonly #socket: PeerSocket;
  readonly #webSocket: BatchingWebSocket;
  readonly #options: FastLaneOptions;
  /** What to do with the answers to come. Idle peers, most of all, have no use for it. */
  #waiting?: Map<number, Answer>;

  constructor(socket: PeerSocket, webSocket: BatchingWebSocket, options: FastLaneOptions) {
    this.#socket = socket;
    this.#webSocket = webSocket;
    this.#options = options;
    webSocket.tap = this;
  }

  ask(_event: string, { json }: Verbatim, answer: Answer): () => void {
    const id = FIRST_ID + (lastId++ % FIRST_ID);
    this.#waiting ??= new Map();
    this.#waiting.set(id, answer);
    this.#webSocket.sendText(`42/smcp,${id}`, json);
    return () => this.#waiting?.delete(id);
  }

  close(): void {
    this.#webSocket.tap = undefined;
    this.#waiting = undefined;
  }

  /** Deals with a message if it is a request or an answer to one. */
  take(message: Buffer): boolean {
    const isEvent = holds(message, EVENT, 0);
    if (!isEvent && !holds(message, ACKNOWLEDGEMENT, 0)) return false;
    let start = EVENT.length;
    let id = 0;
    for (let byte = message[start] ?? 0; byte >= ZERO && byte <= NINE; byte = message[++start] ?? 0) {
      id = id * 10 + byte - ZERO;
    }
    if (start === EVENT.length || start > EVENT.length + DIGITS) return false;
    return isEvent ? this.#takeRequest(message, id, start) : this.#takeAnswer(message, id, start);
  }

  #takeRequest(message: Buffer, id: number, start: number): boolean {
    if (message.length > this.#options.messageBytes || !holds(message, REQUEST, start)) return false;
    const args = parse(message.toString('utf8', start));
    if (args instanceof SmcpError) {
      process.nextTick(this.#options.dispatch, this.#socket, UNREADABLE, [toErrorPayload(args), this.#answer(id)]);
      return true;
    }
    // A request is an event with one argument. Whatever else there is would be forwarded with it.
    if (args?.length !== 2) return false;
    const [event, body] = args;
    const request = new Verbatim(message.subarray(start), body);
    process.nextTick(this.#options.dispatch, this.#socket, event, [request, this.#answer(id)]);
    return true;
  }

  #takeAnswer(message: Buffer, id: number, start: number): boolean {
    const waiting = this.#waiting?.get(id);
    if (!waiting) return this.#takeLateAnswer(id);
    if (!holds(message, ARGUMENTS, start)) return false;
    const answer = this.#read(message, start);
    if (!answer) return false;
    this.#waiting?.delete(id);
    process.nextTick(waiting, answer);
    return true;
  }

  /** An answer that is not waited for any more is dropped unread, but shows that the Computer is alive. */
  #takeLateAnswer(id: number): boolean {
    if (id < FIRST_ID) return false;
    this.#socket.data.unanswered = 0;
    return true;
  }

  #read(message: Buffer, start: number): Verbatim | ErrorPayload | undefined {
    const { messageBytes, onOversized } = this.#options;
    try {
      if (message.length > messageBytes) throw tooLarge(message.length, messageBytes);
      checkJson(message, start);
      return new Verbatim(message.subarray(start));
    } catch (error) {
      if (!(error instanceof SmcpError)) return undefined;
      if (error.code === ErrorCode.TooLarge) onOversized();
      return toErrorPayload(error);
    }
  }

  #answer(id: number): Answer {
    return (...answer) => {
      const [first] = answer;
      const json = first instanceof Verbatim ? first.json : JSON.stringify(answer);
      this.#webSocket.sendText(`43/smcp,${id}`, json);
    };
  }
}

/** Whether the bytes stand in the message at that place. In a loop, since so few are compared. */
function holds(message: Buffer, bytes: Buffer, start: number): boolean {
  for (let index = 0; index < bytes.length; index++) if (message[start + index] !== bytes[index]) return false;
  return true;
}

/** The error when the message exceeds a limit; undefined when it is no JSON. */
function parse(json: string): unknown[] | SmcpError | undefined {
  try {
    // The caller has seen the opening bracket.
    return parseMessage(json) as unknown[];
  } catch (error) {
    return error instanceof SmcpError ? error : undefined;
  }
}
