import { readHead } from '@a2c-smcp/core';
import { SMCP_NAMESPACE } from '@a2c-smcp/protocol';
import type { Socket as Connection } from 'engine.io';
import type { Channel } from './channel.ts';
import {
  boundPolling,
  cutConnection,
  endConnection,
  followPolling,
  readBeforeTimeout,
  webSocketOf,
} from './engine-io.ts';
import type { Allowance } from './rate.ts';
import { UNADMITTED_BYTES, type Watcher } from './ws.ts';

/** Reasons for which a connection is ended. */
export type Violation =
  | 'connect_flood'
  | 'not_admitted'
  | 'unadmitted_bytes'
  | 'packet_flood'
  | 'message_flood'
  | 'backlog';

export interface ConnectionGuardOptions {
  /** Bytes of one HTTP request of an admitted client that polls. */
  requestBytes: number;
  eventsPerSecond: number;
  /** Bytes that may wait for a client. */
  backlogBytes: number;
  /** Called once, before the connection is ended, with the reason. */
  onViolation: (address: string, reason: Violation) => void;
  onClosed: (address: string) => void;
}

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
/** Milliseconds in which a peer must have read something, and be below `backlogBytes` again. A busy one may need some. */
const READ_TIMEOUT_MS = 5000;
/** How many times `backlogBytes` may wait within that time. */
const MAX_OVERSHOOT = 2;

/** The part of a channel that does not depend on its socket. */
type AdmittedChannel = Pick<Channel, 'takePacket' | 'upgraded' | 'close'>;

const GUARD = Symbol('guard');

/** Stands between a connection and the namespace. */
export interface Guard {
  /** Where the client is. */
  readonly address: string;
  /** The protocol version the client says it speaks. */
  readonly version: string | undefined;
  /** Belongs to the connection, so that connecting to the namespace again does not renew it. */
  readonly allowance: Allowance;
  /** Takes the events and answers of the client while it is admitted. */
  channel?: AdmittedChannel | undefined;
  /** The client is in the namespace `/smcp`. */
  admitted(channel: AdmittedChannel): void;
  /** The client was refused by a namespace. */
  refused(namespace: string): void;
  /** The client has left the namespace `/smcp`, and may reconnect to it soon. */
  left(): void;
  /** Bytes that wait for the client. */
  readonly backlog: number;
  onBacklog(bytes: number): void;
}

/** The guard of a connection. */
export function guardOf(connection: Connection): Guard {
  return (connection as Connection & { [GUARD]: Guard })[GUARD];
}

export function setGuard(connection: Connection, guard: Guard): void {
  Object.assign(connection, { [GUARD]: guard });
}

/**
 * Bounds what a client may send, and what may wait for it: little before it is admitted, and never so much at once that
 * others wait. A client that exceeds a bound loses its connection. Engine.IO and Socket.IO bound the bytes of a message
 * only. There is one for each connection, so it is small and shares its functions with all others.
 */
export class ConnectionGuard implements Guard, Watcher {
  readonly address: string;
  readonly version: string | undefined;
  readonly allowance: Allowance;
  channel?: AdmittedChannel;
  readonly #connection: Connection;
  readonly #options: ConnectionGuardOptions;
  /** Namespaces whose CONNECT has not been answered yet. */
  #connecting?: Set<string>;
  /** The second in which CONNECT packets are counted. */
  #connectSecond = 0;
  #connects = 0;
  #failedConnects = 0;
  #isAdmitted = false;
  #rejoinTimer?: NodeJS.Timeout;
  #backlogTimer?: NodeJS.Timeout;
  /** Bytes that wait for the next poll of a client without a WebSocket. */
  #polled = 0;

