import { randomUUID } from 'node:crypto';
import { type Logger, readJson, SerialQueue } from '@a2c-smcp/core';
import type { Role } from '@a2c-smcp/protocol';
import { SmcpError } from '@a2c-smcp/protocol';
import type { Redis } from 'ioredis';
import { NodeChannel } from './channel.ts';
import { isName } from './checks.ts';
import { refusedByRedis, unavailable } from './errors.ts';
import { CLUSTER_PARTITIONS, DEFAULT_CLUSTER, KeySpace } from './key-space.ts';
import { type MessageOf, type NodeMessage, readGone } from './messages.ts';
import { Questions } from './questions.ts';
import { reconcile } from './reconcile.ts';
import { addressTowards, createRedis, isConnectionError, isRedisCluster, reasonOf } from './redis.ts';
import type { Registration } from './registration.ts';
import { type EnterOptions, Registry } from './registry.ts';
import { Whereabouts } from './whereabouts.ts';

export interface ClusterOptions {
  /** The address of Redis, as in `redis://127.0.0.1:6379`; see `readRedisAddress`. */
  url: string;
  /** Separates clusters in one database of a Redis. @default 'main' */
  name?: string | undefined;
  /** Opens no port for other nodes, and connects to none. */
  redisOnly?: boolean | undefined;
  logger: Logger;
}

/** The Server of this node, as the cluster needs it. */
export interface ClusterHost {
  /** The members that are here now. */
  members(): Registration[];
  /** Notifies the offices of members that are gone with their node. */
  announceGone(members: Registration[]): void;
  /** Fails the calls that another node had to answer, and abandons those it made. */
  nodeLost(node: string): void;
  /** Fails the calls that another node had to answer: answers may be lost. */
  messagesLost(node: string): void;
  /** Does so for all other nodes. */
  cutOff(): void;
  /** Ends a session whose place another session has. */
  evict(sid: string): void;
  /** Ends a session because the program of another node wants it. */
  disconnect(sid: string): void;
  /** Answers a question of another node about this one. */
  answer(question: unknown): Promise<unknown>;
  /** Handles a message about a call or a notification. */
  receive(message: MessageOf<'call' | 'answer' | 'abandon' | 'broadcast'>, body: Buffer): void;
}

/** How often a node renews its lease and looks after the others. */
const BEAT_MS = 2000;
const LEASE_MS = 8000;
/** For how many beats a lease must be missing: after a pause of Redis all are, for a moment. */
const MISSED_BEATS_LIMIT = 2;

/** This node's place among several that act as one Server. */
export class Cluster {
  readonly node: string = randomUUID();
  /** For commands. */
  readonly #redis: Redis;
  /** For messages; see `Outbox`. */
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #registry: Registry;
  readonly #channel: NodeChannel;
  readonly #redisOnly: boolean;
  readonly #logger: Logger;
  readonly #whereabouts = new Whereabouts();
  readonly #questions = new Questions();
  /** How many beats the leases of other nodes have been missing. */
  #missing = new Map<string, number>();
  #host?: ClusterHost;
  #available = false;
  /** True if Redis and this node may disagree about its members. */
  #isStale = false;
  #leaseEnd = 0;
  /** Why Redis did not accept a message since the last beat. */
  #refusal?: unknown;
  readonly #beats = new SerialQueue();
  #timer?: NodeJS.Timeout;

  private constructor({ url, name = DEFAULT_CLUSTER, redisOnly = false, logger }: ClusterOptions) {
    this.#redisOnly = redisOnly;
    this.#logger = logger;
    this.#redis = createRedis(url, logger);
    const partitions = isRedisCluster(this.#redis) ? CLUSTER_PARTITIONS : 1;
    const keys = new KeySpace(this.#redis.options.db ?? 0, name, partitions);
    this.#publisher = createRedis(url, logger);
    this.#subscriber = createRedis(url, logger, { commandTimeout: undefined });
    this.#registry = new Registry(this.#redis, keys, this.node);
    const connections = { redis: this.#redis, publisher: this.#publisher, subscriber: this.#subscriber };
    const onRefused = (error: unknown) => this.#failPending(error);
    this.#channel = new NodeChannel({ node: this.node, keys, ...connections, onRefused, logger });
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
    await this.#channel.open({
      receive: (message, body) => this.#receive(message, body, host),
      onLost: node => host.messagesLost(node),
      host: this.#redisOnly ? undefined : addressTowards(this.#redis),
    });
    await this.#beat(host);
    this.#timer = setInterval(() => this.#beatNow(host), BEAT_MS);
    this.#timer.unref();
  }

  /** True if messages to other nodes can be sent. */
  get available(): boolean {
    return this.#available && !this.#channel.isFull;
  }

  /**
   * Takes a place for a newcomer. Waits a little while the cluster settles; refuses when it cannot be asked. Returns the
   * session on another node that it replaces.
   */
  async enter(member: Registration, options: Pick<EnterOptions, 'size' | 'ousts'>): Promise<Registration | undefined> {
    const onLostData = () => this.#channel.broadcast({ type: 'settling' });
    const replaced = await this.#ask(() => this.#registry.enter(member, { ...options, onLostData }));
    if (!replaced || replaced.node === this.node) return undefined;
    this.post(replaced.node, { type: 'evict', sid: replaced.sid });
    return replaced;
  }

  /** Gives a place back, or has the next beat do so when that fails. */
  async leave(member: Registration): Promise<void> {
    if (!this.#available) return;
    await this.#ask(() => this.#registry.leave(member)).catch(() => {
      this.#isStale = true;
    });
  }

