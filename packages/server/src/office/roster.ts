import type { Emitter } from '@a2c-smcp/core';
import type { Role } from '@a2c-smcp/protocol';
import type { Cluster } from '../cluster/cluster.ts';
import { guardOf } from '../wire/connection-guard.ts';
import type { Member, Offices } from './offices.ts';
import type { PeerSocket } from './session.ts';

/** A member of an office. */
export interface MemberInfo {
  /** The id of its connection. */
  sid: string;
  role: Role;
  name: string;
  office: string;
  /** The protocol version that it stated. */
  version?: string;
  /** `id` of the identity that `authenticate` returned. Absent for members of other nodes, like all below. */
  identity?: string;
  /** The IP address of the client. */
  address?: string;
  /** When it entered the office, in milliseconds since 1970. */
  since?: number;
  /** Calls that an Agent has sent or a Computer has got, and that are not answered yet. */
  inFlight?: number;
}

/** The place of a member. */
export interface MemberPlace {
  office: string;
  role: Role;
  /** @default any: an office has one Agent */
  name?: string;
}

/** The events of a Server. Each node emits those of its own members. */
export interface ServerEvents {
  /** A member entered an office. A client that reconnects before its absence was noticed does not enter again. */
  enter: MemberInfo;
  leave: MemberInfo;
  /** A connection, an event or a join was refused, or a connection was ended because of a limit. */
  refuse: RefusalInfo;
}

export interface RefusalInfo {
  /** A reason of the metric `a2c_rejected_total`. */
  reason: string;
  /** The IP address of the client, where it is known. */
  address?: string;
  /** The message that the client received. */
  message?: string;
}

export interface RosterOptions {
  offices: Offices<PeerSocket>;
  /** The other nodes, when there are several. */
  cluster?: Pick<Cluster, 'node' | 'members' | 'post'> | undefined;
  events: Emitter<ServerEvents>;
}

/** The members as the program sees them that runs the Server. */
export class Roster {
  readonly #options: RosterOptions;

  constructor(options: RosterOptions) {
    this.#options = options;
  }

  /** The members of an office on all nodes, or of all offices on this node. */
  async members(office?: string): Promise<MemberInfo[]> {
    const { offices, cluster } = this.#options;
    const here = (office === undefined ? offices.all() : offices.membersOf(office)).map(describeMember);
    if (office === undefined || !cluster) return here;
    const elsewhere = (await cluster.members(office)).filter(({ node }) => node !== cluster.node);
    return [...here, ...elsewhere.map(({ node, owner, client, ...member }) => member)];
  }

  /** Ends the connections of the members at a place, on all nodes. Returns their number. */
  async disconnect({ office, role, name }: MemberPlace): Promise<number> {
    const { offices, cluster } = this.#options;
    const isMeant = (member: { role: Role; name: string }) =>
      member.role === role && (name === undefined || member.name === name);
    const here = offices.membersOf(office).filter(isMeant);
    for (const { peer } of here) peer.disconnect(true);
    if (!cluster) return here.length;
    const isElsewhere = ({ node }: { node: string }) => node !== cluster.node;
    const elsewhere = (await cluster.members(office)).filter(isElsewhere).filter(isMeant);
    for (const { node, sid } of elsewhere) cluster.post(node, { type: 'disconnect', sid });
    return here.length + elsewhere.length;
  }
}

/** A member of this node. */
export function describeMember({ peer, role, name, office }: Member<PeerSocket>): MemberInfo {
  const { version, identity, since, calls, serving } = peer.data;
  return {
    ...{ sid: peer.id, role, name, office, identity: identity.id, address: guardOf(peer.conn).address },
    ...(version === undefined ? {} : { version }),
    ...(since === undefined ? {} : { since }),
    inFlight: (role === 'agent' ? calls?.size : serving?.size) ?? 0,
  };
}
