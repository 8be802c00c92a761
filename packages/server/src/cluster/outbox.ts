import type { Redis } from 'ioredis';

const SKIP_REPLY = '*3\r\n$6\r\nCLIENT\r\n$5\r\nREPLY\r\n$4\r\nSKIP\r\n';
const END = Buffer.from('\r\n');

/**
 * Publishes without receipts, and what one turn of the event loop has for a channel together. A receipt would wake this
 * process once more for every call. ioredis expects a reply to each of its commands, so these are written past it; each
 * is written whole, so that they do not disturb the others.
 *
 * Where Redis, or what stands before it, does not allow that, its receipts are ignored.
 */
export class Outbox {
  readonly #redis: Redis;
  readonly #waiting = new Map<string, Buffer[]>();
  #maySkip = false;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Finds out what Redis allows. */
  async open(): Promise<void> {
    this.#maySkip = await this.#redis.client('REPLY', 'ON').then(
      reply => reply === 'OK',
      () => false,
    );
  }

  /** Publishes something at the end of the turn. */
  add(channel: string, message: readonly Buffer[]): void {
    const waiting = this.#waiting.get(channel);
    if (waiting) {
      waiting.push(...message);
      return;
    }
    if (this.#waiting.size === 0) setImmediate(() => this.flush());
    this.#waiting.set(channel, [...message]);
  }

  /** Publishes what waits. */
  flush(): void {
    for (const [channel, parts] of this.#waiting) this.#publish(channel, parts);
    this.#waiting.clear();
  }

  #publish(channel: string, parts: Buffer[]): void {
    // What is written to a lost connection is lost too, and whoever waits for it hears of that from the cluster.
    if (this.#redis.status !== 'ready') return;
    if (this.#maySkip) this.#redis.stream.write(withoutReply(channel, parts));
    else this.#redis.spublish(channel, Buffer.concat(parts)).catch(() => {});
  }
}

function withoutReply(channel: string, parts: Buffer[]): Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const command = `*3\r\n$8\r\nSPUBLISH\r\n$${Buffer.byteLength(channel)}\r\n${channel}\r\n$${size}\r\n`;
  return Buffer.concat([Buffer.from(SKIP_REPLY + command), ...parts, END]);
}
