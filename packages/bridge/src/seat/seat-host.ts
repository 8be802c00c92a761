import type { Server, Socket } from 'node:net';
import type { CallAnswer, CallProgress, OnQuestion } from '@a2c-smcp/agent';
import { isObject, type Json, within } from '@a2c-smcp/core';
import { ErrorCode, SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import type { OfficeAgent } from '../office-agent.ts';
import { MessageSocket } from '../socket/message-socket.ts';
import { SEAT_EVENTS, SEAT_METHODS, SEAT_PROTOCOL } from './seat-messages.ts';

const CLOSE_TIMEOUT_MS = 200;
const TOO_LARGE = 'The answer is too large to be passed on to another bridge: ask for less, such as a part or a page';

/** Lets other bridges of this user use the Agent of this process. */
export class SeatHost {
  readonly #server: Server;
  readonly #sockets = new Set<MessageSocket>();
  #agent: OfficeAgent | undefined;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', socket => this.#accept(socket));
    // A connection that could not be accepted is the other bridge's to repeat.
    server.on('error', () => {});
    // Only its Agent and its clients keep a process alive.
    server.unref();
  }

  /** The office is joined: waiting bridges can use it. */
  open(agent: OfficeAgent): void {
    this.#agent = agent;
    for (const socket of this.#sockets) this.#share(socket, agent);
  }

  /** Sends waiting bridges the reason why the office could not be joined. */
  refuse(error: unknown): void {
    for (const socket of this.#sockets) socket.send({ type: 'refused', ...toErrorPayload(error) });
  }

  async close(): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.end();
    // A process that is stopped does not close its end.
    await within(closed, { timeout: CLOSE_TIMEOUT_MS }).catch(() => {});
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(raw: Socket): void {
    const calls = new Map<unknown, HostedCall>();
    const socket = new MessageSocket(raw, message => {
      if (message.type === 'cancel') calls.get(message.id)?.abort();
      if (message.type === 'answer') calls.get(message.id)?.answer(message);
      if (message.type === 'call') void this.#answer(socket, message, calls);
    });
    raw.unref();
    this.#sockets.add(socket);
    socket.onClose(() => {
      this.#sockets.delete(socket);
      for (const call of calls.values()) call.abort();
    });
    socket.send({ type: 'hello', protocol: SEAT_PROTOCOL });
    if (this.#agent) this.#share(socket, this.#agent);
  }

  /** The snapshot and the events after it, without a gap. */
  #share(socket: MessageSocket, agent: OfficeAgent): void {
    const computers = [...agent.computers].map(([name, { tools }]) => [name, tools]);
    socket.send({ type: 'ready', office: agent.office, joined: agent.joined, computers });
    const stops = SEAT_EVENTS.map(name =>
      agent.on(name, payload => {
        // The end of the socket says so.
        if (name === 'connection' && 'type' in payload && payload.type === 'closed') return;
        socket.send({ type: 'event', name, payload: plainPayload(payload), joined: agent.joined });
      }),
    );
    socket.onClose(() => {
      for (const stop of stops) stop();
    });
  }

  async #answer(socket: MessageSocket, { id, method, args, options }: Json, calls: Map<unknown, HostedCall>) {
    const call = new HostedCall(message => socket.send({ ...message, id }));
    calls.set(id, call);
    // Before the request is passed on: one that was not accepted can be repeated.
    socket.send({ type: 'accepted', id });
    try {
      const known = SEAT_METHODS.find(name => name === method);
      if (!known || !this.#agent || !Array.isArray(args)) throw new SmcpError(ErrorCode.BadRequest, 'Unknown request');
      const request = this.#agent[known].bind(this.#agent) as (...all: unknown[]) => Promise<unknown>;
      const { wantsProgress, answersQuestions, ...given } = isObject(options) ? options : {};
      const listeners = {
        ...(wantsProgress === true && { onProgress: call.onProgress }),
        ...(answersQuestions === true && { onQuestion: call.onQuestion }),
      };
      const value = await request(...args, { ...given, ...listeners, signal: call.signal });
      if (!socket.send({ type: 'result', id, value })) throw new SmcpError(ErrorCode.TooLarge, TOO_LARGE);
    } catch (error) {
      socket.send({ type: 'error', id, ...toErrorPayload(error) });
    } finally {
      calls.delete(id);
    }
  }
}

/** A call of another bridge: what happens while it runs goes to that bridge, and its answers come back. */
class HostedCall extends AbortController {
  readonly #send: (message: Json) => void;
  readonly #questions: ((answer: CallAnswer) => void)[] = [];

  constructor(send: (message: Json) => void) {
    super();
    this.#send = send;
  }

  readonly onProgress = (report: CallProgress) => this.#send({ type: 'progress', report });

  readonly onQuestion: OnQuestion = question =>
    new Promise(resolve => {
      this.#send({ type: 'question', number: this.#questions.push(resolve) - 1, question });
    });

  /** The other bridge runs the same version, so its answer is one. */
  answer({ number, answer }: Json): void {
    this.#questions[Number(number)]?.(answer as CallAnswer);
  }
}

/** Errors have no fields that JSON would write. */
function plainPayload(payload: object): object {
  return 'error' in payload ? { ...payload, error: toErrorPayload(payload.error) } : payload;
}