  /** The node of a Computer that was found before. */
  whereabouts(office: string, name: string): string | undefined {
    return this.#whereabouts.get(office, name);
  }

  /** Looks for the node of a Computer. */
  async find(office: string, name: string): Promise<string | undefined> {
    if (!isName(name)) return undefined;
    const found = await this.#ask(() => this.#registry.computer(office, name));
    if (!found || found.node === this.node) return undefined;
    this.#whereabouts.set(office, name, found.node);
    return found.node;
  }

  /** Drops the cached node of a Computer. */
  forget(office: string, name: string): void {
    this.#whereabouts.delete(office, name);
  }

  async members(office: string): Promise<Registration[]> {
    return isName(office) ? this.#ask(() => this.#registry.members(office)) : [];
  }

  /** Sends a message to another node, if it is there; see `gone`. @param office whose notifications it must not overtake */
  post(node: string, message: NodeMessage, body?: string | Buffer, office?: string): void {
    if (this.available) this.#channel.post(node, message, body, office);
  }

  /** Sends a notification to the other nodes, behind the messages that were posted before. */
  broadcast(office: string, body: Buffer, to?: Role): void {
    if (!this.available) return;
    this.#channel.broadcast({ type: 'broadcast', from: this.node, office, ...(to ? { to } : {}) }, body);
  }

  /** The other nodes that have a lease. */
  async others(): Promise<string[]> {
    const others = await this.#ask(() => this.#registry.others());
    return others.flatMap(({ node, alive }) => (alive ? [node] : []));
  }

  /** Asks another node about itself. Rejects when it does not answer. */
  ask(node: string, question: object): Promise<unknown> {
    if (!this.available) return Promise.reject(unavailable());
    return this.#questions.ask(id => this.post(node, { type: 'ask', id, from: this.node }, JSON.stringify(question)));
  }

  /** Those of the nodes that are not there any more. */
  async gone(nodes: readonly string[]): Promise<Set<string>> {
    const gone = this.#available ? await this.#channel.silent(nodes).catch(error => this.#unknown(error)) : [];
    for (const node of gone) this.#whereabouts.deleteNode(node);
    return new Set(gone);
  }

  /** Removes a node that is known to have ended: others need not wait until its lease has. */
  async bury(node: string): Promise<void> {
    this.#whereabouts.deleteNode(node);
    this.#channel.drop(node);
    this.#host?.nodeLost(node);
    await this.#ask(() => this.#announce(this.#registry.remove(node)));
  }

  /** Leaves the cluster. Another node notifies the offices of the members that are gone. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beats.idle();
    if (this.#available) await this.#resign().catch(error => this.#lose(error));
    this.#available = false;
    this.#channel.close();
    for (const redis of this.#connections) redis.disconnect();
  }

  get #connections(): Redis[] {
    return [this.#redis, this.#publisher, this.#subscriber];
  }

  async #resign(): Promise<void> {
    const heir = (await this.#registry.others()).find(({ alive }) => alive);
    for await (const gone of this.#registry.remove(this.node)) {
      if (heir && gone.length > 0) await this.#channel.send(heir.node, { type: 'gone' }, JSON.stringify(gone));
    }
  }

  /** Beats after the beat that may be in progress. One that has not begun yet serves all requests. */
  #beatNow(host: ClusterHost): void {
    if (this.#beats.size < 2) void this.#beats.run(() => this.#beat(host));
  }

