import { SMCP_NAMESPACE } from '@a2c-smcp/protocol';
import type { Socket as Connection, Transport } from 'engine.io';
import { type Allowance, spend } from '../rate.ts';
import { cutConnection, endConnection } from './end-connection.ts';
import { UNADMITTED_BYTES, webSocketOf } from './web-socket.ts';

export interface ConnectionGuardOptions {
  /** Where the client is. */
  address: string;
  /** The protocol version the client says it speaks. */
  version: string | undefined;
  /** Bytes of one HTTP request of an admitted client that polls. */
  requestBytes: number;
  eventsPerSecond: number;
  /** Called once, before the connection is ended, with what its client did. */
  onViolation: (reason: Violation) => void;
}

export type Violation = 'connect_flood' | 'not_admitted' | 'unadmitted_bytes' | 'packet_flood' | 'message_flood';

/** CONNECT packets of one connection in a second. */
const CONNECTS_PER_SECOND = 5;
/** CONNECT packets without any admission, for whatever namespace. */
const MAX_FAILED_CONNECTS = 5;
/** Milliseconds that a connection may stay outside `/smcp` after it has left it. Socket.IO watches the time before. */
const REJOIN_TIMEOUT_MS = 10_000;
/** An HTTP request may hold this many seconds' worth of events; Engine.IO decodes all its packets in one turn. */
const MAX_REQUEST_SECONDS = 4;
/** Answers and heartbeats are messages but no events, and a Computer may answer several Agents in turn. */
const MESSAGES_PER_EVENT = 20;
const MIN_MESSAGES_PER_SECOND = 1000;

const guards = new WeakMap<Connection, ConnectionGuard>();

/**
 * Bounds what a client may send: little before it is admitted, and never so much at once that others wait. A client that
 * exceeds a bound loses its connection. Engine.IO and Socket.IO bound the bytes of a message only.
 */
export class ConnectionGuard {
  readonly address: string;
  /** The protocol version the client says it speaks. */
  readonly version: string | undefined;
  /** Belongs to the connection, so that connecting to the namespace again does not renew it. */
  readonly allowance: Allowance;
  readonly #connection: Connection;
  readonly #options: ConnectionGuardOptions;
  readonly #connects: Allowance = { tokens: CONNECTS_PER_SECOND, at: performance.now(), excess: 0 };
  /** Namespaces whose CONNECT has not been answered yet. Idle connections need no set. */
  #connecting?: Set<string>;
  #failedConnects = 0;
  #isAdmitted = false;
  #rejoin?: NodeJS.Timeout;

  /** Must be called before Socket.IO listens to the connection: a flood is stopped here, packet by packet. */
  constructor(connection: Connection, options: ConnectionGuardOptions) {
    this.#connection = connection;
    this.#options = options;
    this.address = options.address;
    this.version = options.version;
    this.allowance = { tokens: options.eventsPerSecond, at: performance.now(), excess: 0 };
    guards.set(connection, this);
    connection.on('data', (packet: unknown) => this.#inspect(packet));
    connection.on('upgrade', (transport: Transport) => this.#bound(transport));
    connection.once('close', () => clearTimeout(this.#rejoin));
    this.#bound(connection.transport);
  }

  static of(connection: Connection): ConnectionGuard {
    const guard = guards.get(connection);
    if (!guard) throw new TypeError('The connection has no guard');
    return guard;
  }

  /** The client is in the namespace `/smcp`. */
  admitted(): void {
    this.#connecting = undefined;
    this.#failedConnects = 0;
    this.#isAdmitted = true;
    clearTimeout(this.#rejoin);
    this.#bound(this.#connection.transport);
  }

  /** The client was refused by a namespace. */
  refused(namespace: string): void {
    this.#connecting?.delete(namespace);
    this.#failedConnects += 1;
    // Its own turn, so that the refusal is sent first.
    if (this.#failedConnects >= MAX_FAILED_CONNECTS) setImmediate(() => this.#end('not_admitted'));
  }

  /** The client has left the namespace `/smcp`, and may come back soon. */
  left(): void {
    this.#isAdmitted = false;
    if (this.#connection.readyState !== 'open') return;
    this.#bound(this.#connection.transport);
    this.#rejoin = setTimeout(() => this.#end('not_admitted'), REJOIN_TIMEOUT_MS).unref();
  }

  /** Sees every Socket.IO packet before Socket.IO does. */
  #inspect(packet: unknown): void {
    const namespace = typeof packet === 'string' ? connectTarget(packet) : undefined;
    if (namespace === undefined) return;
    this.#connecting ??= new Set();
    const isAllowed = spend(this.#connects, CONNECTS_PER_SECOND, performance.now()) === 'accepted';
    if (!isAllowed || this.#connecting.has(namespace)) this.#end('connect_flood');
    else if (namespace === SMCP_NAMESPACE || namespace === '/') this.#connecting.add(namespace);
    // Socket.IO refuses all others at once.
    else this.refused(namespace);
  }

  #bound(transport: Transport): void {
    const { requestBytes, eventsPerSecond } = this.#options;
    if (isPolling(transport)) {
      transport.maxHttpBufferSize = this.#isAdmitted ? requestBytes : UNADMITTED_BYTES;
      boundPackets(transport, MAX_REQUEST_SECONDS * eventsPerSecond, () => this.#end('packet_flood'));
      return;
    }
    const webSocket = webSocketOf(this.#connection);
    if (!webSocket) return;
    webSocket.bound({
      bytes: this.#isAdmitted ? undefined : UNADMITTED_BYTES,
      messagesPerSecond: Math.max(MESSAGES_PER_EVENT * eventsPerSecond, MIN_MESSAGES_PER_SECOND),
      onExceeded: what => this.#end(what === 'bytes' ? 'unadmitted_bytes' : 'message_flood'),
    });
  }

  #end(reason: Violation): void {
    if (this.#connection.readyState !== 'open') return;
    this.#options.onViolation(reason);
    if (reason === 'not_admitted') endConnection(this.#connection);
    else cutConnection(this.#connection);
  }
}

/** The namespace that a packet asks to connect to, if it is such a packet: `0`, `0/smcp,` or `0/smcp,{…}`. */
function connectTarget(packet: string): string | undefined {
  if (packet[0] !== '0') return undefined;
  return /^0(\/[^,]{0,100})/.exec(packet)?.[1] ?? '/';
}

/** The parts of Engine.IO's polling transport that its types hide. */
interface PollingTransport {
  maxHttpBufferSize: number;
  /** Decodes the body of a request, `packets joined by U+001E`. */
  onData(body: string): void;
}

function isPolling(transport: Transport): transport is Transport & PollingTransport {
  return transport.name === 'polling';
}

function boundPackets(transport: PollingTransport, maxPackets: number, onExceeded: () => void): void {
  const { onData } = Object.getPrototypeOf(transport) as PollingTransport;
  transport.onData = body => {
    if (hasMorePackets(body, maxPackets)) onExceeded();
    else onData.call(transport, body);
  };
}

function hasMorePackets(body: string, maxPackets: number): boolean {
  let packets = 1;
  for (let at = body.indexOf('\x1e'); at !== -1 && packets <= maxPackets; at = body.indexOf('\x1e', at + 1)) packets++;
  return packets > maxPackets;
}
