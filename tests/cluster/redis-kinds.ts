import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { freePort, TestRedis } from './redis.ts';

export interface TestCluster extends AsyncDisposable {
  readonly shards: readonly TestRedis[];
}

/** A Redis Cluster of three shards. */
export async function startCluster(): Promise<TestCluster> {
  const shards = await startAll(3, ['--cluster-enabled', 'yes']);
  const places = shards.map(shard => `127.0.0.1:${portOf(shard)}`);
  execFileSync('redis-cli', ['--cluster', 'create', ...places, '--cluster-yes'], { stdio: 'ignore' });
  await eventually(async () => {
    for (const shard of shards) expect(String(await shard.run('CLUSTER', 'INFO'))).toContain('cluster_state:ok');
  });
  return { shards, [Symbol.asyncDispose]: () => endAll(shards) };
}

export interface TestSentinels extends AsyncDisposable {
  /** Host and port of the Sentinel. */
  readonly address: string;
  readonly sentinel: TestRedis;
  readonly master: TestRedis;
}

/** A Redis, its replica, and a Sentinel that knows them by this name. */
export async function startSentinels(name: string): Promise<TestSentinels> {
  const [master, replica] = await startAll(2, []);
  if (!master || !replica) throw new Error('Redis did not start');
  await replica.run('REPLICAOF', '127.0.0.1', portOf(master));
  const folder = mkdtempSync(join(tmpdir(), 'a2c-sentinel-'));
  const config = join(folder, 'sentinel.conf');
  const port = await freePort();
  const watched = `sentinel monitor ${name} 127.0.0.1 ${portOf(master)} 1`;
  const times = `sentinel down-after-milliseconds ${name} 500\nsentinel failover-timeout ${name} 5000`;
  writeFileSync(config, `port ${port}\nbind 127.0.0.1\n${watched}\n${times}\n`);
  const sentinel = await TestRedis.startSentinel(config, port);
  return {
    address: `127.0.0.1:${port}`,
    sentinel,
    master,
    async [Symbol.asyncDispose]() {
      await endAll([sentinel, master, replica]);
      rmSync(folder, { recursive: true });
    },
  };
}

async function startAll(count: number, options: string[]): Promise<TestRedis[]> {
  return Promise.all(Array.from({ length: count }, () => TestRedis.start(options)));
}

async function endAll(redis: readonly TestRedis[]): Promise<void> {
  await Promise.all(redis.map(each => each[Symbol.asyncDispose]()));
}

function portOf({ url }: TestRedis): string {
  return new URL(url).port;
}
