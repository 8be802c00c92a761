import type { Logger } from '@a2c-smcp/core';
import type { Redis } from 'ioredis';
import { handleInput } from '../wire/ws.ts';
import type { KeySpace } from './key-space.ts';
import type { Link } from './link.ts';
import { NodeLinks } from './links.ts';
import { decode, encode, type NodeMessage, type Receive } from './messages.ts';
import { Outbox } from './outbox.ts';
import { isRedisCluster } from './redis.ts';

export interface NodeChannelOptions {
  node: string;
  keys: KeySpace;
  /** The connection for commands. */
  redis: Redis;
  /** The connection for messages without receipts, and for nothing else. */
  publisher: Redis;
  subscriber: Redis;
  /** Called when Redis does not accept messages to other nodes. */
  onRefused: (error: unknown) => void;
  logger: Logger;
}

export interface OpenOptions {
  receive: Receive;
  /** Called when messages from or to a node may be lost. */
  onLost: (node: string) => void;
  /** The address at which other nodes may connect to this one; without it all messages go through Redis. */
  host: string | undefined;
}

/** Milliseconds for which messages of an office go the same way as its last notification. */
const ANNOUNCED_MS = 1000;

/**
 * A Redis channel for each node, and one for all: a call has one addressee, so only that node is woken by it. The channels
 * are sharded ones, which have an event of their own in ioredis. Between nodes that are connected directly, calls and their
 * answers pass Redis by, unless they follow a notification of their office, which they must not overtake.
 */
export class NodeChannel {
  readonly #options: NodeChannelOptions;
  readonly #outbox: Outbox;
  #malformed = 0;
  #links: NodeLinks | undefined;
  /** When each office was last notified, the longest ago first, in milliseconds of `performance.now()`. */
  readonly #announced = new Map<string, number>();

  constructor(options: NodeChannelOptions) {
    this.#options = options;
    this.#outbox = new Outbox(options.publisher, options.onRefused);
  }

  /** Begins to receive. ioredis subscribes again by itself when it has lost its connection. */
  async open({ receive, onLost, host }: OpenOptions): Promise<void> {
    const { node, keys, subscriber, logger } = this.#options;
    const onMalformed = () => {
      this.#malformed += 1;
    };
    await this.#outbox.probe();
    if (host !== undefined) {
      const read = (messages: Buffer) => decode(messages, { receive, onMalformed, isProven: true });
      this.#links = await NodeLinks.open({ node, host, receive: read, onLost, logger });
    }
    // Others may write to Redis, too.
    const read = (messages: Buffer) => decode(messages, { receive, onMalformed, isProven: false });
    subscriber.on('smessageBuffer', (_: Buffer, messages: Buffer) => handleInput(read, messages));
    // Not together: in a Redis Cluster they may have different shards.
    await subscriber.ssubscribe(keys.channelOf(node));
    await subscriber.ssubscribe(keys.everyone);
  }

  /** True if Redis reads messages so slowly that no more may be sent. */
  get isFull(): boolean {
    return this.#outbox.isFull;
  }

  /** Where other nodes may connect to this one, for its lease. */
  get address(): string | undefined {
    return this.#links?.address;
  }

  /** Connects directly to a node that has this lease. */
  meet(node: string, lease: string): void {
    this.#links?.meet(node, lease);
  }

  /** Ends the direct connection to a node that is gone. */
  drop(node: string): void {
    this.#links?.drop(node);
  }

  close(): void {
    this.#links?.close();
  }

  /**
   * Sends a message to one node. It is not acknowledged: `silent` lists the nodes that are gone.
   *
   * @param office whose notifications it must not overtake
   */
  post(node: string, message: NodeMessage, body?: string | Buffer, office?: string): void {
    const encoded = encode(message, body);
    const link = this.#linkFor(node, message, office);
    link?.add(encoded);
    // The call may have gone either way, and what ends it must come behind it.
    if (!link || message.type === 'abandon') this.#outbox.add(this.#options.keys.channelOf(node), encoded);
  }

  #linkFor(node: string, { type }: NodeMessage, office: string | undefined): Link | undefined {
    if (type !== 'call' && type !== 'answer' && type !== 'abandon') return undefined;
    const announced = office === undefined ? undefined : this.#announced.get(office);
    if (announced !== undefined && performance.now() - announced < ANNOUNCED_MS) return undefined;
    return this.#links?.to(node);
  }

  /** Sends a message to all nodes, behind everything that was posted before. */
  broadcast(message: NodeMessage, body?: Buffer): void {
    if (message.type === 'broadcast') this.#announce(message.office);
    this.#outbox.flush();
    this.#outbox.add(this.#options.keys.everyone, encode(message, body));
    this.#outbox.flush();
  }

  #announce(office: string): void {
    const now = performance.now();
    this.#announced.delete(office);
    this.#announced.set(office, now);
    for (const [oldest, time] of this.#announced) {
      if (now - time < ANNOUNCED_MS) break;
      this.#announced.delete(oldest);
    }
  }

  /** Sends a message. Resolves when Redis has it. */
  async send(node: string, message: NodeMessage, body?: string | Buffer): Promise<void> {
    const { redis, keys } = this.#options;
    await redis.spublish(keys.channelOf(node), Buffer.concat(encode(message, body)));
  }

  /** True if messages reach this node. */
  async receives(): Promise<boolean> {
    const { redis, keys, node } = this.#options;
    await this.#outbox.probe();
    return Number(await redis.spublish(keys.channelOf(node), '')) > 0;
  }

  /** Those of the nodes that do not listen: they are gone. */
  async silent(all: readonly string[]): Promise<string[]> {
    const { redis, keys } = this.#options;
    // One that is connected listens: its end would be the end of the connection.
    const nodes = all.filter(node => !this.#links?.to(node));
    if (nodes.length === 0) return [];
    if (isRedisCluster(redis)) return this.#silentInCluster(nodes);
    const answer = await redis.pubsub('SHARDNUMSUB', ...nodes.map(node => keys.channelOf(node)));
    // Channels and the number of listeners of each, in turns, in the order of the question.
    return nodes.filter((_, index) => Number(answer[index * 2 + 1]) === 0);
  }

  /** The question would reach any shard; an empty message reaches the one that has the channel. */
  async #silentInCluster(nodes: readonly string[]): Promise<string[]> {
    const { redis, keys } = this.#options;
    const listeners = await Promise.all(nodes.map(node => redis.spublish(keys.channelOf(node), '')));
    return nodes.filter((_, index) => Number(listeners[index]) === 0);
  }

  /** How many messages could not be read since the last call. */
  takeMalformed(): number {
    const count = this.#malformed;
    this.#malformed = 0;
    return count;
  }
}
