import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as TlsServer } from 'node:tls';
import { type ListenOptions as EventOptions, given } from '@a2c-smcp/core';
import type { Cluster, ClusterOptions } from './cluster/cluster.ts';
import { addressOf, isLoopback, loopbackHosts } from './http/addresses.ts';
import { openFrontDoor, type RequestListener } from './http/front-door.ts';
import { type GateOptions, inspect, inspectHost } from './http/gate.ts';
import { answerOperations, type Health } from './http/operations.ts';
import { Hub } from './hub.ts';
import type { MemberInfo, MemberPlace, ServerEvents } from './office/roster.ts';
import { type ListenOptions, type ServerOptions, type Settings, withDefaults } from './options.ts';

/** Milliseconds that a client may take for the head of a request. */
const HEADERS_TIMEOUT_MS = 15_000;

/** TCP connections for each connection of a peer, which needs up to three while it polls. */
const TCP_PER_CONNECTION = 4;

/** The relay that Agents and Computers connect to. */
export class SmcpServer implements AsyncDisposable {
  readonly #http: HttpServer;
  readonly #settings: Settings;
  readonly #hub: Hub;
  readonly #started = performance.now();
  readonly #closeDoor: () => void;
  readonly #stopCounting: () => void;
  readonly #ownsHttp: boolean;
  #closing?: Promise<void>;

  private constructor(http: HttpServer, hub: Hub, settings: Settings, onOther?: RequestListener) {
    this.#http = http;
    this.#settings = settings;
    this.#hub = hub;
    this.#ownsHttp = onOther === undefined;
    const { limits, trustProxy } = settings;
    const maxPerAddress = this.#ownsHttp && !trustProxy ? limits.connectionsPerAddress * TCP_PER_CONNECTION : undefined;
    this.#stopCounting = this.#hub.traffic.watch(http, maxPerAddress);
    const { path, logger } = settings;
    const gate: GateOptions = {
      ...settings,
      asksForCredentials: settings.authenticate !== undefined,
      closing: () => !hub.isOpen,
      crowded: request => this.#crowded(request),
      reserve: request => hub.reserve(request),
      isKnown: sid => hub.hasConnection(sid),
    };
    this.#closeDoor = openFrontDoor(http, {
      path,
      engine: this.#hub.engine,
      inspect: request => inspect(request, gate),
      ...(onOther ? {} : { inspectOther: request => inspectHost(request, settings.allowedHosts) }),
      onOther: onOther ?? answerOperations(this.#operations()),
      onRefused: ({ reason, body }, request) => {
        this.#hub.metrics.recordRejection(reason);
        logger.warn('A handshake was refused', { address: this.#addressOf(request), ...body });
      },
      onFailed: (error, request) => {
        logger.error('A request failed unexpectedly', { address: this.#addressOf(request), error });
      },
    });
    if (settings.allowAnonymous && !settings.authenticate) {
      logger.warn(
        'Every client that reaches this Server may use it: allowAnonymous is set and there is no authenticate',
      );
    }
  }

  /** Opens a Server on a port of its own, with `/health`, `/ready` and `/metrics` beside the protocol. */
  static async listen(options: ListenOptions = {}): Promise<SmcpServer> {
    const { host = '127.0.0.1', port = 7000, tls, redis, cluster: name, ...rest } = options;
    const isLocal = isLoopback(host);
    if (!isLocal && !options.authenticate && !options.allowAnonymous) {
      const problem = `Listening on '${host}' needs authenticate, or allowAnonymous: true to admit every client`;
      throw Object.assign(new TypeError(problem), { code: 'ERR_NEEDS_AUTHENTICATE' });
    }
    if (name !== undefined && redis === undefined) {
      throw new TypeError("The option 'cluster' names the nodes that are one through 'redis'; add that option too");
    }
    const settings = withDefaults({ ...(isLocal ? { allowedHosts: loopbackHosts } : {}), ...given(rest) });
    const cluster =
      redis === undefined ? undefined : await connectCluster({ url: redis, name, logger: settings.logger });
    const hub = new Hub({ ...settings, cluster });
    try {
      const timeouts = { headersTimeout: HEADERS_TIMEOUT_MS };
      const http = tls ? createTlsServer({ ...timeouts, ...tls }) : createServer(timeouts);
      http.maxConnections = settings.limits.connections * TCP_PER_CONNECTION;
      http.listen(port, host);
      await once(http, 'listening');
      await hub.enlist();
      return new SmcpServer(http, hub, settings);
    } catch (error) {
      await hub.close(0);
      throw error;
    }
  }

  /**
   * Adds a Server to an HTTP server that somebody else listens with and closes. Requests to other paths stay theirs, and
   * `health` and `metrics` are there for them to offer.
   */
  static attach(http: HttpServer, options: ServerOptions = {}): SmcpServer {
    const listeners = http.listeners('request') as RequestListener[];
    const settings = withDefaults(options);
    return new SmcpServer(http, new Hub(settings), settings, (request, response) => {
      for (const listener of listeners) listener.call(http, request, response);
    });
  }

  /** Where clients connect, as in `http://127.0.0.1:7000`. Throws while the HTTP server does not listen on a port. */
  get url(): string {
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
   * Lets nobody in any more, gives calls in flight the grace period to end, then closes all connections. Peers notice
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
    this.#closeDoor();
    this.#stopCounting();
    if (!this.#ownsHttp) return;
    const closed = once(this.#http, 'close');
    this.#http.close();
    this.#hub.traffic.end(500);
    await closed;
  }

  #operations() {
    const { exposeMetrics } = this.#settings;
    return { health: () => this.health(), metrics: this.#hub.metrics, exposeMetrics };
  }

  #addressOf(request: IncomingMessage): string {
    return addressOf(request, this.#settings.trustProxy);
  }

  /** The limit that one more connection would exceed, if any. */
  #crowded(request: IncomingMessage): string | undefined {
    const { connections, connectionsPerAddress } = this.#settings.limits;
    const { addresses } = this.#hub;
    if (addresses.total >= connections) return `The server is full: it has ${connections} connections`;
    const address = this.#addressOf(request);
    if (addresses.count(address) < connectionsPerAddress) return undefined;
    return `There are ${connectionsPerAddress} connections from ${address} already`;
  }
}

/** The client of Redis is loaded by those who use it only. */
async function connectCluster(options: ClusterOptions): Promise<Cluster> {
  const { Cluster } = await import('./cluster/cluster.ts');
  return Cluster.connect(options);
}
