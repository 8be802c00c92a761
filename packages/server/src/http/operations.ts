import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback } from './addresses.ts';
import type { RequestListener } from './front-door.ts';

/** The state of the Server, as `/health` reports it. */
export interface Health {
  status: 'ok' | 'closing';
  /** Seconds since the Server was started. */
  uptime: number;
  connections: number;
  offices: number;
  members: number;
  inFlight: number;
}

export interface OperationsOptions {
  health: () => Health | Promise<Health>;
  metrics: { contentType: string; text(): Promise<string> };
  /** The readers of `/metrics`: programs on this machine, every client, or no client. */
  exposeMetrics: 'local' | 'public' | 'off';
}

/** Answers `/health`, `/ready` and `/metrics`, and everything else with 404. */
export function answerOperations({ health, metrics, exposeMetrics }: OperationsOptions): RequestListener {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?')[0];
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      send(response, 405, { code: 405, message: 'Only GET is possible here' });
    } else if (path === '/health') {
      send(response, 200, await health());
    } else if (path === '/ready') {
      const { status } = await health();
      send(response, status === 'ok' ? 200 : 503, { status });
    } else if (path === '/metrics' && mayRead(request, exposeMetrics)) {
      const text = await metrics.text();
      response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
    } else {
      send(response, 404, { code: 404, message: 'There is nothing here; the protocol is spoken over Socket.IO' });
    }
  };
  return (request, response) => {
    answer(request, response).catch(() => send(response, 500, { code: 500, message: 'The state could not be read' }));
  };
}

/** The state of several workers together; that of the first one is the status. */
export function addHealth(all: readonly Health[]): Health {
  const total = (field: 'connections' | 'offices' | 'members' | 'inFlight') =>
    all.reduce((sum, health) => sum + health[field], 0);
  const { status = 'ok', uptime = 0 } = all[0] ?? {};
  return {
    ...{ status, uptime },
    connections: total('connections'),
    offices: total('offices'),
    members: total('members'),
    inFlight: total('inFlight'),
  };
}

function mayRead(request: IncomingMessage, expose: OperationsOptions['exposeMetrics']): boolean {
  // A proxy on this machine is local, but its clients need not be.
  const isForwarded = request.headers['x-forwarded-for'] !== undefined;
  const isLocal = isLoopback(request.socket.remoteAddress ?? '') && !isForwarded;
  return expose === 'public' || (expose === 'local' && isLocal);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
