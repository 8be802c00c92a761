import { randomUUID } from 'node:crypto';
import { ErrorCode, type Logger, SmcpError } from '@a2c-smcp/protocol';
import { Redis, type RedisOptions } from 'ioredis';
import { type CallMessage, NodeChannel, type NodeMessage } from './channel.ts';
import { type Registration, Registry } from './registry.ts';

export interface ClusterOptions {
  /** The address of Redis, as in `redis://127.0.0.1:6379`. */
  url: string;
  logger: Logger;
}

/** What a cluster needs of the Server on its node. */
export interface ClusterHost {
  /** The members that are here now. */
  members(): Registration[];
  /** Tells the offices of members that are gone with their node. */
  announceGone(members: Registration[]): void;
  /** Fails what another node had to answer. */
  nodeLost(node: string): void;
  /** Fails what any other node had to answer. */
  cutOff(): void;
  /** Ends a session whose place somebody else has. */
  evict(sid: string): void;
  /** Carries out or answers a call of another node. */
  receive(message: CallMessage, body: Buffer): void;
}

/** How often a node renews its lease and looks after the others, in milliseconds. */
const BEAT = 2000;
const LEASE = 8000;
/** For how many beats a lease must be missing: after a pause of Redis all are, for a moment. */
const PATIENCE = 2;
/** When Redis has forgotten everything, all nodes register anew; until they have, nobody may join. Longer than a beat. */
const SETTLE = 3000;

/** How many Computers of other nodes are remembered. */
const MOST_WHEREABOUTS = 10_000;

/** This node's place among several that act as one Server. */
export class Cluster {
  readonly node: string = randomUUID();
  /** For broadcasts; see `createAdapter`. */
  readonly publisher: Redis;
  readonly subscriber: Redis;
  readonly #registry: Registry;
  readonly #channel: NodeChannel;
  readonly #logger: Logger;
  readonly #missing = new Map<string, number>();
  /** Where Computers of other nodes are, as far as known. A wrong entry is found out by using it. */
  readonly #whereabouts = new Map<string, Registration>();
  #host?: ClusterHost;
  #available = false;
  #beating: Promise<void> = Promise.resolve();
  #timer?: NodeJS.Timeout;

  private constructor(options: ClusterOptions) {
    this.#logger = options.logger;
    this.publisher = connect(options);
    this.subscriber = connect(options, { commandTimeout: undefined });
    this.#registry = new Registry(this.publisher, this.node);
    this.#channel = new NodeChannel(this.publisher, this.subscriber, this.node);
    for (const redis of this.#connections) redis.on('close', () => this.#lose('The connection to Redis was lost'));
  }

  /** Connects to Redis. Rejects when it cannot be reached. */
  static async connect(options: ClusterOptions): Promise<Cluster> {
    const cluster = new Cluster(options);
    try {
      await Promise.all(cluster.#connections.map(redis => redis.connect()));
      return cluster;
    } catch (cause) {
      await cluster.close();
      throw new Error('Redis cannot be reached; check the option redis', { cause });
    }
  }

  /** Makes this node part of the cluster. */
  async enlist(host: ClusterHost): Promise<void> {
    this.#host = host;
    await this.#channel.open((message, body) => this.#receive(message, body));
    await this.#beat();
    this.#timer = setInterval(() => {
      this.#beating = this.#beating.then(() => this.#beat());
    }, BEAT);
    this.#timer.unref();
  }

  /** Whether other nodes can be reached. */
  get available(): boolean {
    return this.#available;
  }

  /** Takes a place for a newcomer. Waits a little while the cluster settles; refuses when it cannot be asked. */
  async enter(member: Registration, maxMembers: number): Promise<void> {
    const replaced = await this.#ask(() => this.#registry.enter(member, maxMembers));
    if (!replaced || replaced.node === this.node) return;
    this.post(replaced.node, { type: 'evict', sid: replaced.sid });
  }

