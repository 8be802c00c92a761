import { setTimeout as delay } from 'node:timers/promises';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import type { Redis } from 'ioredis';
import { computersFull, type OfficeSize, officeFull, placeTaken } from '../limits.ts';
import type { KeySpace } from './key-space.ts';
import { type Registration, readRecord, writeRecord } from './registration.ts';
import { CLEAR, ENTER, LEAVE, RENEW, RETIRE, SETTLE } from './scripts.ts';

/** Commands defined by our scripts. */
interface ScriptedRedis extends Redis {
  a2cEnter(...args: (string | number)[]): Promise<[outcome: string, detail?: string]>;
  a2cLeave(...args: string[]): Promise<number>;
  a2cRetire(...args: string[]): Promise<number>;
  a2cClear(...args: (string | number)[]): Promise<[left: number, ...records: string[]]>;
  a2cRenew(...args: (string | number)[]): Promise<number>;
  a2cSettle(...args: (string | number)[]): Promise<number>;
}

export interface EnterOptions {
  size: OfficeSize;
  /** True if the newcomer takes the place of another client of its identity. */
  ousts: boolean;
  /** Called when Redis has lost its data and no other newcomer has noticed before. */
  onLostData: () => void;
}

/** Milliseconds that joins wait after Redis has lost its data, until all nodes have registered anew. Longer than a beat. */
const SETTLING_MS = 3000;
/** A newcomer looks again at least this long after it was told to wait. */
const MIN_RETRY_MS = 25;
/** How often a newcomer that has to wait asks, when Redis loses its data again and again. */
const ENTER_LIMIT = 5;

/** How many members of a departed node are removed in one step. */
const CLEAR_SIZE = 200;

const UNLIMITED: OfficeSize = { maxMembers: Number.MAX_SAFE_INTEGER, maxComputers: Number.MAX_SAFE_INTEGER };

/** The registry of members by office and node, in Redis. Every change is one atomic step. */
export class Registry {
  readonly #redis: ScriptedRedis;
  readonly #keys: KeySpace;
  readonly #node: string;

  constructor(redis: Redis, keys: KeySpace, node: string) {
    redis.defineCommand('a2cEnter', { numberOfKeys: 4, lua: ENTER });
    redis.defineCommand('a2cLeave', { numberOfKeys: 2, lua: LEAVE });
    redis.defineCommand('a2cRetire', { numberOfKeys: 3, lua: RETIRE });
    redis.defineCommand('a2cClear', { numberOfKeys: 1, lua: CLEAR });
    redis.defineCommand('a2cRenew', { numberOfKeys: 3, lua: RENEW });
    redis.defineCommand('a2cSettle', { numberOfKeys: 2, lua: SETTLE });
    this.#redis = redis as ScriptedRedis;
    this.#keys = keys;
    this.#node = node;
  }

  /** Takes a newcomer's place. Returns the session it replaces, if there is one. */
  async enter(member: Registration, { size, ousts, onLostData }: EnterOptions): Promise<Registration | undefined> {
    for (let attempt = 0; attempt < ENTER_LIMIT; attempt++) {
      const [outcome, detail] = await this.#take(member, size, { isNewcomer: true, ousts });
      if (outcome === 'entered') return readRecord(detail);
      if (outcome === 'full') throw officeFull(size);
      const request = { ...member, office_id: member.office };
      if (outcome === 'computers') throw computersFull(request, size);
      if (outcome === 'taken') throw placeTaken(request);
      if (outcome === 'lost') onLostData();
      await delay(Math.min(Math.max(Number(detail) || 0, MIN_RETRY_MS), SETTLING_MS) + 1, undefined, { ref: false });
    }
    throw new SmcpError(ErrorCode.Internal, 'The nodes of this Server are still registering their members; try again');
  }

  /** Takes the place of a member that was there before Redis lost it. False when another client has it by now. */
  async reclaim(member: Registration): Promise<boolean> {
    const [outcome] = await this.#take(member, UNLIMITED, { isNewcomer: false, ousts: false });
    return outcome === 'entered';
  }