  /** Must be called before Socket.IO listens to the connection: a flood is stopped here, packet by packet. */
  constructor(
    connection: Connection,
    { address, version }: { address: string; version: string | undefined },
    options: ConnectionGuardOptions,
  ) {
    this.#connection = connection;
    this.#options = options;
    this.address = address;
    this.version = version;
    this.allowance = { tokens: options.eventsPerSecond, at: performance.now(), excess: 0 };
    setGuard(connection, this);
    readBeforeTimeout(connection);
    connection.on('data', onData).once('close', onClose);
    if (!webSocketOf(connection)) {
      connection.on('upgrade', onUpgrade);
      followPolling(connection, bytes => this.#waitsForPoll(bytes));
    }
    this.#bound();
  }

  admitted(channel: AdmittedChannel): void {
    this.channel = channel;
    this.#connecting = undefined;
    this.#failedConnects = 0;
    this.#isAdmitted = true;
    clearTimeout(this.#rejoinTimer);
    this.#bound();
  }

  refused(namespace: string): void {
    this.#connecting?.delete(namespace);
    this.#failedConnects += 1;
    // Its own turn, so that the refusal is sent first.
    if (this.#failedConnects >= MAX_FAILED_CONNECTS) setImmediate(() => this.#end('not_admitted'));
  }

  left(): void {
    this.#isAdmitted = false;
    this.channel?.close();
    this.channel = undefined;
    if (this.#connection.readyState !== 'open') return;
    this.#bound();
    this.#rejoinTimer = setTimeout(() => this.#end('not_admitted'), REJOIN_TIMEOUT_MS).unref();
  }

  /** Sees every Socket.IO packet before Socket.IO does. Events and answers go to the channel and no further. */
  inspect(packet: unknown): void {
    if (typeof packet !== 'string') return;
    const namespace = connectTarget(packet);
    if (namespace === undefined) {
      const isTaken = this.channel?.takePacket(packet);
      // As Socket.IO does: an event of a client that is not in the namespace.
      if (!isTaken && readHead(packet)) endConnection(this.#connection);
      return;
    }
    this.#connecting ??= new Set();
    if (!this.#mayConnect() || this.#connecting.has(namespace)) this.#end('connect_flood');
    else if (namespace === SMCP_NAMESPACE || namespace === '/') this.#connecting.add(namespace);
    // Socket.IO refuses all others at once.
    else this.refused(namespace);
  }

  upgraded(): void {
    this.#bound();
    this.channel?.upgraded();
  }

  closed(): void {
    clearTimeout(this.#rejoinTimer);
    clearTimeout(this.#backlogTimer);
    this.#options.onClosed(this.address);
  }

  onExceeded(what: 'bytes' | 'messages'): void {
    this.#end(what === 'bytes' ? 'unadmitted_bytes' : 'message_flood');
  }

  /** A peer that does not read must not fill the memory of all; one that reads gets the time to do so. */
  onBacklog(bytes: number): void {
    const { backlogBytes } = this.#options;
    if (bytes <= backlogBytes) return;
    if (bytes > backlogBytes * MAX_OVERSHOOT) this.#end('backlog');
    else this.#backlogTimer ??= setTimeout(() => this.#judgeBacklog(this.#taken), READ_TIMEOUT_MS).unref();
  }

  get backlog(): number {
    return webSocketOf(this.#connection)?.backlog ?? this.#polled;
  }

  /** Bytes that the client has taken so far. */
  get #taken(): number {
    return webSocketOf(this.#connection)?.taken ?? -this.#polled;
  }

  /** @param before bytes that it had taken when it was given the time to read */
  #judgeBacklog(before: number): void {
    this.#backlogTimer = undefined;
    const hasRead = this.#taken > before;
    if (this.backlog > this.#options.backlogBytes || (this.backlog > 0 && !hasRead)) this.#end('backlog');
  }

  #waitsForPoll(bytes: number): void {
    this.#polled = bytes;
    this.onBacklog(bytes);
  }

  #mayConnect(): boolean {
    const second = Math.floor(performance.now() / 1000);
    this.#connects = second === this.#connectSecond ? this.#connects + 1 : 1;
    this.#connectSecond = second;
    return this.#connects <= CONNECTS_PER_SECOND;
  }

  #bound(): void {
    const { requestBytes, eventsPerSecond } = this.#options;
    const webSocket = webSocketOf(this.#connection);
    if (webSocket) {
      const messagesPerSecond = Math.max(MESSAGES_PER_EVENT * eventsPerSecond, MIN_MESSAGES_PER_SECOND);
      webSocket.watch(this, messagesPerSecond);
      webSocket.limitBytes(this.#isAdmitted ? undefined : UNADMITTED_BYTES);
    } else {
      const maxBytes = this.#isAdmitted ? requestBytes : UNADMITTED_BYTES;
      const maxPackets = MAX_REQUEST_SECONDS * eventsPerSecond;
      boundPolling(this.#connection, { maxBytes, maxPackets }, () => this.#end('packet_flood'));
    }
  }

  #end(reason: Violation): void {
    if (this.#connection.readyState !== 'open') return;
    this.#options.onViolation(this.address, reason);
    if (reason === 'not_admitted') endConnection(this.#connection);
    else cutConnection(this.#connection);
  }
}

function onData(this: Connection, packet: unknown): void {
  (guardOf(this) as ConnectionGuard).inspect(packet);
}

function onUpgrade(this: Connection): void {
  (guardOf(this) as ConnectionGuard).upgraded();
}

function onClose(this: Connection): void {
  (guardOf(this) as ConnectionGuard).closed();
}

/** The namespace that a packet asks to connect to, if it is such a packet: `0`, `0/smcp,` or `0/smcp,{…}`. */
function connectTarget(packet: string): string | undefined {
  if (packet[0] !== '0') return undefined;
  return /^0(\/[^,]{0,100})/.exec(packet)?.[1] ?? '/';
}