  async #beat(host: ClusterHost): Promise<void> {
    this.#report();
    try {
      if (this.#connections.some(({ status }) => status !== 'ready')) throw new Error('A connection to Redis is lost');
      if (!(await this.#channel.receives())) throw new Error('Redis does not deliver messages to this node');
      const begun = performance.now();
      const isNew = await this.#registry.renew(LEASE_MS, this.#channel.address);
      this.#leaseEnd = begun + LEASE_MS;
      // Its members may still be being removed, as those of a dead node, while it registers them.
      const wasTakenForDead = isNew && this.#available;
      if (isNew || this.#isStale || !this.#available) await this.#return(host);
      this.#isStale ||= wasTakenForDead;
      await this.#lookAfterOthers(host);
    } catch (error) {
      if (!isConnectionError(error)) this.#logger.error('Redis refused a request', this.#because(error));
      // Without a lease the others take this node for dead, and give its members' places away.
      if (isConnectionError(error) || performance.now() + BEAT_MS > this.#leaseEnd) this.#lose(error);
    }
  }

  async #return(host: ClusterHost): Promise<void> {
    const { gone, isComplete } = await reconcile({
      registry: this.#registry,
      members: () => host.members(),
      evict: sid => host.evict(sid),
      onError: error => {
        if (isConnectionError(error)) throw error;
        this.#logger.error('Redis refused a request', this.#because(error));
      },
    });
    this.#whereabouts.clear();
    if (!this.#available) this.#logger.info('This node is part of the cluster', { node: this.node });
    this.#available = true;
    this.#isStale = !isComplete;
    host.announceGone(gone);
  }

  async #lookAfterOthers(host: ClusterHost): Promise<void> {
    const missing = new Map<string, number>();
    for (const { node, alive, address } of await this.#registry.others()) {
      if (alive) this.#channel.meet(node, address);
      else missing.set(node, (this.#missing.get(node) ?? 0) + 1);
    }
    this.#missing = missing;
    for (const [node, beats] of missing) {
      if (beats < MISSED_BEATS_LIMIT) continue;
      missing.delete(node);
      this.#logger.warn('A node of the cluster is gone', { node });
      this.#whereabouts.deleteNode(node);
      this.#channel.drop(node);
      host.nodeLost(node);
      await this.#announce(this.#registry.sweep(node));
    }
    for (const node of await this.#registry.departed()) await this.#announce(this.#registry.clear(node));
  }

  /** Each portion at once: a member that returns is announced by its node, and must not be announced as gone after that. */
  async #announce(portions: AsyncIterable<Registration[]>): Promise<void> {
    for await (const gone of portions) this.#host?.announceGone(gone);
  }

  /** Never throws: ioredis would let it end the process. */
  #receive(message: NodeMessage, body: Buffer, host: ClusterHost): void {
    try {
      if (message.type === 'evict') host.evict(message.sid);
      else if (message.type === 'disconnect') host.disconnect(message.sid);
      else if (message.type === 'gone') host.announceGone(readGone(body));
      else if (message.type === 'settling') this.#beatNow(host);
      else if (message.type === 'ask') void this.#answer(message, body, host);
      else if (message.type === 'tell') this.#questions.told(message.id, body);
      else host.receive(message, body);
    } catch (error) {
      this.#logger.error('A message of another node could not be handled', this.#because(error));
    }
  }

  async #answer({ from, id }: MessageOf<'ask'>, body: Buffer, host: ClusterHost): Promise<void> {
    const answer = await host.answer(readJson(String(body))).catch((error: unknown) => {
      this.#logger.error('A question of another node could not be answered', this.#because(error));
    });
    this.post(from, { type: 'tell', id }, answer === undefined ? '' : JSON.stringify(answer));
  }

  #lose(reason: unknown): void {
    if (!this.#available) return;
    this.#available = false;
    this.#missing.clear();
    this.#logger.warn('This node cannot reach the others', this.#because(reason));
    this.#host?.cutOff();
  }

  /** Fails the calls in flight when any of them may not have been sent. */
  #failPending(reason: unknown): void {
    if (!this.#available) return;
    this.#refusal = reason;
    this.#host?.cutOff();
  }

  /** Logs once a beat, because messages are many. */
  #report(): void {
    const count = this.#channel.takeMalformed();
    if (count > 0) this.#logger.warn('Malformed messages of other nodes were dropped', { node: this.node, count });
    if (this.#refusal) this.#logger.warn('Redis refused messages to other nodes', this.#because(this.#refusal));
    this.#refusal = undefined;
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    if (!this.#available) throw unavailable();
    try {
      return await question();
    } catch (error) {
      if (error instanceof SmcpError) throw error;
      if (isConnectionError(error)) {
        this.#lose(error);
        throw unavailable();
      }
      this.#logger.error('Redis refused a request', this.#because(error));
      throw refusedByRedis();
    }
  }

  /** When Redis cannot list the nodes that are gone, their leases do. Called too often for more than a debug line. */
  #unknown(error: unknown): string[] {
    if (isConnectionError(error)) this.#lose(error);
    else this.#logger.debug('Redis refused a request', this.#because(error));
    return [];
  }

  #because(reason: unknown): { node: string; reason: string } {
    return { node: this.node, reason: reasonOf(reason) };
  }
}
