import type { Redis } from 'ioredis';
import { handleInput } from '../wire/ws.ts';
import type { KeySpace } from './key-space.ts';
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
}

/**
 * A Redis channel for each node, and one for all: a call has one addressee, so only that node is woken by it. The channels
 * are sharded ones, which have an event of their own in ioredis.
 */
export class NodeChannel {
  readonly #options: NodeChannelOptions;
  readonly #outbox: Outbox;
  #malformed = 0;

  constructor(options: NodeChannelOptions) {
    this.#options = options;
    this.#outbox = new Outbox(options.publisher, options.onRefused);
  }

  /** Begins to receive. ioredis subscribes again by itself when it has lost its connection. */
  async open(receive: Receive): Promise<void> {
    const { node, keys, subscriber } = this.#options;
    const onMalformed = () => {
      this.#malformed += 1;
    };
    await this.#outbox.probe();
    subscriber.on('smessageBuffer', (_: Buffer, messages: Buffer) => {
      handleInput(decode, messages, receive, onMalformed);
    });
    // Not together: in a Redis Cluster they may have different shards.
    await subscriber.ssubscribe(keys.channelOf(node));
    await subscriber.ssubscribe(keys.everyone);
  }

  /** True if Redis reads messages so slowly that no more may be sent. */
  get isFull(): boolean {
    return this.#outbox.isFull;
  }

  /** Sends a message to one node. It is not acknowledged: `silent` lists the nodes that are gone. */
  post(node: string, message: NodeMessage, body?: string | Buffer): void {
    this.#outbox.add(this.#options.keys.channelOf(node), encode(message, body));
  }

  /** Sends a message to all nodes, behind everything that was posted before. */
  broadcast(message: NodeMessage, body?: Buffer): void {
    this.#outbox.flush();
    this.#outbox.add(this.#options.keys.everyone, encode(message, body));
    this.#outbox.flush();
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
  async silent(nodes: readonly string[]): Promise<string[]> {
    const { redis, keys } = this.#options;
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
