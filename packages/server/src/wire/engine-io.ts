import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket as Connection, Server as Engine, transports } from 'engine.io';
import { BatchingWebSocket, BatchingWebSocketServer } from './ws.ts';

/** Everything that needs private parts of Engine.IO is in this file. Its version is pinned in the package. */

/** The parts of Engine.IO's polling transport that its types hide. */
interface PollingTransport {
  maxHttpBufferSize: number;
  /** Milliseconds that a client has to fetch the last messages when the connection is closed. */
  closeTimeout: number;
  /** The answer to the current poll. */
  res?: ServerResponse | null;
  /** Decodes the body of a request, packets joined by U+001E. */
  onData(body: string): void;
}

/** True if the installed Engine.IO lets requests of polling clients be bounded. Without that they are not served. */
export const canBoundPolling = hasPollingParts();

function hasPollingParts(): boolean {
  try {
    const transport = transports.polling({ _query: { EIO: '4' } } as never) as unknown as PollingTransport;
    return typeof transport.onData === 'function' && 'closeTimeout' in transport;
  } catch {
    return false;
  }
}

export interface EngineOptions {
  messageBytes: number;
  allowedOrigins: readonly string[];
  pingInterval: number;
  pingTimeout: number;
  /** The first characters of the ids of connections. */
  tag?: string | undefined;
}

export function createEngine({
  messageBytes,
  allowedOrigins,
  pingInterval,
  pingTimeout,
  tag = '',
}: EngineOptions): Engine {
  const engine = new Engine({
    pingInterval,
    pingTimeout,
    ...(canBoundPolling ? {} : { transports: ['websocket'] }),
    // Twice the limit, so that a message somewhat too long is answered with an error, not cut off.
    maxHttpBufferSize: messageBytes * 2,
    perMessageDeflate: false,
    wsEngine: BatchingWebSocketServer,
    httpCompression: false,
    ...(allowedOrigins.length > 0 ? { cors: { origin: [...allowedOrigins], credentials: true } } : {}),
  });
  // The handshake announces the real limit.
  engine.opts.maxHttpBufferSize = messageBytes;
  if (tag !== '') {
    const { generateId } = engine;
    engine.generateId = request => tag + generateId.call(engine, request);
  }
  return engine;
}

/** True if Engine.IO knows a connection by this id. */
export function hasConnection(engine: Engine, sid: string): boolean {
  const { clients } = engine as unknown as { clients: Record<string, unknown> };
  return Object.hasOwn(clients, sid);
}

/** The part of a request that Socket.IO reads for each socket. Shared, so that idle connections do not each have one. */
export const EMPTY_REQUEST = Object.freeze({
  headers: Object.freeze({}),
  connection: Object.freeze({}),
  _query: Object.freeze({}),
});

/** Releases the request of a handshake, which is large, except for the headers if they are needed again. */
export function releaseRequest(connection: Connection, headers?: IncomingMessage['headers']): void {
  Object.assign(connection, { request: headers ? { ...EMPTY_REQUEST, headers } : EMPTY_REQUEST });
}

/** The WebSocket under a connection, unless it polls. */
export function webSocketOf({ transport }: Connection): BatchingWebSocket | undefined {
  const { socket } = transport as { socket?: unknown };
  return socket instanceof BatchingWebSocket ? socket : undefined;
}

type OnClose = (this: Connection, reason: string, description?: Error) => void;

const { onClose } = Connection.prototype as unknown as { onClose: OnClose };

/**
 * Has a connection be closed for a missing heartbeat only after what has arrived is read. The event loop may have been
 * busy for longer than the client had time, and runs timers before it reads: all connections would be closed at once, and
 * their clients reconnect to a Server that is busy already.
 */
export function readBeforeTimeout(connection: Connection): void {
  Object.assign(connection, { onClose: closeUnlessHeard });
}

const closeUnlessHeard: OnClose = function (reason, description) {
  if (reason !== 'ping timeout') {
    onClose.call(this, reason, description);
    return;
  }
  const closing = setImmediate(() => {
    this.off('heartbeat', onHeard);
    onClose.call(this, reason, description);
  });
  const onHeard = () => clearImmediate(closing);
  this.once('heartbeat', onHeard);
};

/** Closes a connection, and cuts it when its client does not take part: the WebSocket would wait for 30 s. */
export function endConnection(connection: Connection): void {
  connection.close();
  const timer = setTimeout(() => cutConnection(connection), CLOSE_TIMEOUT_MS).unref();
  connection.once('close', () => clearTimeout(timer));
}

/** Ends a connection without a closing handshake, in which a peer that does not read would not take part either. */
export function cutConnection(connection: Connection): void {
  const webSocket = webSocketOf(connection);
  if (webSocket) webSocket.terminate();
  else connection.close(true);
}

export interface PollingBounds {
  /** Bytes of one HTTP request. */
  maxBytes: number;
  /** Packets in one HTTP request. */
  maxPackets: number;
}

/** Milliseconds that a client has to take part in closing, or to read the last answers. Engine.IO would wait for 30 s. */
const CLOSE_TIMEOUT_MS = 1000;

/** Bounds one HTTP request of a client without a WebSocket. */
export function boundPolling(connection: Connection, bounds: PollingBounds, onExceeded: () => void): void {
  const transport = pollingOf(connection);
  const { onData } = Object.getPrototypeOf(transport) as PollingTransport;
  transport.maxHttpBufferSize = bounds.maxBytes;
  transport.closeTimeout = CLOSE_TIMEOUT_MS;
  transport.onData = body => {
    if (hasMorePackets(body, bounds.maxPackets)) onExceeded();
    else onData.call(transport, body);
  };
}

/**
 * Calls back with the bytes that wait for a client, whenever they change: for its next poll, and in answers to polls that
 * it does not read. It may poll again over another TCP connection meanwhile.
 */
export function followPolling(connection: Connection, onWaiting: (bytes: number) => void): void {
  let waiting = 0;
  const unread = new Map<ServerResponse, number>();
  const report = () => onWaiting([...unread.values()].reduce((sum, bytes) => sum + bytes, waiting));
  connection.on('packetCreate', (packet: { data?: string | { length: number } }) => {
    waiting += packet.data?.length ?? 0;
    report();
  });
  // All queued packets become the answer to the current poll.
  connection.on('flush', () => {
    const { res: response } = pollingOf(connection);
    if (response && waiting > 0) {
      unread.set(response, waiting);
      response.once('close', () => {
        unread.delete(response);
        report();
      });
    }
    waiting = 0;
    report();
  });
  connection.once('close', () => {
    if (unread.size === 0) return;
    setTimeout(() => {
      for (const response of unread.keys()) response.destroy();
    }, CLOSE_TIMEOUT_MS).unref();
  });
}

function pollingOf({ transport }: Connection): PollingTransport {
  return transport as unknown as PollingTransport;
}

function hasMorePackets(body: string, maxPackets: number): boolean {
  let packets = 1;
  for (let at = body.indexOf('\x1e'); at !== -1 && packets <= maxPackets; at = body.indexOf('\x1e', at + 1)) packets++;
  return packets > maxPackets;
}
