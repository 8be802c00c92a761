import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Server as Engine } from 'engine.io';
import { type Refusal, refuseRequest, refuseUpgrade } from './gate.ts';

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export interface FrontDoorOptions {
  /** The HTTP path that leads to Engine.IO, with a slash at its end. */
  path: string;
  engine: Engine;
  /** True if a request must not get any further. */
  inspect: (request: IncomingMessage) => Refusal | undefined;
  /** The same for all other paths. Absent when another handler answers them. */
  inspectOther?: (request: IncomingMessage) => Refusal | undefined;
  /** Answers requests to all other paths. */
  onOther: RequestListener;
  onRefused: (refusal: Refusal, request: IncomingMessage) => void;
  /** Called with an error that was thrown while a request was answered. The connection is cut. */
  onFailed: (error: unknown, request: IncomingMessage) => void;
}

/** The paths of front doors that are open, by their listener for upgrades. */
const openDoors = new WeakMap<object, string>();

/** Throws if another server of Socket.IO, or of ours, answers the path: its clients would be taken away from it. */
export function refuseRivals(http: HttpServer, path: string): void {
  for (const listener of http.listeners('upgrade')) {
    // Engine.IO does not expose its path. It is this one by default, and the option is in the source of its listener.
    const isEngine = path === '/socket.io/' && /destroyUpgrade/.test(String(listener));
    if (!isEngine && openDoors.get(listener) !== path) continue;
    throw new TypeError(
      `This HTTP server has a Socket.IO server already, which would lose the clients of '${path}': ` +
        "give SmcpServer.attach that server of Socket.IO instead, or the option path: '/a2c/' here and in all clients",
    );
  }
}

/**
 * Stands before Engine.IO, for polling and for WebSockets alike, so that a refused handshake never reaches a handler of
 * Socket.IO. Takes over the `request` listeners of the HTTP server; returns a function that gives them back.
 */
export function openFrontDoor(http: HttpServer, options: FrontDoorOptions): () => void {
  const { path, engine, inspect, inspectOther, onOther, onRefused, onFailed } = options;
  const isOurs = ({ url = '' }: IncomingMessage) => `${url.split('?', 1)[0]}/`.startsWith(path);
  const refused = (request: IncomingMessage) => {
    const refusal = isOurs(request) ? inspect(request) : inspectOther?.(request);
    if (refusal) onRefused(refusal, request);
    return refusal;
  };

  const onRequest: RequestListener = (request, response) => {
    if (!inspectOther && !isOurs(request)) return onOther(request, response);
    try {
      answerRequest(request, response);
    } catch (error) {
      onFailed(error, request);
      response.destroy();
    }
  };

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    try {
      answerUpgrade(request, socket, head);
    } catch (error) {
      onFailed(error, request);
      socket.destroy();
    }
  };

  const answerRequest: RequestListener = (request, response) => {
    const refusal = refused(request);
    if (refusal) refuseRequest(response, refusal);
    else if (!isOurs(request)) onOther(request, response);
    else engine.handleRequest(request as Parameters<Engine['handleRequest']>[0], response);
  };

  const answerUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isOurs(request)) {
      const refusal = refused(request);
      if (refusal) refuseUpgrade(socket, refusal);
      else engine.handleUpgrade(request as Parameters<Engine['handleUpgrade']>[0], socket, head);
    } else if (http.listenerCount('upgrade') === 1) {
      socket.destroy();
    }
  };

  const taken = http.listeners('request') as RequestListener[];
  http.removeAllListeners('request');
  http.on('request', onRequest).on('upgrade', onUpgrade);
  openDoors.set(onUpgrade, path);
  return () => {
    http.off('request', onRequest).off('upgrade', onUpgrade);
    for (const listener of taken) http.on('request', listener);
  };
}
