import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as TlsServer } from 'node:tls';
import { type ListenOptions as EventOptions, given } from '@a2c-smcp/core';
import { SMCP_NAMESPACE } from '@a2c-smcp/protocol';
import type { Server as SocketServer } from 'socket.io';
import type { Cluster } from './cluster/cluster.ts';
import { addressOf, isLoopback, loopbackHosts } from './http/addresses.ts';
import { openFrontDoor, type RequestListener, refuseRivals } from './http/front-door.ts';
import { type GateOptions, inspect, inspectHost, type Refusal } from './http/gate.ts';
import { addHealth, answerOperations, type Health } from './http/operations.ts';
import { Hub } from './hub.ts';
import type { Inlet } from './inlet.ts';
import { LISTEN_BACKLOG } from './limits.ts';
import { mergeMetrics } from './metrics.ts';
import type { MemberInfo, MemberPlace, ServerEvents } from './office/roster.ts';
import type { NodeParts } from './operator/node-view.ts';
import type { Observer } from './operator/observer.ts';
import type { Operator, OperatorOptions } from './operator/operator.ts';
import { type ListenOptions, type NodeOptions, type ServerOptions, type Settings, withDefaults } from './options.ts';
import { type Allowance, delayOf, spend } from './wire/rate.ts';

/** Milliseconds that a client may take for the head of a request. */
const HEADERS_TIMEOUT_MS = 15_000;

/** TCP connections for each connection of a peer, which needs up to three while it polls. */
const TCP_PER_CONNECTION = 4;

/** A server of the host program. */
type AttachTarget = HttpServer | SocketServer;

/** The relay that Agents and Computers connect to. */
export class SmcpServer implements AsyncDisposable {
  readonly #http: HttpServer;
  readonly #settings: Settings;
  readonly #hub: Hub;
  readonly #started = performance.now();
  readonly #handshakes: Allowance;
  /** Takes the listeners off the HTTP server. */
  #release: () => void = () => {};
  #ownsHttp = false;
  /** Present in a worker. */
  #inlet?: Inlet | undefined;
  /** Both are absent without operators. */
  #observer?: Observer;
  #operator?: Operator;
  #closing?: Promise<void>;

  private constructor(http: HttpServer, hub: Hub, settings: Settings) {
    this.#http = http;
    this.#settings = settings;
    this.#hub = hub;
    this.#handshakes = { tokens: settings.limits.handshakesPerSecond, at: this.#started, excess: 0 };
    const { allowAnonymous, authenticate, logger } = settings;
    if (allowAnonymous && !authenticate) {
      logger.warn(
        'Every client that reaches this Server may use it: allowAnonymous is set and there is no authenticate',
      );
    }
  }

