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
  health: () => Health;
  metrics: { contentType: string; text(): Promise<string> };
  /** Who may read `/metrics`: programs on this machine, every client, or no client. */
  exposeMetrics: 'local' | 'public' | 'off';
}

/** Answers `/health`, `/ready` and `/metrics`, and everything else with 404. */
export function answerOperations({ health, metrics, exposeMetrics }: OperationsOptions): RequestListener {
  return (request, response) => {
    const path = request.url?.split('?')[0];
    const current = health();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      send(response, 405, { code: 405, message: 'Only GET is possible here' });
    } else if (path === '/health') {
      send(response, 200, current);
    } else if (path === '/ready') {
      send(response, current.status === 'ok' ? 200 : 503, { status: current.status });
    } else if (path === '/metrics' && mayRead(request, exposeMetrics)) {
      metrics.text().then(
        text => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
        () => send(response, 500, { code: 500, message: 'The metrics could not be collected' }),
      );
    } else {
      send(response, 404, { code: 404, message: 'There is nothing here; the protocol is spoken over Socket.IO' });
    }
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
