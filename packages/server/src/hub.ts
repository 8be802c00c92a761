import type { IncomingMessage } from 'node:http';
import { Emitter, given, type Logger, type Trace } from '@a2c-smcp/core';
import { SMCP_NAMESPACE, SmcpError, toErrorPayload, VERSION_QUERY } from '@a2c-smcp/protocol';
import type { Server as Engine } from 'engine.io';
import { Server as SocketServer } from 'socket.io';
import type { Authorize } from './auth/identity.ts';
import type { Cluster } from './cluster/cluster.ts';
import { RemoteCalls } from './cluster/remote-calls.ts';
import { AddressBook, addressOf, queryOf } from './http/addresses.ts';
import type { Refusal } from './http/gate.ts';
import { Traffic } from './http/traffic.ts';
import type { Inlet } from './inlet.ts';
import type { Limits } from './limits.ts';
import { Metrics } from './metrics.ts';
import { type AdmissionOptions, createAdmission } from './office/admission.ts';
import { Notifier } from './office/notifier.ts';
import { type Member, Offices } from './office/offices.ts';
import { Reception } from './office/reception.ts';
import { type RefusalInfo, Roster, type ServerEvents } from './office/roster.ts';
import type { PeerNamespace, PeerSocket } from './office/session.ts';
import type { CallObserver } from './relay/call-observer.ts';
import { createHost } from './relay/cluster-host.ts';
import { createDispatch } from './relay/dispatch.ts';
import { Relay } from './relay/relay.ts';
import { Channel, type ChannelOptions } from './wire/channel.ts';
import { ConnectionGuard, type ConnectionGuardOptions, guardOf } from './wire/connection-guard.ts';
import { canBoundPolling, createEngine, EMPTY_REQUEST, hasConnection, releaseRequest } from './wire/engine-io.ts';
import { parser } from './wire/parser.ts';
import { SharedGuard } from './wire/shared-guard.ts';
import { traceConnection } from './wire/trace.ts';
import { canRead } from './wire/ws.ts';

export interface HubOptions extends Omit<AdmissionOptions, 'onRejected'> {
  limits: Limits;
  authorize?: Authorize;
  /** Takes the address of a client from the header that a proxy sets. */
  trustProxy: boolean;
  /** Milliseconds a Computer may take for anything but a tool call. */
  timeout: number;
  computersPerOffice: number;
  forwardUnknown: boolean;
  allowedOrigins: readonly string[];
  /** Reads and writes WebSockets directly, not through Engine.IO. */
  fastPath: boolean;
  trace?: Trace | undefined;
  /** The other nodes, when several act as one Server. */
  cluster?: Cluster;
  /** Records calls for operators. */
  observer?: CallObserver | undefined;
  /** Accepts connections in another process. */
  inlet?: Inlet | undefined;
  /** The Socket.IO server of the host program, which gets the namespace. */
  io?: SocketServer;
  /** True if a client of `io` must not get any further. */
  inspect?: (request: IncomingMessage) => Refusal | undefined;
  pingInterval: number;
  pingTimeout: number;
}

/** Milliseconds from a handshake to its connection. */
const HANDSHAKE_TIMEOUT_MS = 5000;

/** The longest delay of a timer, 24.8 days. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Everything between the HTTP server and the rules: Engine.IO, Socket.IO, and the wiring of the Server's parts. */
export class Hub {
  readonly engine: Engine;
  readonly offices: Offices<PeerSocket>;
  readonly roster: Roster;
  readonly events: Emitter<ServerEvents>;
  readonly relay: Relay;
  readonly metrics: Metrics;
  /** The other nodes, when there are several. */
  readonly cluster?: Cluster;
  /** Connections by address. */
  readonly addresses: AddressBook;
  readonly traffic = new Traffic();
  readonly #sockets: SocketServer;
  /** True if Socket.IO and its connections belong to the host program. */
  readonly #isShared: boolean;
  readonly #notifier: Notifier;
  readonly #reception: Reception;
  readonly #remote?: RemoteCalls;
  readonly #logger: Logger;
  readonly #trustProxy: boolean;
  /** Handshakes that are not connections yet. */
  readonly #reserved = new Map<IncomingMessage, NodeJS.Timeout>();
  #open = true;