  /** Gives the member's place back. False when it has gone to another session of the same client. */
  async leave(member: Registration): Promise<boolean> {
    const { offices, membersOf } = this.#keys.partitionOf(member.office);
    const keys = [offices + member.office, membersOf(this.#node)];
    return (await this.#redis.a2cLeave(...keys, placeOf(member), member.sid, entryOf(member))) === 1;
  }

  async computer(office: string, name: string): Promise<Registration | undefined> {
    return readRecord(await this.#redis.hget(this.#officeKey(office), placeOf({ role: 'computer', name })));
  }

  async members(office: string): Promise<Registration[]> {
    const records = await this.#redis.hvals(this.#officeKey(office));
    return records.flatMap(record => readRecord(record) ?? []);
  }

  /** The members that Redis has for this node. */
  async own(): Promise<Registration[]> {
    const sets = this.#keys.partitions.map(({ membersOf }) => this.#redis.smembers(membersOf(this.#node)));
    const entries = (await Promise.all(sets)).flat();
    const records = await Promise.all(
      entries.map(entry => {
        const [place = '', office = ''] = entry.split('\n');
        return this.#redis.hget(this.#officeKey(office), place);
      }),
    );
    return records.flatMap(record => readRecord(record) ?? []).filter(({ node }) => node === this.#node);
  }

  /**
   * Renews this node's lease for some milliseconds. True when the cluster did not know the node, or not any more.
   *
   * @param address where other nodes may connect to this one
   */
  async renew(lease: number, address = ''): Promise<boolean> {
    const { nodes, departed, partitions } = this.#keys;
    const answers = await Promise.all([
      this.#redis.a2cRenew(this.#keys.leaseOf(this.#node), nodes, departed, this.#node, lease, address),
      ...partitions.map(({ epoch, settling }) => this.#redis.a2cSettle(epoch, settling, SETTLING_MS)),
    ]);
    return answers.includes(1);
  }

  /** The other nodes, whether each has a lease, and the address in it. */
  async others(): Promise<{ node: string; alive: boolean; address: string }[]> {
    const nodes = (await this.#redis.smembers(this.#keys.nodes)).filter(node => node !== this.#node);
    if (nodes.length === 0) return [];
    const leases = await this.#redis.mget(nodes.map(node => this.#keys.leaseOf(node)));
    return nodes.map((node, index) => ({ node, alive: leases[index] !== null, address: leases[index] ?? '' }));
  }

  /** Removes a dead node. Yields its members as `clear` does, to the one caller that removed it. */
  async *sweep(node: string): AsyncGenerator<Registration[]> {
    const { nodes, departed } = this.#keys;
    const isRetired = (await this.#redis.a2cRetire(nodes, departed, this.#keys.leaseOf(node), node)) === 1;
    if (isRetired) yield* this.clear(node);
  }

  /** Nodes whose members are about to be removed: a caller of `sweep` may have ended meanwhile. */
  departed(): Promise<string[]> {
    return this.#redis.smembers(this.#keys.departed);
  }

  /**
   * Removes the members of a departed node, some at a time, and yields each to one caller. Stops when the node has returned:
   * what is registered for it then is there.
   */
  async *clear(node: string): AsyncGenerator<Registration[]> {
    const { partitions, departed } = this.#keys;
    for (const { membersOf, offices } of partitions) {
      let left = 0;
      do {
        const [count, ...records] = await this.#redis.a2cClear(membersOf(node), node, offices, CLEAR_SIZE);
        left = count;
        yield records.flatMap(record => readRecord(record) ?? []);
        if (left > 0 && !(await this.departed()).includes(node)) return;
      } while (left > 0);
    }
    await this.#redis.srem(departed, node);
  }

  /** Takes a node out of the cluster, without waiting for its lease to end. Yields its members as `sweep` does. */
  async *remove(node: string): AsyncGenerator<Registration[]> {
    await this.#redis.del(this.#keys.leaseOf(node));
    yield* this.sweep(node);
  }

  #officeKey(office: string): string {
    return this.#keys.partitionOf(office).offices + office;
  }

  #take(
    member: Registration,
    { maxMembers, maxComputers }: OfficeSize,
    { isNewcomer, ousts }: { isNewcomer: boolean; ousts: boolean },
  ): Promise<[outcome: string, detail?: string]> {
    const { offices, epoch, settling, membersOf } = this.#keys.partitionOf(member.office);
    const keys = [offices + member.office, membersOf(this.#node), epoch, settling];
    const limits = [maxMembers, Number(isNewcomer), SETTLING_MS, maxComputers, Number(ousts)];
    return this.#redis.a2cEnter(...keys, placeOf(member), writeRecord(member), entryOf(member), ...limits);
  }
}

/** An office has one place for an Agent and one for each name of a Computer. */
function placeOf({ role, name }: Pick<Registration, 'role' | 'name'>): string {
  return role === 'agent' ? 'agent' : `computer:${name}`;
}

/** Names contain no line breaks, so this can be split again. */
function entryOf(member: Registration): string {
  return `${placeOf(member)}\n${member.office}`;
}
