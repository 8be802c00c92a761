import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server, type ServerOptions, type Socket } from 'socket.io';

/** A Server of another implementation, played with bare Socket.IO. It does what ours never does. */
export interface ForeignServer extends AsyncDisposable {
  url: string;
  io: Server;
  /** The query strings and headers of every request that was not part of an open session. */
  handshakes: IncomingMessage[];
}

export interface ForeignServerOptions extends Partial<ServerOptions> {
  /** Handles the namespace `/smcp`; without it there is none. */
  connected?: (socket: Socket) => void;
  /** Answers a polling handshake itself and returns true, or returns false. */
  onRequest?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Takes over a WebSocket handshake and returns true, or returns false. */
  onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
}

export async function openForeignServer(options: ForeignServerOptions = {}): Promise<ForeignServer> {
  const { connected, onRequest = () => false, onUpgrade = () => false, ...socketOptions } = options;
  const http = createServer((_, response) => response.writeHead(404).end());
  const io = new Server(http, { serveClient: false, ...socketOptions });
  const handshakes: IncomingMessage[] = [];
  intercept(http, 'request', onRequest, handshakes);
  intercept(http, 'upgrade', onUpgrade, handshakes);
  if (connected) io.of('/smcp').on('connection', connected);
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url,
    io,
    handshakes,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await io.close();
    },
  };
}

/** Answers a join with that acknowledgement and nothing else. */
export function joinAnswers(...ack: unknown[]): (socket: Socket) => void {
  return socket => {
    socket.on('server:join_office', (_, answer) => answer(...ack));
  };
}

type Handler<Args extends unknown[]> = (request: IncomingMessage, ...args: Args) => boolean;

/** Lets `handler` see what opens a session before Socket.IO does. */
function intercept<Args extends unknown[]>(
  http: HttpServer,
  event: 'request' | 'upgrade',
  handler: Handler<Args>,
  handshakes: IncomingMessage[],
): void {
  const listeners = http.listeners(event);
  http.removeAllListeners(event);
  http.on(event, (request: IncomingMessage, ...args: unknown[]) => {
    if (!request.url?.includes('sid=')) {
      handshakes.push(request);
      if (handler(request, ...(args as Args))) return;
    }
    for (const listener of listeners) listener.call(http, request, ...args);
  });
}
