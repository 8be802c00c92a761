import { type EnterOfficeReq, ErrorCode, type Role, SmcpError } from '@a2c-smcp/protocol';
import { computersFull, type OfficeSize, officeFull, placeTaken } from '../limits.ts';

/** A member of an office. `P` stands for its connection. */
export interface Member<P> {
  readonly peer: P;
  readonly role: Role;
  readonly name: string;
  readonly office: string;
}

/** The changes that entering an office caused. */
export interface Entry<P> {
  member: Member<P>;
  /** The peer's membership in the office it left for this one. */
  left?: Member<P>;
  /** The stale session of the same peer whose place was taken. */
  replaced?: Member<P>;
  /** Another peer of the same identity whose place was taken. */
  ousted?: Member<P>;
  /** The peer was in this office already: nothing changed. */
  repeated: boolean;
}

export interface OfficesOptions<P> extends OfficeSize {
  /** True if `newcomer` is the same client as `member`, back on a new connection. */
  isSameClient: (member: Member<P>, newcomer: P) => boolean;
  /** True if `newcomer` may take the place of `member`, which is another client. */
  mayOust: (member: Member<P>, newcomer: P) => boolean;
}

interface Office<P> {
  agent?: Member<P>;
  computers: Map<string, Member<P>>;
}

/**
 * Decides who may be where. Knows nothing of sockets. Every rule is checked before anything changes, and every look-up takes
 * the same time however many members there are.
 */
export class Offices<P> {
  readonly #offices = new Map<string, Office<P>>();
  readonly #members = new Map<P, Member<P>>();
  /** A connection keeps its role, also between two offices. */
  readonly #roles = new Map<P, Role>();
  readonly #options: OfficesOptions<P>;

  constructor(options: OfficesOptions<P>) {
    this.#options = options;
  }

  get officeCount(): number {
    return this.#offices.size;
  }

  get memberCount(): number {
    return this.#members.size;
  }

  /** The membership of a connection, if it is in an office. */
  member(peer: P): Member<P> | undefined {
    return this.#members.get(peer);
  }

  /** The Computer called `name` in an office. Offices cannot see into each other. */
  computer(office: string, name: string): Member<P> | undefined {
    return this.#offices.get(office)?.computers.get(name);
  }

  /** How many members an office has. */
  size(office: string): number {
    const { agent, computers } = this.#offices.get(office) ?? {};
    return (agent ? 1 : 0) + (computers?.size ?? 0);
  }

  /** Everybody in an office, the Agent first. */
  membersOf(office: string): Member<P>[] {
    const { agent, computers } = this.#offices.get(office) ?? {};
    return [...(agent ? [agent] : []), ...(computers?.values() ?? [])];
  }

  /** Calls `visit` with everybody in an office. Cheaper than a list, for offices of thousands. */
  visit(office: string, visit: (member: Member<P>) => void): void {
    const { agent, computers } = this.#offices.get(office) ?? {};
    if (agent) visit(agent);
    computers?.forEach(visit);
  }

