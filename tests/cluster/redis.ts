import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

/** True if there is a Redis to test with. `.ci/run` installs one. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis of our own on a free port, without anything on disk that matters. */
export class TestRedis implements AsyncDisposable {
  readonly url: string;
  readonly #port: number;
  readonly #options: string[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'a2c-redis-'));
  #process?: ChildProcess;

  private constructor(port: number, options: string[]) {
    this.#port = port;
    this.#options = options;
    this.url = `redis://127.0.0.1:${port}`;
  }

  /** Takes further options of `redis-server`. */
  static async start(options: string[] = []): Promise<TestRedis> {
    const redis = new TestRedis(await freePort(), options);
    await redis.start();
    return redis;
  }

  /** Starts a Sentinel with a configuration, which it changes. */
  static async startSentinel(config: string, port: number): Promise<TestRedis> {
    const sentinel = new TestRedis(port, []);
    await sentinel.#spawn([config, '--sentinel'], 'Sentinel ID');
    return sentinel;
  }

  /** Starts it, empty. */
  async start(): Promise<void> {
    const options = ['--port', String(this.#port), '--bind', '127.0.0.1', '--save', '', '--dir', this.#folder];
    await this.#spawn([...options, ...this.#options], 'Ready to accept connections');
  }

  async #spawn(args: string[], ready: string): Promise<void> {
    const redis = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#process = redis;
    for await (const chunk of redis.stdout) if (String(chunk).includes(ready)) break;
  }

  async stop(): Promise<void> {
    const redis = this.#process;
    this.#process = undefined;
    if (!redis) return;
    const exited = once(redis, 'exit');
    redis.kill('SIGKILL');
    await exited;
  }

  /** Runs one command on a connection of its own. */
  async run(command: string, ...args: (string | number | Buffer)[]): Promise<unknown> {
    const client = new Redis(this.url, { enableReadyCheck: false, maxRetriesPerRequest: 0 });
    try {
      return await client.call(command, ...args);
    } finally {
      client.disconnect();
    }
  }

  /** Stops it from answering, without closing its connections. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true });
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
