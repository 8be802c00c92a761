import { given, guardLogger, type Logger, type Trace, traceFromEnvironment } from '@a2c-smcp/core';
import {
  DRAIN_TIMEOUT_MS,
  PING_INTERVAL_MS,
  PING_TIMEOUT_MS,
  PROTOCOL_LINES,
  SERVER_TIMEOUT_MS,
} from '@a2c-smcp/protocol';
import type { Authenticate, Authorize } from './auth/identity.ts';
import { loopbackHosts } from './http/addresses.ts';
import type { OperatorConsole } from './http/console.ts';
import type { Inlet } from './inlet.ts';
import { defaultLimits, type Limits } from './limits.ts';

export interface ServerOptions {
  /** Decides who may connect. Without it only this machine may, unless `allowAnonymous` is set. */
  authenticate?: Authenticate;
  /** Asked before each request of an Agent is forwarded to a Computer. @default every request is */
  authorize?: Authorize;
  /** Admits every client on the network without credentials. @default false */
  allowAnonymous?: boolean;
  /** Refuses clients that do not say which protocol version they speak. @default false */
  requireVersion?: boolean;
  /** The `MAJOR.MINOR` lines of the protocol that are served, oldest first. @default all known ones, 0.2 to 0.5 */
  acceptVersions?: readonly string[];
  /** Computers in one office. Protocol 0.5 has one; all earlier lines have any number. @default no limit */
  computersPerOffice?: number;
  /**
   * Passes on what later versions of the protocol added: `client:*` requests to the Computer they name, `server:update_*`
   * signals to the office. @default true
   */
  forwardUnknown?: boolean;
  /** The HTTP path of Engine.IO. @default '/socket.io/' */
  path?: string;
  limits?: Partial<Limits>;
  /** Milliseconds a Computer may take for anything but a tool call, which brings its own limit. @default 30,000 */
  timeout?: number;
  /** Milliseconds that `close` waits for calls in flight. @default 5,000 */
  gracePeriod?: number;
  /**
   * Host names by which clients may address the Server. @default the loopback names when it listens there or asks for no
   * credentials, else any
   */
  allowedHosts?: readonly string[];
  /** Web origins whose pages may connect; they get CORS headers. @default none but the Server's own */
  allowedOrigins?: readonly string[];
  /** Takes the address of a client from the last `X-Forwarded-For`. For Servers behind a proxy only. @default false */
  trustProxy?: boolean;
  /** The readers of `/metrics`: this machine, every client, or no client. @default 'local' */
  exposeMetrics?: 'local' | 'public' | 'off';
  /** Milliseconds between two heartbeats. @default 25,000 */
  pingInterval?: number;
  /** Milliseconds without a sign of life after which a peer counts as gone. @default 20,000 */
  pingTimeout?: number;
  /** Reads and writes WebSockets directly, not through Engine.IO: false is slower and does the same. @default true */
  fastPath?: boolean;
  /** Called with every frame of every connection. @default lines on standard error when `A2C_TRACE` is `wire` */
  trace?: Trace;
  /** @default silent */
  logger?: Logger;
}

export interface ListenOptions extends ServerOptions {
  /**
   * The address of a Redis that several nodes share to act as one Server. Several with commas between are nodes of a Redis
   * Cluster; `sentinel://HOST:PORT,HOST:PORT/NAME` is the master of this name.
   */
  redis?: string;
  /** Separates Servers that share a database of a Redis: only nodes with the same name are one. @default 'main' */
  cluster?: string;
  /**
   * Sends everything between nodes through Redis. Otherwise each node listens at a free port of the address from which it
   * reaches Redis, and calls between nodes that reach each other pass Redis by; not where the connection to Redis is
   * encrypted, and not with a Redis Cluster. @default false
   */
  redisOnly?: boolean;
  /**
   * Serves the operator API, `/api/v1`, to programs that send one of these keys as a bearer token. Keys of Agents and
   * Computers are not accepted there, and these keys admit to no office. @default the API is off
   */
  operatorKeys?: readonly string[];
  /** Serves the pages of a console to operators, and the API to them: `operatorConsole` of `@a2c-smcp/console`. @default off */
  console?: OperatorConsole;
  /** A certificate with its chain and its private key, both in PEM format: the Server then speaks TLS. */
  tls?: { cert: string; key: string };
  /** @default '127.0.0.1' */
  host?: string;
  /** 0 takes any free port. @default 7000 */
  port?: number;
  /** Takes connections from the process that started this one, and opens no port: `WorkerLink`. */
  inlet?: Inlet;
}

/** How several nodes act as one Server. */
export type NodeOptions = Pick<ListenOptions, 'redis' | 'cluster' | 'redisOnly'>;

/** Options with their defaults. */
export interface Settings
  extends Required<Omit<ServerOptions, 'authenticate' | 'authorize' | 'allowedHosts' | 'limits' | 'trace'>> {
  authenticate?: Authenticate;
  authorize?: Authorize;
  allowedHosts?: readonly string[];
  limits: Limits;
  trace: Trace | undefined;
}

/** A Server for this machine only answers to its names only: another name may be a web page's trick to reach it. */
export function withDefaults({ limits = {}, path = '/socket.io/', logger, ...options }: ServerOptions): Settings {
  const isForThisMachine = !options.authenticate && !options.allowAnonymous;
  return {
    ...(isForThisMachine ? { allowedHosts: loopbackHosts } : {}),
    allowAnonymous: false,
    requireVersion: false,
    acceptVersions: PROTOCOL_LINES,
    computersPerOffice: Number.MAX_SAFE_INTEGER,
    forwardUnknown: true,
    timeout: SERVER_TIMEOUT_MS,
    gracePeriod: DRAIN_TIMEOUT_MS,
    allowedOrigins: [],
    trustProxy: false,
    exposeMetrics: 'local',
    pingInterval: PING_INTERVAL_MS,
    pingTimeout: PING_TIMEOUT_MS,
    fastPath: true,
    trace: traceFromEnvironment(),
    ...given(options),
    logger: guardLogger(logger),
    path: path.endsWith('/') ? path : `${path}/`,
    limits: { ...defaultLimits, ...given(limits) },
  };
}
