import type { Server, Socket } from 'node:net';
import type { CallProgress } from '@a2c-smcp/agent';
import { isObject, type Json, within } from '@a2c-smcp/core';
import { ErrorCode, SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import type { OfficeAgent } from '../office-agent.ts';
import { MessageSocket } from './message-socket.ts';
import { SEAT_EVENTS, SEAT_METHODS, SEAT_PROTOCOL } from './seat-messages.ts';

const CLOSE_TIMEOUT_MS = 200;

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
    const calls = new Map<unknown, AbortController>();
    const socket = new MessageSocket(raw, message => {
      if (message.type === 'cancel') calls.get(message.id)?.abort();
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

  async #answer(socket: MessageSocket, { id, method, args, options }: Json, calls: Map<unknown, AbortController>) {
    const call = new AbortController();
    calls.set(id, call);
    const progressed = (report: CallProgress) => socket.send({ type: 'progress', id, report });
    // Before the request is passed on: one that was not accepted can be repeated.
    socket.send({ type: 'accepted', id });
    try {
      const known = SEAT_METHODS.find(name => name === method);
      if (!known || !this.#agent || !Array.isArray(args)) throw new SmcpError(ErrorCode.BadRequest, 'Unknown request');
      const request = this.#agent[known].bind(this.#agent) as (...all: unknown[]) => Promise<unknown>;
      const { wantsProgress, ...given } = isObject(options) ? options : {};
      const onProgress = wantsProgress === true && { onProgress: progressed };
      const value = await request(...args, { ...given, ...onProgress, signal: call.signal });
      socket.send({ type: 'result', id, value });
    } catch (error) {
      socket.send({ type: 'error', id, ...toErrorPayload(error) });
    } finally {
      calls.delete(id);
    }
  }
}

/** Errors have no fields that JSON would write. */
function plainPayload(payload: object): object {
  return 'error' in payload ? { ...payload, error: toErrorPayload(payload.error) } : payload;
}
