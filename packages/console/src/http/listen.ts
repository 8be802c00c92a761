import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventFeed } from './event-feed.ts';
import { type ConsoleHandlerOptions, consoleHandler } from './handler.ts';
import { Sessions } from './sessions.ts';
import { Site } from './site.ts';

export interface ListenOptions extends Pick<ConsoleHandlerOptions, 'api' | 'logger'> {
  events: EventFeed;
  /** 0 takes any free one. @default 0 */
  port?: number | undefined;
  files?: Site;
}

/** A console at a port of its own, for this machine only. */
export interface ListeningConsole extends AsyncDisposable {
  /** Without a token. */
  url: string;
  /** An address that opens the console in one browser. */
  issueAddress(): string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
/** A browser that sends a request byte by byte must not hold a connection. */
const REQUEST_TIMEOUT_MS = 30_000;

export async function listenForConsole({
  port = 0,
  files = Site.load(),
  ...options
}: ListenOptions): Promise<ListeningConsole> {
  const sessions = new Sessions();
  let origins: readonly string[] = [];
  const handle = consoleHandler({ ...options, files, sessions, origins: () => origins });
  const http = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    if (!handle(request, response)) response.writeHead(404, { connection: 'close' }).end();
  });
  http.on('upgrade', (_, socket) => {
    // Node has no listener of its own for a socket that it hands over, so a reset would end the process.
    socket.on('error', () => {});
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, HOST, resolve);
  });
  const { port: taken } = http.address() as AddressInfo;
  origins = [`http://${HOST}:${taken}`, `http://localhost:${taken}`];
  const url = `http://${HOST}:${taken}/`;
  const close = async () => {
    options.events.close();
    http.closeAllConnections();
    await new Promise<void>(resolve => http.close(() => resolve()));
  };
  return { url, issueAddress: () => `${url}#token=${sessions.issue()}`, close, [Symbol.asyncDispose]: close };
}