  /** Everybody in all offices. */
  all(): Member<P>[] {
    return [...this.#members.values()];
  }

  /** The member that `peer` would be after `enter`. Throws as `enter` does, and changes nothing. */
  check(peer: P, { role, name, office_id: office }: EnterOfficeReq): Member<P> {
    checkName('name', name);
    checkName('office id', office);
    this.#checkIdentity(peer, role, name);
    const current = this.#members.get(peer);
    if (current?.office === office) return current;
    if (current && role === 'agent') {
      const details = { office_id: current.office };
      throw new SmcpError(ErrorCode.AgentElsewhere, 'Already in another office; leave it first', { details });
    }
    const request = { role, name, office_id: office };
    if (!this.#occupant(peer, request)) this.#checkRoom(request);
    return { peer, role, name, office };
  }

  /** Enters an office. A refusal is an `SmcpError` whose message is the reason, and leaves no trace. */
  enter(peer: P, request: EnterOfficeReq): Entry<P> {
    const member = this.check(peer, request);
    const left = this.#members.get(peer);
    if (left === member) return { member, repeated: true };
    const occupant = this.#occupant(peer, request);
    if (occupant) this.#remove(occupant);
    if (left) this.#remove(left);
    this.#add(member);
    const place = occupant && (this.#isStale(occupant, peer, request) ? { replaced: occupant } : { ousted: occupant });
    return { member, left, ...place, repeated: false };
  }

  /** Leaves an office. Naming any other office than one's own is refused. */
  leave(peer: P, office: string | undefined): Member<P> {
    const member = this.#members.get(peer);
    if (!member || member.office !== office) throw new SmcpError(ErrorCode.NotInOffice, 'Not in room');
    this.#remove(member);
    return member;
  }

  /** Forgets a connection. Returns who it was, if it was still in an office. */
  forget(peer: P): Member<P> | undefined {
    const member = this.#members.get(peer);
    if (member) this.#remove(member);
    this.#roles.delete(peer);
    return member;
  }

  #checkIdentity(peer: P, role: Role, name: string): void {
    const bound = this.#roles.get(peer) ?? role;
    if (bound !== role) throw refusal(`This connection joined as ${bound} and cannot join as ${role}`);
    const current = this.#members.get(peer);
    if (current && current.name !== name) throw refusal(`This connection is called '${current.name}'; leave first`);
  }

  /** The member whose place `newcomer` takes, if it may. */
  #occupant(newcomer: P, request: EnterOfficeReq): Member<P> | undefined {
    const { role, name, office_id: office } = request;
    const { agent, computers } = this.#offices.get(office) ?? {};
    const occupant = role === 'agent' ? agent : computers?.get(name);
    if (!occupant || this.#isStale(occupant, newcomer, request)) return occupant;
    if (this.#options.mayOust(occupant, newcomer)) return occupant;
    throw placeTaken(request);
  }

  /** True if `member` is an earlier session of the newcomer. */
  #isStale(member: Member<P>, newcomer: P, { name }: EnterOfficeReq): boolean {
    return member.name === name && this.#options.isSameClient(member, newcomer);
  }

  #checkRoom(request: EnterOfficeReq): void {
    const { role, office_id: office } = request;
    const { maxMembers, maxComputers } = this.#options;
    if (this.size(office) >= maxMembers) throw officeFull(this.#options);
    const computers = this.#offices.get(office)?.computers.size ?? 0;
    if (role === 'computer' && computers >= maxComputers) throw computersFull(request, this.#options);
  }

  #add(member: Member<P>): void {
    const office: Office<P> = this.#offices.get(member.office) ?? { computers: new Map() };
    this.#offices.set(member.office, office);
    if (member.role === 'agent') office.agent = member;
    else office.computers.set(member.name, member);
    this.#members.set(member.peer, member);
    this.#roles.set(member.peer, member.role);
  }

  #remove(member: Member<P>): void {
    this.#members.delete(member.peer);
    const office = this.#offices.get(member.office);
    if (!office) return;
    if (member.role === 'agent') office.agent = undefined;
    else office.computers.delete(member.name);
    if (!office.agent && office.computers.size === 0) this.#offices.delete(member.office);
  }
}

function refusal(reason: string): SmcpError {
  return new SmcpError(ErrorCode.Forbidden, reason);
}

function checkName(what: string, value: string): void {
  const problem = nameProblem(value);
  if (problem !== undefined) throw new SmcpError(ErrorCode.BadRequest, `The ${what} ${problem}`);
}

function nameProblem(value: string): string | undefined {
  if (value.trim() === '') return 'is empty';
  if (value.length > 256) return `is longer than 256 characters`;
  if (/[\p{Cc}\p{Surrogate}]/u.test(value)) return 'contains control characters';
  return undefined;
}
