import { limitSignal, packetText, settle, type TracedFrame } from '@a2c-smcp/core';
import { type PeerBound, type ServerBound, SMCP_NAMESPACE, type SmcpError } from '@a2c-smcp/protocol';
import { Manager, type Socket } from 'socket.io-client';
import type { Address } from './address.ts';
import { type Channel, createParser } from './channel.ts';
import { guardEngine, ownSockets, releaseSockets } from './engine-io.ts';
import {
  explainHttp,
  explainNamespace,
  explainTls,
  type HttpRefusal,
  unreachable,
  VERSION_CLOSE_CODE,
  versionMismatch,
} from './refusal.ts';

/** A client's socket in the namespace `/smcp`. Messages pass its channel. */
export type PeerSocket = Socket<PeerBound, ServerBound>;

/** How messages travel. `polling` works through every proxy and upgrades to `websocket` when both are allowed. */
export type Transport = 'polling' | 'websocket';

/** Cloudflare Workers have no XMLHttpRequest, by which Engine.IO polls. */
export function defaultTransports(): Transport[] {
  const { userAgent } = (globalThis as { navigator?: { userAgent?: string } }).navigator ?? {};
  return userAgent === 'Cloudflare-Workers' ? ['websocket'] : ['polling', 'websocket'];
}

export interface SocketOptions {
  transports: readonly Transport[];
  auth: Record<string, unknown>;
}

/** Socket.IO's options that its types lack. Deflating small messages costs both ends more than it saves. */
const uncompressed: object = { perMessageDeflate: false };

/**
 * A socket for one connection, not connected yet. It never reconnects by itself: `Peer` makes another one. Its messages
 * go to the channel.
 */
export function createSocket(address: Address, channel: Channel, { transports, auth }: SocketOptions): PeerSocket {
  const { origin, path, query, headers } = address;
  const manager = new Manager<PeerBound, ServerBound>(origin, {
    ...uncompressed,
    autoConnect: false,
    reconnection: false,
    path,
    query,
    extraHeaders: headers,
    transports: [...transports],
    parser: createParser(channel),
  });
  const socket: PeerSocket = manager.socket(SMCP_NAMESPACE, { auth });
  socket.on('connect', () => channel.open(manager.engine)).on('disconnect', () => channel.close());
  return socket;
}

/** Characters of a refusal that are read. */
const MAX_REFUSAL_LENGTH = 64 * 1024;

export interface Handshake {
  /** The largest message the Server takes, in bytes, if it said so. */
  maxPayload?: number;
}

export interface AttemptOptions {
  /** Milliseconds. */
  timeout: number;
  signal: AbortSignal;
  channel: Channel;
  /** Called with every frame of the new connection. */
  trace?: ((frame: Omit<TracedFrame, 'at'>) => void) | undefined;
}

/**
 * Disconnects, and waits at most `limit` milliseconds until what was written has left: the Server learns of the end
 * also when the process ends next.
 */
export async function disconnect(socket: PeerSocket, limit: number): Promise<void> {
  const { engine } = socket.io;
  const closed = settle<void>(
    resolve => {
      engine?.once('close', () => resolve());
      socket.disconnect();
      if (!engine || engine.readyState === 'closed') resolve();
      return undefined;
    },
    { timeout: limit },
  );
  releaseSockets(engine);
  await closed.catch(() => {});
}

/** Tries once to connect. When it fails the socket is disconnected again, and the error says what to do. */
export async function connect(socket: PeerSocket, address: Address, options: AttemptOptions): Promise<Handshake> {
  try {
    return await attempt(socket, address, options);
  } catch (failure) {
    socket.disconnect();
    releaseSockets(socket.io.engine);
    if (failure instanceof SilentRefusal) throw (await askOverHttp(address, options)) ?? failure.otherwise;
    throw failure;
  }
}

