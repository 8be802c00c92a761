import type { SerialQueue } from '@a2c-smcp/core';
import type { PeerBound, ServerBound } from '@a2c-smcp/protocol';
import type { DefaultEventsMap, Namespace, Socket } from 'socket.io';
import type { Identity } from '../auth/identity.ts';
import { clientOf, ownerOf, type Registration } from '../cluster/registration.ts';
import type { Channel } from '../wire/channel.ts';
import type { Allowance } from '../wire/rate.ts';
import type { Member } from './offices.ts';

/** The state of a connection, from its admission to its end. */
export interface Session {
  readonly identity: Identity;
  /** The protocol version the client said it speaks. For display only. */
  readonly version?: string;
  /** Names the client object behind the connection, so that it can take over its own stale session. */
  readonly instanceId?: string;
  /** True if the client wants to take the place of another one of its identity. */
  readonly replaces: boolean;
  readonly allowance: Allowance;
  /** When it entered its office, in milliseconds since 1970. */
  since?: number;
  /** Joins and leaves that are not finished, and the events that arrived after them; undefined when there are none. */
  moves?: SerialQueue | undefined;
  /** Ends the connection together with its credentials. */
  expiry?: NodeJS.Timeout;
  /** The messages of the peer, from its admission on. */
  channel?: Pick<Channel, 'send' | 'sendShared' | 'backlog'>;
  /** Ids of the calls that this Agent has sent and that are not answered yet, by `req_id`. */
  calls?: Map<string, number>;
  /** Ids of the calls that this Computer has not answered yet. */
  serving?: Set<number>;
  /** Calls in a row that this Computer has not answered in time. */
  unanswered: number;
}

/** A connection in the namespace `/smcp`. */
export type PeerSocket = Socket<ServerBound, PeerBound, DefaultEventsMap, Session>;

/** The namespace `/smcp`. */
export type PeerNamespace = Namespace<ServerBound, PeerBound, DefaultEventsMap, Session>;

/** A member as other nodes know it. */
export function registrationOf({ peer, role, name, office }: Member<PeerSocket>, node: string): Registration {
  const { version, instanceId, identity } = peer.data;
  return {
    ...{ node, sid: peer.id, role, name, office, owner: ownerOf(identity.id) },
    ...(version === undefined ? {} : { version }),
    ...(instanceId === undefined ? {} : { client: clientOf(instanceId, identity.id, name) }),
  };
}
