import { type Emitter, type Logger, SerialQueue } from '@a2c-smcp/core';
import {
  type EnterOfficeReq,
  ErrorCode,
  type LeaveOfficeReq,
  type ListRoomReq,
  type ListRoomRet,
  type OfficeAck,
  type SessionInfo,
  SmcpError,
  speaks,
} from '@a2c-smcp/protocol';
import { authorize } from '../auth/identity.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Registration } from '../cluster/registration.ts';
import { MAX_QUEUED_EVENTS, type OfficeSize } from '../limits.ts';
import { chargeBroadcast } from '../wire/rate.ts';
import { notice, sessionOf } from './notice.ts';
import type { Notifier } from './notifier.ts';
import type { Member, Offices } from './offices.ts';
import { describeMember, type ServerEvents } from './roster.ts';
import { type PeerSocket, registrationOf } from './session.ts';

export interface ReceptionOptions {
  offices: Offices<PeerSocket>;
  notifier: Notifier;
  /** The places of all nodes together, when there are several. */
  cluster?: Pick<Cluster, 'node' | 'enter' | 'leave' | 'members'>;
  size: OfficeSize;
  events: Emitter<ServerEvents>;
  /** True if newcomers are still let in. */
  isOpen: () => boolean;
  logger: Logger;
}

/** Carries out joins and leaves, and notifies the other members. */
export class Reception {
  readonly #offices: Offices<PeerSocket>;
  readonly #options: ReceptionOptions;
  readonly #logger: Logger;

  constructor(options: ReceptionOptions) {
    this.#options = options;
    this.#offices = options.offices;
    this.#logger = options.logger;
  }

  join(socket: PeerSocket, request: EnterOfficeReq): Promise<OfficeAck> {
    return this.#inOrder(socket, () => this.#join(socket, request));
  }