  /** Opens a Server on a port of its own, with `/health`, `/ready` and `/metrics` beside the protocol. */
  static async listen(options: ListenOptions = {}): Promise<SmcpServer> {
    const { host = '127.0.0.1', port = 7000, tls, redis, cluster: name, redisOnly, ...others } = options;
    const { operatorKeys = [], console: page, inlet, ...rest } = others;
    const isLocal = isLoopback(host);
    if (!isLocal && !options.authenticate && !options.allowAnonymous) {
      const problem = `Listening on '${host}' needs authenticate, or allowAnonymous: true to admit every client`;
      throw Object.assign(new TypeError(problem), { code: 'ERR_NEEDS_AUTHENTICATE' });
    }
    const settings = withDefaults({ ...(isLocal ? { allowedHosts: loopbackHosts } : {}), ...given(rest) });
    const cluster = await connectCluster({ redis, cluster: name, redisOnly }, settings);
    const observer = operatorKeys.length > 0 || page ? await createObserver() : undefined;
    const hub = new Hub({ ...settings, cluster, observer, inlet });
    const timeouts = { headersTimeout: HEADERS_TIMEOUT_MS };
    const http = tls ? createTlsServer({ ...timeouts, ...tls }) : createServer(timeouts);
    const server = new SmcpServer(http, hub, settings);
    server.#ownsHttp = true;
    server.#inlet = inlet;
    try {
      if (observer) await server.#admitOperators(observer, { keys: operatorKeys, console: page });
      http.maxConnections = settings.limits.connections * TCP_PER_CONNECTION;
      if (!inlet) await once(http.listen({ port, host, backlog: LISTEN_BACKLOG }), 'listening');
      await hub.enlist(question => server.#answerNode(question));
      server.#openDoor();
      if (inlet) server.#takeConnections(inlet);
      return server;
    } catch (error) {
      await hub.close(0);
      http.close();
      throw error;
    }
  }

  /**
   * Adds a Server to an HTTP server that the host program opens and closes. Requests to other paths stay its own, and
   * `health` and `metrics` are there for them to offer. To a Socket.IO server it adds the namespace `/smcp`. With `redis` it
   * is a promise, of a Server that is one of several nodes.
   */
  static attach(target: AttachTarget, options: ServerOptions & NodeOptions & { redis: string }): Promise<SmcpServer>;
  static attach(target: AttachTarget, options?: ServerOptions & { redis?: undefined }): SmcpServer;
  static attach(
    target: AttachTarget,
    { redis, cluster, redisOnly, ...options }: ServerOptions & NodeOptions = {},
  ): SmcpServer | Promise<SmcpServer> {
    const settings = withDefaults(options);
    if (redis === undefined) return SmcpServer.#attach(target, settings);
    return connectCluster({ redis, cluster, redisOnly }, settings).then(async nodes => {
      const server = SmcpServer.#attach(target, settings, nodes);
      await server.#hub.enlist(question => server.#answerNode(question));
      return server;
    });
  }

  static #attach(target: AttachTarget, settings: Settings, cluster?: Cluster): SmcpServer {
    if ('of' in target) return SmcpServer.#mount(target, settings, cluster);
    refuseRivals(target, settings.path);
    const listeners = target.listeners('request') as RequestListener[];
    const server = new SmcpServer(target, new Hub({ ...settings, cluster }), settings);
    server.#openDoor((request, response) => {
      for (const listener of listeners) listener.call(target, request, response);
    });
    return server;
  }

  static #mount(io: SocketServer, settings: Settings, cluster?: Cluster): SmcpServer {
    checkMount(io);
    const inspectClient = (request: IncomingMessage): Refusal | undefined =>
      inspect(request, {
        ...settings,
        asksForCredentials: settings.authenticate !== undefined,
        closing: () => !hub.isOpen,
        // Connections are counted by the owner.
        crowded: () => undefined,
        admit: () => 0,
        reserve: () => {},
        isKnown: () => false,
      });
    const hub: Hub = new Hub({ ...settings, cluster, io, inspect: inspectClient });
    return new SmcpServer(io.httpServer as HttpServer, hub, settings);
  }

  /** Where clients connect, as in `http://127.0.0.1:7000`. Throws while the HTTP server does not listen on a port. */
  get url(): string {
    if (this.#inlet) return this.#inlet.url;
    const place = this.#http.address();
    if (place === null || typeof place === 'string') {
      throw new TypeError('The Server has no URL: its HTTP server does not listen on a port; read it after listen()');
    }
    const { address, port, family } = place;
    const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[address] ?? (family === 'IPv6' ? `[${address}]` : address);
    return `${this.#http instanceof TlsServer ? 'https' : 'http'}://${host}:${port}`;
  }

  /** Calls `listener` at every event of that name. Returns a function that removes it, as firing `signal` does. */
  on<K extends keyof ServerEvents>(
    event: K,
    listener: (payload: ServerEvents[K]) => void,
    options?: EventOptions,
  ): () => void {
    return this.#hub.events.on(event, listener, options);
  }

  /** The offices that have a member on this node. */
  get offices(): string[] {
    return [...new Set(this.#hub.offices.all().map(({ office }) => office))];
  }

  /** The members of an office on all nodes, or without one those of all offices on this node. */
  members(office?: string): Promise<MemberInfo[]> {
    return this.#hub.roster.members(office);
  }

  /**
   * Ends the connections of the members at a place, on all nodes, and returns their number. Clients of ours reconnect by
   * themselves: those that must stay away are refused by `authenticate`.
   */
  disconnect(place: MemberPlace): Promise<number> {
    return this.#hub.roster.disconnect(place);
  }

  health(): Health {
    const { offices, relay, engine, isOpen } = this.#hub;
    return {
      status: isOpen ? 'ok' : 'closing',
      uptime: Math.round((performance.now() - this.#started) / 1000),
      connections: engine.clientsCount,
      offices: offices.officeCount,
      members: offices.memberCount,
      inFlight: relay.inFlight,
    };
  }

  /** The metrics in the text format of Prometheus. */
  metrics(): Promise<string> {
    return this.#hub.metrics.text();
  }

  /**
   * Refuses new connections, gives calls in flight the grace period to end, then closes all connections. Peers notice
   * and reconnect by themselves.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    await this.#hub.close(this.#settings.gracePeriod);
    this.#operator?.close();
    this.#release();
    if (!this.#ownsHttp) return;
    const closed = once(this.#http, 'close');
    this.#http.close();
    this.#hub.traffic.end(500);
    await closed;
  }

  /** @param onOther answers requests to other paths; without it the Server does */
  #openDoor(onOther?: RequestListener): void {
    const hub = this.#hub;
    const { limits, trustProxy, path, logger } = this.#settings;
    const maxPerAddress = this.#ownsHttp && !trustProxy ? limits.connectionsPerAddress * TCP_PER_CONNECTION : undefined;
    const stopCounting = hub.traffic.watch(this.#http, maxPerAddress);
    const gate: GateOptions = {
      ...this.#settings,
      asksForCredentials: this.#settings.authenticate !== undefined,
      closing: () => !hub.isOpen,
      crowded: request => this.#crowded(request),
      admit: () => this.#admit(),
      reserve: request => hub.reserve(request),
      isKnown: sid => hub.hasConnection(sid),
    };
    const closeDoor = openFrontDoor(this.#http, {
      path,
      engine: hub.engine,
      inspect: request => inspect(request, gate),
      ...(onOther ? {} : { inspectOther: request => inspectHost(request, this.#settings.allowedHosts) }),
      onOther: onOther ?? this.#answerOther(),
      onRefused: ({ reason, body }, request) => {
        const address = this.#addressOf(request);
        hub.refused({ reason, address, message: body.message });
        logger.warn('A handshake was refused', { address, ...body });
      },
      onFailed: (error, request) => {
        logger.error('A request failed unexpectedly', { address: this.#addressOf(request), error });
      },
    });
    this.#release = () => {
      closeDoor();
      stopCounting();
    };
  }

  #answerOther(): RequestListener {
    const { exposeMetrics } = this.#settings;
    const { metrics } = this.#hub;
    const inlet = this.#inlet;
    const operations = answerOperations({
      exposeMetrics,
      ...(inlet ? ofAllWorkers(inlet, metrics.contentType) : { health: () => this.health(), metrics }),
    });
    return (request, response) => {
      if (!this.#operator?.handle(request, response)) operations(request, response);
    };
  }

  /** Each request comes on a connection of its own: the next one may be for another worker. */
  #takeConnections(inlet: Inlet): void {
    const { cluster, metrics } = this.#hub;
    if (!cluster) throw new TypeError("A worker is one of several nodes; add the option 'redis'");
    this.#http.maxRequestsPerSocket = 1;
    inlet.open({
      http: this.#http,
      node: cluster.node,
      bury: node => cluster.bury(node),
      report: async () => ({ health: this.health(), metrics: await metrics.values() }),
    });
  }

  /** Opens the operator API. */
  async #admitOperators(observer: Observer, access: Pick<OperatorOptions, 'keys' | 'console'>): Promise<void> {
    const { Operator } = await import('./operator/operator.ts');
    const { limits, logger } = this.#settings;
    this.#observer = observer;
    const addressOf = (request: IncomingMessage) => this.#addressOf(request);
    this.#operator = new Operator({ ...this.#nodeParts(), ...access, limits, addressOf, logger });
  }

  /** Answers a question of an operator on another node, also when this one has none. */
  async #answerNode(question: unknown): Promise<unknown> {
    const { answerQuestion } = await import('./operator/node-view.ts');
    return answerQuestion(this.#nodeParts(), question);
  }

  #nodeParts(): NodeParts {
    const [hub, observer] = [this.#hub, this.#observer];
    const node = hub.cluster?.node ?? 'main';
    return { node, hub, health: () => this.health(), observer };
  }

  #addressOf(request: IncomingMessage): string {
    return addressOf(request, this.#settings.trustProxy);
  }

  /** Seconds that one more client has to wait, because too many come at once. */
  #admit(): number {
    const { handshakesPerSecond: rate } = this.#settings.limits;
    return spend(this.#handshakes, rate, performance.now()) === 'accepted' ? 0 : delayOf(this.#handshakes, rate);
  }

  /** The limit that one more connection would exceed, if any. */
  #crowded(request: IncomingMessage): string | undefined {
    const { connections, connectionsPerAddress } = this.#settings.limits;
    const { addresses } = this.#hub;
    const elsewhere = this.#inlet?.elsewhere;
    if (addresses.total + (elsewhere?.total ?? 0) >= connections)
      return `The server is full: it has ${connections} connections`;
    const address = this.#addressOf(request);
    if (addresses.count(address) + (elsewhere?.count(address) ?? 0) < connectionsPerAddress) return undefined;
    return `There are ${connectionsPerAddress} connections from ${address} already`;
  }
}

/** The state of all workers of one port, which any of them is asked for. */
function ofAllWorkers(inlet: Inlet, contentType: string) {
  return {
    health: async () => addHealth((await inlet.reports()).map(({ health }) => health)),
    metrics: {
      contentType,
      text: async () => mergeMetrics((await inlet.reports()).map(({ metrics }) => metrics)),
    },
  };
}

/** Throws unless the namespace can be added to a Socket.IO server. */
function checkMount(io: SocketServer): void {
  if (!io.engine) throw new TypeError('The Socket.IO server is attached to no HTTP server yet: attach it first');
  if (io._nsps.has(SMCP_NAMESPACE)) {
    throw new TypeError(`The Socket.IO server has a namespace '${SMCP_NAMESPACE}' already`);
  }
  const [frame] = new io._parser.Encoder().encode({ type: 2, nsp: SMCP_NAMESPACE, data: ['x', {}] });
  if (frame !== `2${SMCP_NAMESPACE},["x",{}]`) {
    throw new TypeError("The Socket.IO server has a 'parser' of its own, and the protocol needs the default one");
  }
}

/** Loads what only operators need lazily. */
async function createObserver(): Promise<Observer> {
  const { Observer } = await import('./operator/observer.ts');
  return new Observer();
}

/** Loads the client of Redis lazily. */
async function connectCluster({ redis: url, cluster: name, redisOnly }: NodeOptions, { logger }: Settings) {
  if (name !== undefined && url === undefined) {
    throw new TypeError("The option 'cluster' names the nodes that are one through 'redis'; add that option too");
  }
  if (url === undefined) return undefined;
  const { Cluster } = await import('./cluster/cluster.ts');
  return Cluster.connect({ url, name, redisOnly, logger });
}