  /** Gives a place back. When Redis is away that is made up for later. */
  async leave(member: Registration): Promise<void> {
    if (!this.#available) return;
    await this.#registry.leave(member).catch(error => this.#lose(error));
  }

  /** The node of a Computer that was found before. */
  whereabouts(office: string, name: string): string | undefined {
    return this.#whereabouts.get(keyOf(office, name))?.node;
  }

  /** Looks for the node of a Computer. */
  async find(office: string, name: string): Promise<string | undefined> {
    const found = await this.#ask(() => this.#registry.computer(office, name));
    if (!found || found.node === this.node) return undefined;
    if (this.#whereabouts.size >= MOST_WHEREABOUTS) this.#whereabouts.clear();
    this.#whereabouts.set(keyOf(office, name), found);
    return found.node;
  }

  /** Forgets where a Computer was believed to be. */
  forget(office: string, name: string): void {
    this.#whereabouts.delete(keyOf(office, name));
  }

  members(office: string): Promise<Registration[]> {
    return this.#ask(() => this.#registry.members(office));
  }

  /** Sends a message to another node, if it is there; see `gone`. */
  post(node: string, message: NodeMessage, body?: string | Buffer): void {
    this.#channel.post(node, message, body);
  }

  /** Sends at once what was posted, before something else that must not overtake it. */
  flush(): void {
    this.#channel.flush();
  }

  /** Those of the nodes that are not there any more. */
  async gone(nodes: readonly string[]): Promise<Set<string>> {
    const gone = await this.#ask(() => this.#channel.silent(nodes)).catch(() => []);
    for (const node of gone) this.#dropWhereabouts(node);
    return new Set(gone);
  }

  /** Leaves the cluster. Another node tells the offices who is gone. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    if (this.#available) await this.#resign().catch(error => this.#lose(error));
    this.#available = false;
    for (const redis of this.#connections) redis.disconnect();
  }

  get #connections(): Redis[] {
    return [this.publisher, this.subscriber];
  }

  async #resign(): Promise<void> {
    const gone = await this.#registry.resign();
    const heir = (await this.#registry.others()).find(({ alive }) => alive);
    if (heir && gone.length > 0) await this.#channel.send(heir.node, { type: 'gone' }, JSON.stringify(gone));
  }

  async #beat(): Promise<void> {
    try {
      if (this.subscriber.status !== 'ready') throw new Error('Nothing can be received from Redis');
      const isNew = await this.#registry.renew({ lease: LEASE, settling: SETTLE });
      if (isNew || !this.#available) await this.#return();
      await this.#lookAfterOthers();
    } catch (error) {
      this.#lose(error);
    }
  }

  /** Makes Redis and this node agree about who is here, after one has forgotten or missed something. */
  async #return(): Promise<void> {
    const local = new Map(this.#host?.members().map(member => [member.sid, member]));
    const gone = (await this.#registry.own()).filter(({ sid }) => !local.has(sid));
    for (const member of gone) await this.#registry.leave(member);
    for (const member of local.values()) {
      if (!(await this.#registry.reclaim(member))) this.#host?.evict(member.sid);
    }
    this.#whereabouts.clear();
    this.#available = true;
    this.#host?.announceGone(gone);
    this.#logger.info('This node is part of the cluster', { node: this.node, members: local.size });
  }

  async #lookAfterOthers(): Promise<void> {
    for (const { node, alive } of await this.#registry.others()) {
      const missed = alive ? 0 : (this.#missing.get(node) ?? 0) + 1;
      if (missed === 0) this.#missing.delete(node);
      else this.#missing.set(node, missed);
      if (missed < PATIENCE) continue;
      this.#missing.delete(node);
      this.#logger.warn('A node of the cluster is gone', { node });
      this.#dropWhereabouts(node);
      this.#host?.nodeLost(node);
      this.#host?.announceGone(await this.#registry.sweep(node));
    }
  }

  #receive(message: NodeMessage, body: Buffer): void {
    if (message.type === 'evict') this.#host?.evict(message.sid);
    else if (message.type === 'gone') this.#host?.announceGone(JSON.parse(String(body)));
    else this.#host?.receive(message, body);
  }

  #lose(reason: unknown): void {
    if (!this.#available) return;
    this.#available = false;
    this.#missing.clear();
    this.#logger.warn('This node cannot reach the others', { node: this.node, reason });
    this.#host?.cutOff();
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    if (!this.#available) throw unavailable();
    try {
      return await question();
    } catch (error) {
      if (error instanceof SmcpError) throw error;
      this.#lose(error);
      throw unavailable();
    }
  }

  #dropWhereabouts(node: string): void {
    for (const [key, member] of this.#whereabouts) {
      if (member.node === node) this.#whereabouts.delete(key);
    }
  }
}

function connect({ url, logger }: ClusterOptions, more: RedisOptions = {}): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    // Commands fail at once while Redis is away; nothing is kept for later without bound.
    enableOfflineQueue: false,
    commandTimeout: 2000,
    connectTimeout: 2000,
    maxRetriesPerRequest: 0,
    retryStrategy: attempt => Math.min(100 * attempt, 1000),
    ...more,
  });
  redis.on('error', error => logger.debug('Redis reported an error', { error: error.message }));
  return redis;
}

/** What is answered while the other nodes cannot be reached. */
export function unavailable(): SmcpError {
  const details = { reason: 'cluster_unavailable' };
  return new SmcpError(ErrorCode.Internal, 'The nodes of this Server cannot reach each other; try again', { details });
}

function keyOf(office: string, name: string): string {
  return `${office}\n${name}`;
}