  leave(socket: PeerSocket, { office_id }: LeaveOfficeReq): Promise<OfficeAck> {
    return this.#inOrder(socket, async () => {
      const member = this.#offices.member(socket);
      // From 0.5 on the name of the office does not matter, and leaving twice is not an error.
      const isTolerant = speaks(socket.data.version, '0.5');
      if (!isTolerant || member)
        await this.#depart(this.#offices.leave(socket, isTolerant ? member?.office : office_id));
      return [true, null];
    });
  }

  async list(socket: PeerSocket, { agent, req_id, office_id }: ListRoomReq): Promise<ListRoomRet> {
    const member = this.#offices.member(socket);
    if (!member) throw new SmcpError(ErrorCode.NotInOffice, 'Join an office first');
    if (agent !== member.name) {
      throw new SmcpError(ErrorCode.Forbidden, `'agent' must be '${member.name}', the name you joined with`);
    }
    if (office_id !== member.office) throw await this.#notYourOffice(office_id, socket);
    const { cluster } = this.#options;
    const members = cluster ? await cluster.members(office_id) : this.#offices.membersOf(office_id).map(localListing);
    // Computers compare the session with that of notifications; Agents have no use for it.
    const describe = (listed: Registration) =>
      member.role === 'computer' ? { ...sessionInfo(listed), ...sessionOf(listed) } : sessionInfo(listed);
    const sessions = members.toSorted((a, b) => compareText(a.role, b.role)).map(describe);
    return { sessions, req_id };
  }

  async #notYourOffice(office: string, { data }: PeerSocket): Promise<SmcpError> {
    const { cluster } = this.#options;
    const elsewhere = new SmcpError(ErrorCode.CrossOfficeAccess, 'That is not your office');
    // Later lines do not say whether an office exists.
    if (speaks(data.version, '0.5')) return elsewhere;
    const size = cluster ? (await cluster.members(office)).length : this.#offices.size(office);
    if (size === 0) return new SmcpError(ErrorCode.OfficeNotFound, 'That office has no members');
    return elsewhere;
  }

  /**
   * Removes a lost connection from its office. When the Server closes, all connections are lost, and the notifications
   * would only delay it.
   */
  lost(socket: PeerSocket): void {
    const member = this.#offices.forget(socket);
    if (!member) return;
    const { cluster } = this.#options;
    void cluster?.leave(registrationOf(member, cluster.node));
    if (this.#options.isOpen()) this.#announceLeave(member);
  }

  /** Ends a session whose place has gone to another connection of the same client. No member is notified: the client is still there. */
  evict(socket: PeerSocket): void {
    this.#offices.forget(socket);
    socket.disconnect(true);
  }

  /** Joins and leaves of one peer are carried out one after the other. */
  #inOrder<T>({ data }: PeerSocket, task: () => Promise<T>): Promise<T> {
    data.moves ??= new SerialQueue({
      onIdle: () => {
        data.moves = undefined;
      },
    });
    if (data.moves.size >= MAX_QUEUED_EVENTS) {
      throw new SmcpError(ErrorCode.TooManyRequests, 'Wait for the answer to your last join');
    }
    return data.moves.run(task);
  }

  async #join(socket: PeerSocket, request: EnterOfficeReq): Promise<OfficeAck> {
    if (!this.#options.isOpen()) throw new SmcpError(ErrorCode.Forbidden, 'The server is shutting down');
    const { role, name, office_id: office } = request;
    authorize(socket.data.identity, { role, name, office });
    const gone = await this.#takePlace(socket, request);
    if (!socket.connected) throw connectionLost();
    const { member, left, replaced, ousted, repeated } = this.#offices.enter(socket, request);
    if (repeated) return [true, null];
    socket.data.since = Date.now();
    if (ousted) this.#oust(ousted);
    if (gone) this.#options.notifier.notify(office, 'notify:leave_office', notice(gone), { except: socket });
    if (left) await this.#depart(left);
    // The connection may have ended meanwhile, and the office been told.
    if (!socket.connected) throw connectionLost();
    if (replaced) replaced.peer.disconnect(true);
    chargeBroadcast(socket.data.allowance, this.#offices.size(office), 0);
    if (!replaced) this.#announceEnter(member);
    this.#logger.info('A member entered an office', { sid: socket.id, role, name, office, replaced: !!replaced });
    return [true, null];
  }

  /**
   * Among several nodes a place is taken in Redis first; all rules that need no other node are checked before that. Returns
   * the member of another node, and another client, that has lost its place.
   */
  async #takePlace(socket: PeerSocket, request: EnterOfficeReq): Promise<Registration | undefined> {
    const { cluster, size } = this.#options;
    if (!cluster || this.#offices.member(socket)?.office === request.office_id) return undefined;
    const member = this.#offices.check(socket, request);
    const registration = registrationOf(member, cluster.node);
    const replaced = await cluster.enter(registration, { size, ousts: socket.data.replaces });
    if (!socket.connected) {
      await cluster.leave(registration);
      throw connectionLost();
    }
    const isSameClient = registration.client !== undefined && replaced?.client === registration.client;
    return isSameClient ? undefined : replaced;
  }

  /** Ends a session whose place has gone to another client. */
  #oust(member: Member<PeerSocket>): void {
    this.#announceLeave(member);
    member.peer.disconnect(true);
  }

  async #depart(member: Member<PeerSocket>): Promise<void> {
    const { cluster } = this.#options;
    this.#announceLeave(member);
    await cluster?.leave(registrationOf(member, cluster.node));
  }

  /** Notifies the others. */
  #notify(member: Member<PeerSocket>, event: 'notify:enter_office' | 'notify:leave_office'): void {
    this.#options.notifier.notify(member.office, event, notice(registrationOf(member, '')), {
      except: member.peer,
    });
  }

  #announceEnter(member: Member<PeerSocket>): void {
    this.#notify(member, 'notify:enter_office');
    this.#options.events.emit('enter', describeMember(member));
  }

  #announceLeave(member: Member<PeerSocket>): void {
    const { peer, role, name, office } = member;
    this.#notify(member, 'notify:leave_office');
    this.#options.events.emit('leave', describeMember(member));
    this.#logger.info('A member left an office', { sid: peer.id, role, name, office });
  }
}

/** Only the session of an Agent is listed, and a hash for each Computer would cost more than all the rest. */
function localListing(member: Member<PeerSocket>): Registration {
  const { peer, role, name, office } = member;
  if (role === 'agent') return registrationOf(member, '');
  const { version } = peer.data;
  return { node: '', sid: peer.id, role, name, office, ...(version === undefined ? {} : { version }) };
}

function sessionInfo({ sid, role, name, office, version }: Registration): SessionInfo {
  return { sid, name, role, office_id: office, ...(version === undefined ? {} : { a2c_version: version }) };
}

/** The peer disconnected during its join; as a member it would never be removed. */
function connectionLost(): SmcpError {
  return new SmcpError(ErrorCode.NotInOffice, 'The connection was lost');
}

/** The Agent before the Computers. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
