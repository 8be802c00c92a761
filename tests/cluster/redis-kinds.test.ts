import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { request } from './nodes.ts';
import { freePort, hasRedis, TestRedis } from './redis.ts';

async function startAll(count: number, options: string[]): Promise<TestRedis[]> {
  return Promise.all(Array.from({ length: count }, () => TestRedis.start(options)));
}

const portOf = ({ url }: TestRedis) => new URL(url).port;

describe.runIf(hasRedis)('nodes', { timeout: 120_000 }, () => {
  test('act as one Server through a Redis Cluster, whose shards share the offices', async () => {
    const shards = await startAll(3, ['--cluster-enabled', 'yes']);
    try {
      const places = shards.map(shard => `127.0.0.1:${portOf(shard)}`);
      execFileSync('redis-cli', ['--cluster', 'create', ...places, '--cluster-yes'], { stdio: 'ignore' });
      await eventually(async () => {
        for (const shard of shards) expect(String(await shard.run('CLUSTER', 'INFO'))).toContain('cluster_state:ok');
      });
      const redis = shards.map(({ url }) => url).join(',');
      const listen = () => SmcpServer.listen({ port: 0, redis });
      await using one = await listen();
      const two = await listen();
      const offices = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const agent = await RawPeer.join(one.url, 'agent', 'a1', `o${index}`);
          const computer = await RawPeer.join(two.url, 'computer', 'c1', `o${index}`);
          computer.reply('client:get_tools', () => index);
          return { agent, computer };
        }),
      );
      for (const [index, { agent }] of offices.entries()) {
        expect(await agent.ask('client:get_tools', request('r1'))).toEqual([index]);
        await eventually(() => expect(agent.payloads('notify:enter_office')).toHaveLength(1));
      }
      const counts = await Promise.all(shards.map(shard => shard.run('DBSIZE')));
      expect(
        counts.every(count => Number(count) > 0),
        String(counts),
      ).toBe(true);
      await using rival = await RawPeer.connect(one.url);
      expect((await rival.enter('computer', 'c1', 'o1'))[0]).toBe(false);
      await two.close();
      for (const { agent } of offices)
        await eventually(() => expect(agent.payloads('notify:leave_office')).toHaveLength(1));
      expect(await rival.enter('computer', 'c1', 'o1')).toEqual([true, null]);
      for (const { agent, computer } of offices) {
        agent.close();
        computer.close();
      }
    } finally {
      await Promise.all(shards.map(shard => shard[Symbol.asyncDispose]()));
    }
  });

  test('follow the Sentinels to another Redis when the first one dies', async () => {
    const [master, replica] = await startAll(2, []);
    if (!master || !replica) throw new Error('Redis did not start');
    await replica.run('REPLICAOF', '127.0.0.1', portOf(master));
    const folder = mkdtempSync(join(tmpdir(), 'a2c-sentinel-'));
    const config = join(folder, 'sentinel.conf');
    const port = await freePort();
    const watched = `sentinel monitor main 127.0.0.1 ${portOf(master)} 1`;
    const times = 'sentinel down-after-milliseconds main 500\nsentinel failover-timeout main 5000';
    writeFileSync(config, `port ${port}\nbind 127.0.0.1\n${watched}\n${times}\n`);
    const sentinel = await TestRedis.startSentinel(config, port);
    try {
      const listen = () => SmcpServer.listen({ port: 0, redis: `sentinel://127.0.0.1:${port}/main` });
      await using one = await listen();
      await using two = await listen();
      await using agent = await RawPeer.join(one.url, 'agent', 'a1', 'o1');
      await using computer = await RawPeer.join(two.url, 'computer', 'c1', 'o1');
      computer.reply('client:get_tools', () => 'answer');
      const call = () => agent.ask('client:get_tools', request('r1'));
      expect(await call()).toEqual(['answer']);
      // Before that the Sentinel would have no Redis to turn to.
      await eventually(
        async () => {
          expect(String(await sentinel.run('SENTINEL', 'REPLICAS', 'main'))).toContain('master-link-status,ok');
        },
        60_000,
        200,
      );
      await master.stop();
      expect(await call()).toMatchObject([{ details: { reason: 'cluster_unavailable' } }]);
      await eventually(async () => expect(await call()).toEqual(['answer']), 60_000, 200);
      expect([agent.socket.connected, computer.socket.connected]).toEqual([true, true]);
    } finally {
      await Promise.all([master, replica, sentinel].map(redis => redis[Symbol.asyncDispose]()));
      rmSync(folder, { recursive: true });
    }
  });
});
