import { parseJson } from '@a2c-smcp/core';
import type { Manager } from 'socket.io-client';
import type { Address } from './address.ts';

/** Everything that needs private parts of engine.io-client is in this file. Its version is pinned in the package. */

type Engine = Manager['engine'];

interface EnginePacket {
  type: string;
  data?: unknown;
}

/** The parts of an Engine.IO transport that its types hide. */
interface GuardedTransport {
  onPacket(packet: EnginePacket): void;
  onError(reason: string): unknown;
}

const MAX_UPGRADES = 10;
const MAX_SID_LENGTH = 256;

/**
 * Fails a connection for a broken Engine.IO handshake, which Engine.IO reads unchecked: it would end the process. Must be
 * called before anything can arrive.
 */
export function guardEngine(engine: Engine): void {
  let isOpen = false;
  const guard = (transport: GuardedTransport) => {
    const { onPacket } = Object.getPrototypeOf(transport) as GuardedTransport;
    transport.onPacket = packet => {
      if (packet.type === 'open' && (isOpen || !isHandshake(packet.data))) {
        // A second handshake is ignored.
        if (!isOpen) transport.onError('The handshake of the Server is malformed');
        return;
      }
      isOpen ||= packet.type === 'open';
      try {
        onPacket.call(transport, packet);
      } catch {
        transport.onError('A message of the Server could not be handled');
      }
    };
  };
  guard(engine.transport as unknown as GuardedTransport);
  engine.on('upgrading', transport => guard(transport as unknown as GuardedTransport));
}

function isHandshake(data: unknown): boolean {
  const { sid, upgrades, pingInterval, pingTimeout, maxPayload } = Object(parsed(data)) as Record<string, unknown>;
  return (
    typeof sid === 'string' &&
    sid.length <= MAX_SID_LENGTH &&
    Array.isArray(upgrades) &&
    upgrades.length <= MAX_UPGRADES &&
    upgrades.every(upgrade => typeof upgrade === 'string') &&
    isPositive(pingInterval) &&
    isPositive(pingTimeout) &&
    (maxPayload === undefined || isPositive(maxPayload))
  );
}

function parsed(data: unknown): unknown {
  try {
    return parseJson(String(data));
  } catch {
    return undefined;
  }
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value < 2 ** 31;
}

/** The part of Node's `http.Agent` that is used here. */
interface HttpAgent {
  destroy(): void;
}

/** The part of Node that a browser has not. */
interface Node {
  process?: { getBuiltinModule?: (name: string) => { Agent: new (options: object) => HttpAgent } | undefined };
}

/** Milliseconds that the last messages of a connection have to leave. */
const RELEASE_AFTER_MS = 2000;

/** Gives the next connection TCP connections of its own, so that they can be closed together with it. */
export function ownSockets({ opts }: Manager, { origin }: Address): void {
  const module = /^(https|wss):/.test(origin) ? 'https' : 'http';
  const { Agent } = (globalThis as Node).process?.getBuiltinModule?.(module) ?? {};
  if (Agent) Object.assign(opts, { agent: new Agent({ keepAlive: true }) });
}

/**
 * Closes what a connection has left open. Engine.IO does not end a request for messages when it closes, so that a
 * Server that does not answer would keep it, and this process, for ever.
 */
export function releaseSockets(engine: Engine | undefined): void {
  const { agent } = (engine as unknown as { opts?: { agent?: Partial<HttpAgent> } } | undefined)?.opts ?? {};
  if (typeof agent?.destroy !== 'function') return;
  const timer = setTimeout(() => agent.destroy?.(), RELEASE_AFTER_MS) as { unref?: () => void };
  timer.unref?.();
}

/** The part of a TCP connection in Node that merges writes. */
interface TcpConnection {
  cork(): void;
  uncork(): void;
}

/**
 * Writes the messages of one turn of the event loop with two system calls: the first at once, all others together. System
 * calls are what costs a peer with many calls in flight most. In a browser, and where `ws` hides its TCP connection, each
 * message is written at once.
 */
export function mergeWrites(engine: Engine): void {
  const { setImmediate } = globalThis as { setImmediate?: (task: () => void) => void };
  if (!setImmediate) return;
  let hasWritten = false;
  let corked: TcpConnection | undefined;
  const endTurn = () => {
    hasWritten = false;
    corked?.uncork();
    corked = undefined;
  };
  engine.on('packetCreate', () => {
    if (corked) return;
    if (hasWritten) {
      corked = connectionOf(engine);
      corked?.cork();
    } else {
      hasWritten = true;
      setImmediate(endTurn);
    }
  });
  // Flushes at once: the process may exit before `setImmediate` runs.
  engine.on('close', endTurn);
}

function connectionOf({ transport }: Engine): TcpConnection | undefined {
  const { ws } = transport as { ws?: { _socket?: Partial<TcpConnection> } };
  const { _socket: connection } = ws ?? {};
  return typeof connection?.cork === 'function' ? (connection as TcpConnection) : undefined;
}
