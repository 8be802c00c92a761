import { randomUUID } from 'node:crypto';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, silentLogger } from '@a2c-smcp/core';
import {
  hostHeaderValidation,
  NodeStreamableHTTPServerTransport,
  originValidation,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { DocumentLibrary } from './library.ts';
import { createDocumentsServer } from './server.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_SESSIONS = 100;
const PATH = '/mcp';

export interface HttpOptions {
  library: DocumentLibrary;
  /** 0 takes a free one. @default 0 */
  port?: number | undefined;
  /** The address to listen on. @default '127.0.0.1' */
  address?: string | undefined;
  /**
   * Host names, without port, under which requests are accepted; others may come from a page that a browser was lured to.
   * @default the names of this machine's loopback
   */
  hostNames?: readonly string[] | undefined;
  /** @default silent */
  logger?: Logger | undefined;
}

/** A library behind streamable HTTP: clients of 2025 in sessions, those of 2026 request by request. */
export class DocumentsHttpServer implements AsyncDisposable {
  readonly url: string;
  readonly #http: HttpServer;
  readonly #modern: McpHttpHandler;
  readonly #sessions: Map<string, NodeStreamableHTTPServerTransport>;
  readonly #unfollow: () => void;
  #closed: Promise<void> | undefined;

  private constructor(http: HttpServer, modern: McpHttpHandler, sessions: Sessions, library: DocumentLibrary) {
    const { address, port, family } = http.address() as AddressInfo;
    this.url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${PATH}`;
    this.#http = http;
    this.#modern = modern;
    this.#sessions = sessions;
    this.#unfollow = library.onChange(({ listChanged, updated }) => {
      if (!library.isWatching) return;
      if (listChanged) modern.notify.resourcesChanged();
      for (const uri of [...updated, `dpe://${library.host}`]) modern.notify.resourceUpdated(uri);
    });
  }

  static async listen(options: HttpOptions): Promise<DocumentsHttpServer> {
    const { library, port = 0, address = '127.0.0.1', logger = silentLogger } = options;
    const hostNames = [...(options.hostNames ?? ['localhost', '127.0.0.1', '[::1]'])];
    const sessions: Sessions = new Map();
    const modern = createMcpHandler(() => createDocumentsServer(library, { announce: false, logger }), {
      legacy: 'reject',
    });
    const answer = answerRequests({ library, logger, sessions, modern });
    const [hostIsKnown, originIsKnown] = [hostHeaderValidation(hostNames), originValidation(hostNames)];
    const http = createServer((request, response) => {
      if (!hostIsKnown(request, response) || !originIsKnown(request, response)) return;
      answer(request, response).catch(error => {
        logger.error('A request failed', { error });
        if (!response.headersSent) refuse(response, 500, 'Internal error');
      });
    });
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject);
      http.listen(port, address, resolve);
    });
    return new DocumentsHttpServer(http, modern, sessions, library);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#unfollow();
    const ended = new Promise<void>(resolve => this.#http.close(() => resolve()));
    await this.#modern.close();
    await Promise.all([...this.#sessions.values()].map(transport => transport.close()));
    this.#http.closeAllConnections();
    await ended;
  }
}

type Sessions = Map<string, NodeStreamableHTTPServerTransport>;

interface Routes {
  library: DocumentLibrary;
  logger: Logger;
  sessions: Sessions;
  modern: McpHttpHandler;
}

function answerRequests({ library, logger, sessions, modern }: Routes) {
  const answerModern = toNodeHandler(modern);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.split('?', 1)[0] !== PATH) return refuse(response, 404, `Only ${PATH} is here`);
    const body = await readBody(request);
    if (body === 'too large') return refuse(response, 413, 'The request is too large');
    if (body === 'broken') return refuse(response, 400, 'The request is not JSON');
    if (!(await isLegacyRequest(await toWebRequest(request, body), body))) return answerModern(request, response, body);
    const session = request.headers['mcp-session-id'];
    const known = typeof session === 'string' ? sessions.get(session) : undefined;
    if (known === undefined && session !== undefined) return refuse(response, 404, 'The session has ended');
    const transport = known ?? (await openSession(library, sessions, logger));
    if (typeof session === 'string') renew(sessions, session, transport);
    await transport.handleRequest(request, response, body);
    // A request that did not begin a session was refused, and its transport is of no further use.
    if (transport.sessionId === undefined) await transport.close();
  };
}

async function openSession(
  library: DocumentLibrary,
  sessions: Sessions,
  logger: Logger,
): Promise<NodeStreamableHTTPServerTransport> {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: id => renew(sessions, id, transport),
    onsessionclosed: id => void sessions.delete(id),
  });
  await createDocumentsServer(library, { logger }).connect(transport);
  return transport;
}

/** Makes a session the last to be evicted. Clients that vanish do not end their sessions. */
function renew(sessions: Sessions, id: string, transport: NodeStreamableHTTPServerTransport): void {
  sessions.delete(id);
  sessions.set(id, transport);
  const [[oldest, abandoned] = []] = sessions;
  if (sessions.size <= MAX_SESSIONS || oldest === undefined || abandoned === undefined) return;
  sessions.delete(oldest);
  void abandoned.close();
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return 'too large';
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    return 'broken';
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: message }));
}
