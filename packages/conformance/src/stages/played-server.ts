import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { SMCP_NAMESPACE } from '@a2c-smcp/protocol';
import { Server } from 'socket.io';
import { isYes } from './answers.ts';
import { PlayedConnection } from './played-connection.ts';
import { waitFor } from './wait.ts';

/** A member of the office that the kit plays and that has no connection. */
export interface Resident {
  sid: string;
  name: string;
  role: 'agent' | 'computer';
  office_id: string;
  a2c_version?: string;
}

/** How the played Server decides. A check may change it and must change it back. */
export interface Policy {
  /** The key that is admitted. */
  key: string;
  /** The versions of the body that refuses a client; undefined refuses none. */
  refusal: { min: string; max: string } | undefined;
  /** The answer to a join. */
  joinAnswer: (version: string | undefined) => unknown[];
  /** Connections are refused before anything else, as if the Server were down. */
  down: boolean;
}

/** The first request of a connection. */
export interface Handshake {
  transport: string | undefined;
  version: string | undefined;
  headers: IncomingMessage['headers'];
}

/** Bytes of a message: that of official Servers, and what a client takes for granted that is told nothing. */
export const MESSAGE_BYTES = 1_000_000;

/** A Server that records what a client does, and answers as a check wants it to. */
export class PlayedServer implements AsyncDisposable {
  readonly url: string;
  readonly policy: Policy;
  readonly handshakes: Handshake[] = [];
  readonly connections: PlayedConnection[] = [];
  readonly residents: Resident[] = [];
  /** Called for each client that is admitted, before it has sent anything. */
  onConnection: (connection: PlayedConnection) => void = () => {};
  readonly #io: Server;

  private constructor(url: string, io: Server, policy: Policy) {
    this.url = url;
    this.policy = policy;
    this.#io = io;
  }

  static async listen(key: string): Promise<PlayedServer> {
    const http = createServer();
    const io = new Server(http, { maxHttpBufferSize: MESSAGE_BYTES, serveClient: false });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { port } = http.address() as AddressInfo;
    const policy: Policy = { key, refusal: undefined, joinAnswer: answerOfLine, down: false };
    const server = new PlayedServer(`http://127.0.0.1:${port}`, io, policy);
    server.#guard(http);
    server.#serve();
    return server;
  }

  /** The connection that joined last, once there is one that `matches`. */
  async member(
    matches: (member: PlayedConnection) => boolean,
    milliseconds?: number,
  ): Promise<PlayedConnection | undefined> {
    const look = () =>
      this.connections.findLast(member => member.joined !== undefined && member.isOpen && matches(member));
    return waitFor(look, milliseconds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#io.disconnectSockets(true);
    await this.#io.close();
  }

  /** Checks versions before Socket.IO sees a request, for polling and WebSockets alike. */
  #guard(http: HttpServer): void {
    for (const event of ['request', 'upgrade'] as const) {
      const listeners = http.listeners(event);
      http.removeAllListeners(event);
      http.on(event, (incoming: IncomingMessage, answer: { end(text?: string): unknown }, ...rest: unknown[]) => {
        const refusal = this.#refuse(incoming);
        if (refusal === undefined) for (const listener of listeners) listener.call(http, incoming, answer, ...rest);
        else if (event === 'upgrade') (answer as Duplex).end(toText(refusal));
        else (answer as ServerResponse).writeHead(400, refusal.headers).end(refusal.body);
      });
    }
  }

  #refuse(incoming: IncomingMessage): { headers: Record<string, string>; body: string } | undefined {
    const { searchParams: query } = new URL(incoming.url ?? '/', this.url);
    const version = query.get('a2c_version') ?? undefined;
    if (!query.has('sid'))
      this.handshakes.push({ transport: query.get('transport') ?? undefined, version, headers: incoming.headers });
    if (this.policy.down) return { headers: {}, body: 'down' };
    const { refusal } = this.policy;
    if (refusal === undefined || query.has('sid') || isWithin(version, refusal)) return undefined;
    const body = {
      code: 4008,
      message: `Protocol version ${version} is not compatible with this Server`,
      server_version: refusal.max,
      client_version: version,
      min_supported: refusal.min,
      max_supported: refusal.max,
    };
    const headers = { 'content-type': 'application/json', 'x-a2c-error-code': '4008' };
    return { headers, body: JSON.stringify(body) };
  }

  #serve(): void {
    const namespace = this.#io.of(SMCP_NAMESPACE);
    namespace.use((socket, next) => {
      const { auth, headers } = socket.handshake;
      const isAdmitted = [headers['x-api-key'], auth.token].includes(this.policy.key);
      const refusal = Object.assign(new Error('Unauthorized'), { data: { code: 401, message: 'Unauthorized' } });
      next(isAdmitted ? undefined : refusal);
    });
    namespace.on('connection', socket => {
      const connection = new PlayedConnection(socket);
      this.connections.push(connection);
      this.onConnection(connection);
      socket.on('server:join_office', (request: unknown, ack: unknown) => this.#join(connection, request, ack));
      socket.on('server:leave_office', (_: unknown, ack: unknown) => {
        connection.joined = undefined;
        reply(ack, this.policy.joinAnswer(connection.version));
      });
      socket.on('server:list_room', (request: { req_id?: unknown }, ack: unknown) =>
        reply(ack, [this.#list(connection, request?.req_id)]),
      );
    });
  }

  #join(connection: PlayedConnection, request: unknown, ack: unknown): void {
    const answer = this.policy.joinAnswer(connection.version);
    if (isYes(answer)) connection.joined = request as PlayedConnection['joined'];
    reply(ack, answer);
  }

  #list({ socket, joined, version }: PlayedConnection, req_id: unknown): object {
    if (joined === undefined) return { code: 4104, message: 'Only members may list an office' };
    const own = { sid: socket.id, ...joined, ...(version && { a2c_version: version }) };
    return { sessions: [...this.residents, own], req_id };
  }
}

/** As a Server of the client's line answers a join that succeeds. */
export function answerOfLine(version: string | undefined): unknown[] {
  return version?.startsWith('0.5.') ? [] : [true, null];
}

function reply(ack: unknown, answer: unknown[]): void {
  if (typeof ack === 'function') ack(...answer);
}

function isWithin(version: string | undefined, { min, max }: { min: string; max: string }): boolean {
  const order = (text: string) => text.split('.').reduce((sum, part) => sum * 1000 + Number(part), 0);
  return version !== undefined && order(version) >= order(min) && order(version) <= order(max);
}

function toText({ headers, body }: { headers: Record<string, string>; body: string }): string {
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': String(Buffer.byteLength(body)) });
  return `HTTP/1.1 400 Bad Request\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}