function attempt(socket: PeerSocket, address: Address, options: AttemptOptions): Promise<Handshake> {
  const { timeout, signal, channel, trace } = options;
  return settle<Handshake>(
    (resolve, reject) => {
      const handshake: Handshake = {};
      const succeed = () => resolve(handshake);
      // Explains at once: a browser empties the response once this listener has returned.
      const fail = (error: Error) => reject(explain(error, address));
      const close = (_reason: string, details?: unknown) => {
        const isVersion = at(details, 'context', 'code') === VERSION_CLOSE_CODE;
        const failure = isVersion ? new SilentRefusal(versionMismatch(address)) : unreachable(address);
        // When the namespace is refused, Socket.IO closes first and emits the reason a moment later.
        queueMicrotask(() => reject(failure));
      };
      const remember = ({ maxPayload }: Handshake) => {
        handshake.maxPayload = maxPayload;
      };
      socket.on('connect', succeed).on('connect_error', fail);
      ownSockets(socket.io, address);
      socket.connect();
      const { engine } = socket.io;
      guardEngine(engine, channel);
      if (trace) traceEngine(engine, trace);
      engine.on('close', close).on('handshake', remember);
      return () => {
        socket.off('connect', succeed).off('connect_error', fail);
        engine.off('close', close).off('handshake', remember);
      };
    },
    { timeout, timeoutError: () => unreachable(address), signal },
  );
}

function traceEngine(engine: PeerSocket['io']['engine'], trace: NonNullable<AttemptOptions['trace']>): void {
  const report = (direction: 'in' | 'out') => (packet: { type: string; data?: unknown }) => {
    const { id: connection = '', transport } = engine as unknown as { id?: string; transport: { name: string } };
    trace({ direction, transport: transport.name, connection, text: packetText(packet) });
  };
  engine.on('packet', report('in')).on('packetCreate', report('out'));
}

/** A WebSocket was refused in a way that hides the reason. */
class SilentRefusal extends Error {
  /** The error to throw when asking over HTTP does not help either. */
  readonly otherwise: SmcpError;

  constructor(otherwise: SmcpError) {
    super(otherwise.message);
    this.otherwise = otherwise;
  }
}

/** Asks a Server over HTTP: its answer to a refused handshake can be read there. */
async function askOverHttp(address: Address, { timeout, signal }: AttemptOptions): Promise<SmcpError | undefined> {
  const target = new URL(address.path, address.origin.replace(/^ws/, 'http'));
  target.search = new URLSearchParams({ ...address.query, EIO: '4', transport: 'polling' }).toString();
  const limit = limitSignal(signal, timeout);
  const response = await fetch(target, { headers: address.headers, signal: limit }).catch(() => undefined);
  signal.throwIfAborted();
  if (!response || response.ok) return undefined;
  const body = await firstText(response).catch(() => '');
  signal.throwIfAborted();
  return explainHttp({ status: response.status, body, header: name => response.headers.get(name) }, address);
}

/** The beginning of a body, which may have no end. */
async function firstText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (reader && text.length < MAX_REFUSAL_LENGTH) {
    const { value, done } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text;
}

/** Explains Socket.IO's `connect_error`. */
function explain(error: Error, address: Address): SmcpError | SilentRefusal {
  if (at(error, 'type') !== 'TransportError') {
    return error.message === 'timeout' ? unreachable(address, error) : explainNamespace(error, address);
  }
  const status = at(error, 'description');
  const answer = at(error, 'context');
  if (typeof status === 'number' && status > 0) return explainHttp(httpRefusal(status, answer), address);
  // Node has the status of a refused upgrade in its message, a browser has none.
  const said = at(error, 'description', 'message');
  const hidden = error.message === 'websocket error' && (said === undefined || /: 400$/.test(String(said)));
  // Node has the error of the TCP or TLS connection in one of two places, a browser hides it.
  const cause = at(error, 'context', 'statusText') ?? at(error, 'description', 'error');
  const failure = explainTls(cause, address) ?? unreachable(address, error);
  return hidden ? new SilentRefusal(failure) : failure;
}

function httpRefusal(status: number, request: unknown): HttpRefusal {
  const readHeader = at(request, 'getResponseHeader');
  return {
    status,
    body: at(request, 'responseText') ?? at(request, 'response'),
    header: name => (typeof readHeader === 'function' ? readHeader.call(request, name) : null),
  };
}

/** A property of a value of unknown shape. */
function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (found, key) => (typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined),
    value,
  );
}
