import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@a2c-smcp/core';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { Server } from '@modelcontextprotocol/server';
import { refuse } from './http-guard.ts';

interface HttpSession {
  transport: NodeStreamableHTTPServerTransport;
  server: Server;
  /** Requests and streams that are not finished. */
  open: number;
  /** When the last of them ended, by `performance.now()`. */
  idleSince: number;
}

export interface HttpSessionsOptions {
  /** A server for one session. */
  create: () => Server;
  maxSessions: number;
  /** Milliseconds without any open request or stream. */
  idleTimeout: number;
  logger: Logger;
}

/**
 * The sessions of clients of 2025. A client that vanishes does not end its session, so idle ones are ended by time and, when
 * there are too many, by age; their calls are cancelled.
 */
export class HttpSessions {
  readonly #options: HttpSessionsOptions;
  /** In the order of their last use. */
  readonly #sessions = new Map<string, HttpSession>();
  /** Sessions that are being opened. */
  #opening = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(options: HttpSessionsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#endIdle(), Math.max(options.idleTimeout / 4, 10));
    this.#timer.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Answers a request of a client of 2025. */
  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (id === undefined) return this.#open(request, response, body);
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    // Clients open a new session after a 404.
    if (!session || typeof id !== 'string') return refuse(response, 404, 'The session has ended: initialize again');
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    track(session, response);
    await session.transport.handleRequest(request, response, body);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#sessions.keys()].map(id => this.#end(id)));
  }

  async #open(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    if (!this.#makeRoom()) {
      response.setHeader('retry-after', '60');
      return refuse(response, 503, 'Too many sessions are open: end one, or try again later');
    }
    this.#opening += 1;
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => void this.#sessions.set(id, session),
      onsessionclosed: id => void this.#sessions.delete(id),
    });
    const session = { transport, server: this.#options.create(), open: 0, idleSince: performance.now() };
    try {
      await session.server.connect(transport);
      track(session, response);
      await transport.handleRequest(request, response, body);
    } finally {
      this.#opening -= 1;
      // A request that did not begin a session was refused.
      if (transport.sessionId === undefined) await session.server.close();
    }
  }

  /** Ends the session that is idle for the longest time if there are too many. Returns whether there is room now. */
  #makeRoom(): boolean {
    if (this.#sessions.size + this.#opening < this.#options.maxSessions) return true;
    for (const [id, { open }] of this.#sessions) {
      if (open > 0) continue;
      void this.#end(id);
      return true;
    }
    return false;
  }

  #endIdle(): void {
    const limit = performance.now() - this.#options.idleTimeout;
    for (const [id, { open, idleSince }] of this.#sessions) if (open === 0 && idleSince < limit) void this.#end(id);
  }

  /** Closing the server cancels its calls. */
  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    try {
      await session?.server.close();
    } catch (error) {
      this.#options.logger.debug('A session could not be closed', { error });
    }
  }
}

function track(session: HttpSession, response: ServerResponse): void {
  session.open += 1;
  response.once('close', () => {
    session.open -= 1;
    session.idleSince = performance.now();
  });
}
