import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { request } from './nodes.ts';
import { hasRedis } from './redis.ts';
import { startCluster, startSentinels } from './redis-kinds.ts';

describe.runIf(hasRedis)('nodes', { timeout: 120_000 }, () => {
  test('act as one Server through a Redis Cluster, whose shards share the offices', async () => {
    await using cluster = await startCluster();
    const { shards } = cluster;
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
  });

  test('follow the Sentinels to another Redis when the first one dies', async () => {
    await using sentinels = await startSentinels('main');
    const { address, sentinel, master } = sentinels;
    const listen = () => SmcpServer.listen({ port: 0, redis: `sentinel://${address}/main` });
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
  });
});
