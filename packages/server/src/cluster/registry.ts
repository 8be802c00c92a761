import { setTimeout as delay } from 'node:timers/promises';
import { ErrorCode, type Role, SmcpError } from '@a2c-smcp/protocol';
import type { Redis } from 'ioredis';
import { ENTER, LEAVE, RENEW, SWEEP } from './scripts.ts';

/** A member as all nodes know it. */
export interface Registration {
  node: string;
  sid: string;
  role: Role;
  name: string;
  office: string;
  version?: string;
  instance?: string;
  identity: string;
}

/** Commands defined by our scripts. */
interface ScriptedRedis extends Redis {
  a2cEnter(...args: (string | number)[]): Promise<[outcome: string, detail?: string]>;
  a2cLeave(...args: string[]): Promise<number>;
  a2cSweep(...args: string[]): Promise<string[]>;
  a2cRenew(...args: (string | number)[]): Promise<number>;
}

const PREFIX = 'a2c:';
const NODES = `${PREFIX}nodes`;
const OFFICES = `${PREFIX}office:`;
const EPOCH = `${PREFIX}epoch`;
const SETTLING = `${PREFIX}settling`;

/** Who is in which office on which node, in Redis. Every change is one atomic step. */
export class Registry {
  readonly #redis: ScriptedRedis;
  readonly #node: string;

  constructor(redis: Redis, node: string) {
    redis.defineCommand('a2cEnter', { numberOfKeys: 3, lua: ENTER });
    redis.defineCommand('a2cLeave', { numberOfKeys: 2, lua: LEAVE });
    redis.defineCommand('a2cSweep', { numberOfKeys: 3, lua: SWEEP });
    redis.defineCommand('a2cRenew', { numberOfKeys: 4, lua: RENEW });
    this.#redis = redis as ScriptedRedis;
    this.#node = node;
  }

  /** Takes a newcomer's place. Returns the session it replaces, if it is the same client come back. */
  async enter(member: Registration, maxMembers: number): Promise<Registration | undefined> {
    for (;;) {
      const [outcome, detail] = await this.#take(member, maxMembers, '1');
      if (outcome === 'settling') {
        await delay(Number(detail) + 1);
        continue;
      }
      if (outcome === 'full') {
        throw new SmcpError(ErrorCode.TooManyRequests, `The office is full: it has ${maxMembers} members`);
      }
      if (outcome === 'taken') throw taken(member);
      return detail ? (JSON.parse(detail) as Registration) : undefined;
    }
  }

  /** Takes the place of a member that was there before Redis forgot it. False when it has gone to somebody else. */
  async reclaim(member: Registration): Promise<boolean> {
    const [outcome] = await this.#take(member, Number.MAX_SAFE_INTEGER, '0');
    return outcome === 'entered';
  }

  /** Gives the member's place back. False when it has gone to another session of the same client. */
  async leave(member: Registration): Promise<boolean> {
    const keys = [OFFICES + member.office, membersOf(this.#node)];
    return (await this.#redis.a2cLeave(...keys, placeOf(member), member.sid, entryOf(member))) === 1;
  }

  async computer(office: string, name: string): Promise<Registration | undefined> {
    const record = await this.#redis.hget(OFFICES + office, placeOf({ role: 'computer', name }));
    return record === null ? undefined : JSON.parse(record);
  }

  async members(office: string): Promise<Registration[]> {
    const records = await this.#redis.hvals(OFFICES + office);
    return records.map(record => JSON.parse(record));
  }

  /** What Redis believes to be on this node. */
  async own(): Promise<Registration[]> {
    const entries = await this.#redis.smembers(membersOf(this.#node));
    const records = await Promise.all(
      entries.map(entry => {
        const [place = '', office = ''] = split(entry);
        return this.#redis.hget(OFFICES + office, place);
      }),
    );
    const members = records.flatMap(record => (record === null ? [] : [JSON.parse(record) as Registration]));
    return members.filter(({ node }) => node === this.#node);
  }

  /** Renews this node's lease. True when the cluster did not know the node, or not any more. */
  async renew({ lease, settling }: { lease: number; settling: number }): Promise<boolean> {
    const keys = [leaseOf(this.#node), NODES, EPOCH, SETTLING];
    return (await this.#redis.a2cRenew(...keys, this.#node, lease, settling)) === 1;
  }

  /** The other nodes, and whether each has a lease. */
  async others(): Promise<{ node: string; alive: boolean }[]> {
    const nodes = (await this.#redis.smembers(NODES)).filter(node => node !== this.#node);
    if (nodes.length === 0) return [];
    const leases = await this.#redis.mget(nodes.map(leaseOf));
    return nodes.map((node, index) => ({ node, alive: leases[index] !== null }));
  }

  /** Removes a dead node. Returns its members to the one caller that did it. */
  async sweep(node: string): Promise<Registration[]> {
    const gone = await this.#redis.a2cSweep(NODES, membersOf(node), leaseOf(node), node, OFFICES);
    return gone.map(record => JSON.parse(record));
  }

  /** Takes this node out of the cluster, without waiting for its lease to end. Returns the members it had. */
  async resign(): Promise<Registration[]> {
    await this.#redis.del(leaseOf(this.#node));
    return this.sweep(this.#node);
  }

  #take(member: Registration, maxMembers: number, isNewcomer: '0' | '1'): Promise<[outcome: string, detail?: string]> {
    const keys = [OFFICES + member.office, membersOf(this.#node), SETTLING];
    const args = [placeOf(member), JSON.stringify(member), entryOf(member), maxMembers, isNewcomer];
    return this.#redis.a2cEnter(...keys, ...args);
  }
}

function taken({ role, name }: Registration): SmcpError {
  if (role === 'agent') return new SmcpError(ErrorCode.OfficeFull, 'Room already has an agent');
  return new SmcpError(ErrorCode.Forbidden, `Another computer in this office is called '${name}'`);
}

function membersOf(node: string): string {
  return `${PREFIX}members:${node}`;
}

function leaseOf(node: string): string {
  return `${PREFIX}lease:${node}`;
}

/** An office has one place for an Agent and one for each name of a Computer. */
function placeOf({ role, name }: Pick<Registration, 'role' | 'name'>): string {
  return role === 'agent' ? 'agent' : `computer:${name}`;
}

/** Names contain no line breaks, so this can be split again. */
function entryOf(member: Registration): string {
  return `${placeOf(member)}\n${member.office}`;
}

function split(entry: string): string[] {
  return entry.split('\n');
}
