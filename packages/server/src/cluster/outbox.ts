import type { Redis } from 'ioredis';
import { depart, type Sender } from '../wire/ws.ts';
import { isRedisCluster } from './redis.ts';

const SKIP_REPLY = '*3\r\n$6\r\nCLIENT\r\n$5\r\nREPLY\r\n$4\r\nSKIP\r\n';
const END = Buffer.from('\r\n');

/** Larger messages are not collected: Redis limits the length of one command. */
const MAX_BATCHED_BYTES = 65_536;
/** Bytes that may be written and not yet read by Redis. */
const MAX_UNSENT_BYTES = 256 * 1024 * 1024;

/**
 * Publishes without receipts, and together all messages for a channel that some input causes, or all of one turn of the
 * event loop. A receipt would wake this process once more for every call. ioredis expects a reply to each of its
 * commands, so these are written past it; each is written whole, so that they do not disturb the others.
 *
 * Needs a connection of its own: while Redis is busy or its ACL changes it answers all the same, and ioredis would take
 * that for the reply to another command.
 *
 * Where Redis, or a proxy before it, does not allow that, its receipts are ignored.
 */
export class Outbox implements Sender {
  readonly #redis: Redis;
  readonly #onRefused: (error: unknown) => void;
  readonly #waiting = new Map<string, Buffer[]>();
  #isDue = false;
  #maySkip = false;
  #mayBeFull = false;

  /** Calls `onRefused` when Redis does not accept messages. Which ones is not known. */
  constructor(redis: Redis, onRefused: (error: unknown) => void) {
    this.#redis = redis;
    this.#onRefused = onRefused;
    // ioredis reports a reply to a command that is not its own, which is an error of Redis.
    redis.on('error', error => {
      this.#maySkip = false;
      onRefused(error);
    });
  }

  /** Finds out whether Redis allows to skip replies, unless it is known to. */
  async probe(): Promise<void> {
    // The shards of a Redis Cluster have connections of their own, which cannot be written to.
    if (this.#maySkip || isRedisCluster(this.#redis)) return;
    this.#maySkip = await this.#redis.client('REPLY', 'ON').then(
      reply => reply === 'OK',
      () => false,
    );
  }

  /** Looks at the connection only after a flush has left much in it: every call asks. */
  get isFull(): boolean {
    if (this.#mayBeFull) this.#mayBeFull = this.#isOverfull();
    return this.#mayBeFull;
  }

  /** Publishes a message soon. */
  add(channel: string, message: readonly Buffer[]): void {
    const waiting = this.#waiting.get(channel);
    if (waiting) waiting.push(...message);
    else this.#waiting.set(channel, [...message]);
    if (sizeOf(message) > MAX_BATCHED_BYTES) {
      this.flush();
    } else if (!this.#isDue) {
      this.#isDue = true;
      depart(this);
    }
  }

  /** Publishes all pending messages. */
  flush(): void {
    this.#isDue = false;
    for (const [channel, parts] of this.#waiting) this.#publish(channel, parts);
    this.#waiting.clear();
    this.#mayBeFull = this.#isOverfull();
  }

  #isOverfull(): boolean {
    const { status, stream } = this.#redis;
    return status === 'ready' && stream?.writableLength > MAX_UNSENT_BYTES;
  }

  #publish(channel: string, parts: Buffer[]): void {
    // Messages for a lost connection are dropped: the cluster fails the calls that depend on them.
    if (this.#redis.status !== 'ready') return;
    if (this.#maySkip) this.#redis.stream.write(withoutReply(channel, parts));
    else this.#redis.spublish(channel, Buffer.concat(parts)).catch(this.#onRefused);
  }
}

function withoutReply(channel: string, parts: Buffer[]): Buffer {
  const command = `*3\r\n$8\r\nSPUBLISH\r\n$${Buffer.byteLength(channel)}\r\n${channel}\r\n$${sizeOf(parts)}\r\n`;
  return Buffer.concat([Buffer.from(SKIP_REPLY + command), ...parts, END]);
}

function sizeOf(parts: readonly Buffer[]): number {
  let size = 0;
  for (const { length } of parts) size += length;
  return size;
}
