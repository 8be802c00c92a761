import { randomBytes } from 'node:crypto';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardLogger, type Logger } from '@a2c-smcp/core';
import { toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  InMemoryServerEventBus,
  isLegacyRequest,
  type McpHttpHandler,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import type { Office } from '../office.ts';
import { httpGuard, readBody, refuse } from './http-guard.ts';
import { HttpSessions } from './http-sessions.ts';
import { officeServer } from './mcp-server.ts';

const PATH = '/mcp';
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
/** Milliseconds in which the head, and then the whole of a request must have arrived. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_CONNECTIONS = 1000;
/** Milliseconds after which the system looks whether the other side of a silent stream still exists. */
const KEEP_ALIVE_MS = 30_000;

export interface HttpOptions {
  /** 0 takes a free one. @default 0 */
  port?: number | undefined;
  /** The address to listen on. @default '127.0.0.1' */
  address?: string | undefined;
  /** Further host names, without port, under which clients reach the bridge. @default none, beside those of loopback */
  hostNames?: readonly string[] | undefined;
  /** The token that clients send as `Authorization: Bearer TOKEN`. @default a random one */
  token?: string | undefined;
  /** Sessions of clients of 2025 at the same time. @default 200 */
  maxSessions?: number | undefined;
  /** Milliseconds after which a session without open requests and streams is ended. @default 1_800_000 */
  idleTimeout?: number | undefined;
  /** @default silent */
  logger?: Logger | undefined;
}

/** An office behind streamable HTTP: clients of 2025 in sessions, those of 2026 request by request. */
export class BridgeHttpServer implements AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly #http: HttpServer;
  readonly #modern: McpHttpHandler;
  readonly #sessions: HttpSessions;
  readonly #stops: (() => void)[];
  #closed: Promise<void> | undefined;

  private constructor(http: HttpServer, token: string, { office, modern, sessions }: Routes) {
    const { address, port, family } = http.address() as AddressInfo;
    this.url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${PATH}`;
    this.token = token;
    this.#http = http;
    this.#modern = modern;
    this.#sessions = sessions;
    const { notify } = modern;
    this.#stops = [
      office.events.on('tools', () => notify.toolsChanged()),
      office.events.on('prompts', () => notify.promptsChanged()),
      office.events.on('resources', () => notify.resourcesChanged()),
      office.events.on('updated', ({ uri }) => notify.resourceUpdated(uri)),
    ];
  }

  static async listen(office: Office, options: HttpOptions = {}): Promise<BridgeHttpServer> {
    const { port = 0, address = '127.0.0.1', token = randomBytes(24).toString('base64url') } = options;
    const { maxSessions = 200, idleTimeout = 1_800_000 } = options;
    if (token === '') throw new TypeError("'token' must not be empty");
    const logger = guardLogger(options.logger);
    const modern = createMcpHandler(() => officeServer(office, { isSingleRequest: true, logger }), {
      legacy: 'reject',
      bus: watchingBus(office),
    });
    const sessions = new HttpSessions({
      create: () => officeServer(office, { logger }),
      maxSessions,
      idleTimeout,
      logger,
    });
    const routes = { office, modern, sessions, logger };
    const hostNames = [...LOOPBACK_NAMES, ...(options.hostNames ?? [])];
    const http = openServer(routes, httpGuard({ hostNames, token, path: PATH }));
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject);
      http.listen(port, address, resolve);
    });
    // A connection that could not be accepted must not end the process.
    http.on('error', error => logger.warn('A connection could not be accepted', { error }));
    return new BridgeHttpServer(http, token, routes);
  }

  /** Sessions of clients of 2025 that are open. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    for (const stop of this.#stops) stop();
    const ended = new Promise<void>(resolve => this.#http.close(() => resolve()));
    await this.#modern.close();
    await this.#sessions.close();
    this.#http.closeAllConnections();
    await ended;
  }
}

interface Routes {
  office: Office;
  modern: McpHttpHandler;
  sessions: HttpSessions;
  logger: Logger;
}

function openServer(routes: Routes, mayPass: ReturnType<typeof httpGuard>): HttpServer {
  const answer = answerRequests(routes);
  const timeouts = { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS };
  const http = createServer(timeouts, (request, response) => {
    if (!mayPass(request, response)) return;
    answer(request, response).catch(error => {
      // A client that disconnects while its request is read is not a failure.
      if (!request.destroyed) routes.logger.error('A request failed', { error });
      if (!response.headersSent) refuse(response, 500, 'Internal error');
    });
  });
  http.maxConnections = MAX_CONNECTIONS;
  http.on('connection', socket => socket.setKeepAlive(true, KEEP_ALIVE_MS));
  return http;
}

function answerRequests({ modern, sessions }: Routes) {
  const answerModern = toNodeHandler(modern);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    if ('problem' in body) return refuse(response, body.status, body.problem);
    const { value } = body;
    if (await isLegacyRequest(await toWebRequest(request, value), value)) {
      return sessions.handle(request, response, value);
    }
    await answerModern(request, response, value);
  };
}

/** The SDK subscribes once for each client that listens. */
function watchingBus(office: Office): ServerEventBus {
  const bus = new InMemoryServerEventBus();
  return {
    publish: event => bus.publish(event),
    subscribe(listener) {
      const release = office.watch();
      const unsubscribe = bus.subscribe(listener);
      return () => {
        unsubscribe();
        release();
      };
    },
  };
}