  constructor(options: HubOptions) {
    const { limits, logger, timeout } = options;
    this.#logger = logger;
    this.#trustProxy = options.trustProxy;
    const { io, inlet } = options;
    this.addresses = new AddressBook(inlet && ((address, change) => inlet.count(address, change)));
    this.#isShared = io !== undefined;
    this.engine =
      (io?.engine as Engine | undefined) ??
      createEngine({ ...options, messageBytes: limits.messageBytes, tag: inlet?.tag });
    if (!canRead) logger.warn('Messages are read slowly: the installed version of ws is not supported');
    if (!canBoundPolling) logger.warn('Long polling is off: the installed version of engine.io is not supported');
    this.#sockets = io ?? new SocketServer({ parser, connectTimeout: 10_000 });
    const size = { maxMembers: limits.membersPerOffice, maxComputers: options.computersPerOffice };
    this.offices = new Offices({ ...size, isSameClient, mayOust });
    const { cluster } = options;
    this.cluster = cluster;
    this.#remote = cluster && new RemoteCalls(cluster);
    this.events = new Emitter({ logger });
    this.roster = new Roster({ offices: this.offices, cluster, events: this.events });
    this.#notifier = new Notifier({ offices: this.offices, cluster, logger });
    this.#reception = new Reception({
      offices: this.offices,
      notifier: this.#notifier,
      cluster,
      size,
      events: this.events,
      isOpen: () => this.#open,
      logger,
    });
    this.metrics = new Metrics({
      connections: () => this.engine.clientsCount,
      offices: () => this.offices.officeCount,
      members: () => this.offices.memberCount,
      inFlight: () => this.relay.inFlight,
      traffic: this.traffic,
    });
    const { offices, metrics } = this;
    const { authorize, observer } = options;
    this.relay = new Relay({ offices, remote: this.#remote, limits, timeout, authorize, logger, metrics, observer });
    if (this.#isShared) this.#shareConnections(options);
    else this.#watchConnections(options);
    this.#openNamespace(options);
    if (!this.#isShared) this.#sockets.bind(this.engine);
  }

  /** True if newcomers are let in. */
  get isOpen(): boolean {
    return this.#open;
  }

  /**
   * Counts a handshake as a connection before it is one: many may arrive in one chunk. Lapses when nothing comes of it.
   */
  reserve(request: IncomingMessage): void {
    const address = addressOf(request, this.#trustProxy);
    this.addresses.add(address);
    const lapse = () => {
      if (this.#reserved.delete(request)) this.addresses.remove(address);
    };
    this.#reserved.set(request, setTimeout(lapse, HANDSHAKE_TIMEOUT_MS).unref());
  }

  /** Counts what was not accepted. */
  refused(refusal: RefusalInfo): void {
    this.metrics.recordRejection(refusal.reason);
    this.events.emit('refuse', refusal);
  }

  hasConnection(sid: string): boolean {
    return hasConnection(this.engine, sid);
  }

  /** Makes this node one of several. @param answer a question of another node about this one */
  async enlist(answer: (question: unknown) => Promise<unknown>): Promise<void> {
    const { offices, relay } = this;
    if (!this.cluster || !this.#remote) return;
    const cluster = this.cluster;
    const namespace: PeerNamespace = this.#sockets.of(SMCP_NAMESPACE);
    const [notifier, reception, remote] = [this.#notifier, this.#reception, this.#remote];
    const parts = { cluster, namespace, offices, notifier, relay, reception, remote, answer };
    await cluster.enlist(createHost(parts));
  }

  /** Refuses new connections, waits up to `gracePeriod` milliseconds for calls in flight, then closes all connections. */
  async close(gracePeriod: number): Promise<void> {
    this.#open = false;
    await this.relay.drain(gracePeriod);
    await this.cluster?.close();
    if (this.#isShared) {
      this.#sockets.of(SMCP_NAMESPACE).disconnectSockets(true);
      this.#sockets._nsps.delete(SMCP_NAMESPACE);
    } else {
      await this.#sockets.close();
    }
    this.relay.close();
  }

  #watchConnections({ limits, trustProxy, authenticate, trace }: HubOptions): void {
    const { backlogBytes, eventsPerSecond, messageBytes } = limits;
    const guarding: ConnectionGuardOptions = {
      requestBytes: messageBytes * 2,
      eventsPerSecond,
      backlogBytes,
      onViolation: (address, reason) => {
        this.refused({ reason, address });
        this.#logger.warn('A connection was ended', { address, reason });
      },
      onClosed: address => this.addresses.remove(address),
    };
    this.engine.on('connection', connection => {
      const { request } = connection;
      const address = addressOf(request, trustProxy);
      clearTimeout(this.#reserved.get(request));
      if (!this.#reserved.delete(request)) this.addresses.add(address);
      if (trace) traceConnection(connection, trace);
      new ConnectionGuard(connection, { address, version: versionOf(request) }, guarding);
      // A client may leave the namespace and connect to it again, with the same headers.
      releaseRequest(connection, authenticate && request.headers);
    });
  }

  /** Other namespaces use the connections, too: those for `/smcp` are checked when they ask for it. */
  #shareConnections({ limits, trustProxy, inspect }: HubOptions): void {
    this.#sockets.of(SMCP_NAMESPACE).use(({ conn }, next) => {
      const { request } = conn;
      const address = addressOf(request, trustProxy);
      const refusal = inspect?.(request);
      if (refusal) {
        this.refused({ reason: refusal.reason, address, message: refusal.body.message });
        this.#logger.warn('A client was refused', { address, ...refusal.body });
        const { code, message, ...details } = refusal.body;
        const payload = toErrorPayload(new SmcpError(code, message, { details }));
        return next(Object.assign(new Error(message), { data: payload }));
      }
      const { eventsPerSecond } = limits;
      if (!guardOf(conn)) new SharedGuard(conn, { address, version: versionOf(request), eventsPerSecond });
      next();
    });
  }

  #openNamespace(options: HubOptions): void {
    const { limits, forwardUnknown, logger } = options;
    const onRejected = (reason: string, address?: string, message?: string) =>
      this.refused({ reason, ...given({ address, message }) });
    const { relay } = this;
    const dispatch = createDispatch({
      notifier: this.#notifier,
      relay,
      reception: this.#reception,
      limits,
      forwardUnknown,
      logger,
      onRejected,
    });

    // Socket.IO admits every client to its default namespace, which is not used.
    if (!this.#isShared) {
      this.#sockets.use((socket, next) => {
        guardOf(socket.conn).refused('/');
        next(new Error(`Connect to the namespace ${SMCP_NAMESPACE}`));
      });
    }

    const namespace: PeerNamespace = this.#sockets.of(SMCP_NAMESPACE);
    namespace.use(createAdmission({ ...options, onRejected }));
    const channelOptions: ChannelOptions<PeerSocket> = {
      fastPath: options.fastPath,
      messageBytes: limits.messageBytes,
      onOversized: () => onRejected('too_large'),
      onEvent: dispatch,
      calls: relay,
      onFailed: (socket, error) => logger.error('A message failed unexpectedly', { sid: socket.id, error }),
    };
    const reception = this.#reception;
    // Shared by all sockets, so that idle connections do not each allocate one. Must not throw: Socket.IO calls it in a
    // tick of its own.
    function onDisconnecting(this: PeerSocket): void {
      try {
        clearTimeout(this.data.expiry);
        guardOf(this.conn).left();
        relay.lost(this);
        reception.lost(this);
      } catch (error) {
        logger.error('A lost connection could not be released', { sid: this.id, error });
      }
    }
    namespace.on('connection', socket => {
      const channel = new Channel(socket, channelOptions);
      socket.data.channel = channel;
      guardOf(socket.conn).admitted(channel);
      forgetHandshake(socket);
      socket.data.expiry = this.#endAtExpiry(socket);
      socket.on('disconnecting', onDisconnecting);
    });
  }

  #endAtExpiry(socket: PeerSocket): NodeJS.Timeout | undefined {
    const { expiresAt, id } = socket.data.identity;
    if (expiresAt === undefined) return undefined;
    const end = () => {
      this.#logger.info('A connection ended with its credentials', { sid: socket.id, identity: id });
      socket.disconnect(true);
    };
    return setTimeout(end, Math.min(Math.max(expiresAt - Date.now(), 0), MAX_DELAY_MS)).unref();
  }
}

/** Credentials are not kept with the session. */
function forgetHandshake(socket: PeerSocket): void {
  const { headers, _query: query } = EMPTY_REQUEST;
  Object.assign(socket.handshake, { headers, auth: headers, query });
}

/** The protocol version a client says it speaks, as the gate has checked it. */
function versionOf(request: IncomingMessage): string | undefined {
  return queryOf(request).get(VERSION_QUERY) ?? undefined;
}

/** Only a client that asks for it can take the place of another one, and only of its own identity. */
function mayOust({ peer }: Member<PeerSocket>, { data: { replaces, identity } }: PeerSocket): boolean {
  return replaces && peer.data.identity.id === identity.id;
}

/** Only a client that chose an `instance_id` can take over a session, and only its own. */
function isSameClient({ peer }: Member<PeerSocket>, newcomer: PeerSocket): boolean {
  const { instanceId, identity } = newcomer.data;
  return instanceId !== undefined && peer.data.instanceId === instanceId && peer.data.identity.id === identity.id;
}
