import {
  type EnterOfficeReq,
  ErrorCode,
  type LeaveOfficeReq,
  type ListRoomReq,
  type ListRoomRet,
  type Logger,
  type OfficeAck,
  type SessionInfo,
  SmcpError,
} from '@a2c-smcp/protocol';
import { authorize } from './auth/identity.ts';
import type { Member, Offices } from './offices.ts';
import { type PeerSocket, roomOf } from './sockets.ts';

export interface ReceptionOptions {
  offices: Offices<PeerSocket>;
  /** Whether newcomers are still let in. */
  isOpen: () => boolean;
  logger: Logger;
}

/** Lets peers into offices and out of them, and tells the others. */
export class Reception {
  readonly #offices: Offices<PeerSocket>;
  readonly #isOpen: () => boolean;
  readonly #logger: Logger;

  constructor({ offices, isOpen, logger }: ReceptionOptions) {
    this.#offices = offices;
    this.#isOpen = isOpen;
    this.#logger = logger;
  }

  async join(socket: PeerSocket, request: EnterOfficeReq): Promise<OfficeAck> {
    if (!this.#isOpen()) throw new SmcpError(ErrorCode.Forbidden, 'The server is shutting down');
    const { role, name, office_id: office } = request;
    authorize(socket.data.identity, { role, name, office });
    const { member, left, replaced, repeated } = this.#offices.enter(socket, request);
    if (repeated) return [true, null];
    if (left) await this.#depart(left);
    if (replaced) replaced.peer.disconnect(true);
    await socket.join(roomOf(office));
    if (!replaced) socket.to(roomOf(office)).emit('notify:enter_office', notice(member));
    this.#logger.info('A member entered an office', { sid: socket.id, role, name, office, replaced: !!replaced });
    return [true, null];
  }

  async leave(socket: PeerSocket, { office_id }: LeaveOfficeReq): Promise<OfficeAck> {
    await this.#depart(this.#offices.leave(socket, office_id));
    return [true, null];
  }

  list(socket: PeerSocket, { agent, req_id, office_id }: ListRoomReq): ListRoomRet {
    const member = this.#offices.member(socket);
    if (!member) throw new SmcpError(ErrorCode.NotInOffice, 'Join an office first');
    if (agent !== member.name) {
      throw new SmcpError(ErrorCode.Forbidden, `'agent' must be '${member.name}', the name you joined with`);
    }
    const sessions = this.#offices.membersOf(office_id).map(sessionInfo);
    if (sessions.length === 0) throw new SmcpError(ErrorCode.OfficeNotFound, 'There is nobody in that office');
    if (office_id !== member.office) throw new SmcpError(ErrorCode.CrossOfficeAccess, 'That is not your office');
    return { sessions, req_id };
  }

  /**
   * A lost connection leaves its office like one that says so. When the Server closes all lose theirs, and telling each
   * of every other would only delay it.
   */
  lost(socket: PeerSocket): void {
    const member = this.#offices.forget(socket);
    if (member && this.#isOpen()) this.#announceLeave(member);
  }

  async #depart(member: Member<PeerSocket>): Promise<void> {
    this.#announceLeave(member);
    await member.peer.leave(roomOf(member.office));
  }

  /** Before the member is out of the Socket.IO room, and not to the member itself. */
  #announceLeave(member: Member<PeerSocket>): void {
    const { peer, role, name, office } = member;
    peer.to(roomOf(office)).emit('notify:leave_office', notice(member));
    this.#logger.info('A member left an office', { sid: peer.id, role, name, office });
  }
}

function notice({ role, name, office }: Member<PeerSocket>): { office_id: string; agent?: string; computer?: string } {
  return { office_id: office, [role]: name };
}

function sessionInfo({ peer, role, name, office }: Member<PeerSocket>): SessionInfo {
  const { version } = peer.data;
  return { sid: peer.id, name, role, office_id: office, ...(version === undefined ? {} : { a2c_version: version }) };
}
