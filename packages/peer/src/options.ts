import type { Logger, Trace } from '@a2c-smcp/core';
import type { Role, SmcpError } from '@a2c-smcp/protocol';
import type { Channel } from './channel.ts';
import type { Transport } from './connect.ts';

/** A value, or a function that is called at every attempt to connect, so that an expired token is renewed. */
export type Renewable<T> = T | (() => T | Promise<T>);

export interface PeerOptions {
  role: Role;
  /** Unique among the members of the same role in the office. */
  name: string;
  office: string;
  /** Credentials for the Server, sent in the Socket.IO `auth` object. */
  auth?: Renewable<Record<string, unknown>>;
  /** HTTP headers of the handshake. In browsers they reach polling requests only, never a WebSocket. */
  headers?: Renewable<Record<string, string>>;
  /**
   * Takes the place of a member of the same identity, which is disconnected. Has no effect once joined, so that two
   * members cannot replace each other by turns. @default false
   */
  replace?: boolean;
  /** Keeps connecting while no Server answers or takes connections, until `signal` fires. @default false */
  waitForServer?: boolean;
  /**
   * Certificates of authorities to trust in place of those that Node knows, in PEM format. In Node only: a browser has its
   * own.
   */
  ca?: string | undefined;
  /**
   * In the order they are tried. The protocol asks for polling first. @default ['polling', 'websocket'], and ['websocket']
   * in Cloudflare Workers
   */
  transports?: readonly Transport[];
  /** The HTTP path of Socket.IO. @default '/socket.io/' */
  path?: string;
  /**
   * The protocol version to speak. `auto` is the newest that the Server speaks too: the peer says the newest it knows, and
   * if that is refused, the best one that the refusal allows. @default 'auto'
   */
  protocolVersion?: string;
  /** Milliseconds for each attempt to connect and join, with the functions `auth` and `headers`. @default 10_000 */
  timeout?: number;
  /** Gives up connecting and joining. Once joined it has no effect. */
  signal?: AbortSignal;
  /** @default silent */
  logger?: Logger;
  /** Called with every frame of the connection. @default lines on standard error when `A2C_TRACE` is `wire` */
  trace?: Trace;
  /** Called before connecting: handlers registered here miss no event after the join. */
  prepare?: (channel: Channel) => void;
}

/** Where a peer stands. `joined` follows a `lost` sooner or later, unless the peer is closed. */
export type ConnectionState =
  | { type: 'joined' }
  /** The connection is gone; the peer reconnects by itself. */
  | { type: 'lost'; reason: string }
  /** An attempt to reconnect failed; another follows. */
  | { type: 'retrying'; error: SmcpError; attempt: number }
  /** The end. With an `error` it was not asked for: the Server has changed to another protocol version. */
  | { type: 'closed'; error?: SmcpError };

/** The events of a `Peer`. */
export interface PeerEvents {
  connection: ConnectionState;
}
