import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { openOffice, request, toolCall } from './nodes.ts';
import { hasRedis, TestRedis } from './redis.ts';

/** How many messages Redis has published so far. */
async function published(redis: Redis): Promise<number> {
  const statistics = await redis.info('commandstats');
  return Number(/cmdstat_spublish:calls=(\d+)/.exec(statistics)?.[1] ?? 0);
}

/** Repeats calls until Redis takes no part in them. */
async function untilDirect(call: () => Promise<unknown>, redis: Redis): Promise<void> {
  await eventually(async () => {
    const before = await published(redis);
    for (let count = 0; count < 20; count++) await call();
    // Both nodes look once in two seconds whether their channel is there.
    expect((await published(redis)) - before).toBeLessThan(10);
  });
}

describe.skipIf(!hasRedis)('nodes that are connected', { timeout: 60_000 }, () => {
  test('calls and answers pass Redis by', async () => {
    await using office = await openOffice();
    const redis = new Redis(office.redis.url);
    await untilDirect(office.call, redis);
    expect(await office.call()).toBe('answer');
    redis.disconnect();
  });

  test('with redisOnly every call goes through Redis', async () => {
    await using office = await openOffice({ redisOnly: true });
    const redis = new Redis(office.redis.url);
    // As long as it takes until calls pass by in an office that was opened later.
    await using other = await openOffice();
    const otherRedis = new Redis(other.redis.url);
    await untilDirect(other.call, otherRedis);
    otherRedis.disconnect();
    const before = await published(redis);
    for (let count = 0; count < 20; count++) expect(await office.call()).toBe('answer');
    expect((await published(redis)) - before).toBeGreaterThanOrEqual(40);
    redis.disconnect();
  });

  test('an answer does not overtake a notification that its Computer sent before', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    const redis = new Redis(office.redis.url);
    await untilDirect(office.call, redis);
    redis.disconnect();
    computer.socket.on('client:get_config', (body, answer) => {
      computer.socket.emit('server:update_tool_list', { computer: 'c1' });
      answer({ req_id: body.req_id });
    });
    for (let count = 1; count <= 50; count++) {
      await agent.ask('client:get_config', request(`config-${count}`));
      expect(agent.payloads('notify:update_tool_list')).toHaveLength(count);
    }
  });

  test('a cancelled call ends on the other node, whichever way it went', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    const redis = new Redis(office.redis.url);
    computer.socket.on('client:tool_call', () => {});
    await untilDirect(office.call, redis);
    redis.disconnect();
    const [answer] = await agent.ask('client:tool_call', toolCall('slow', { timeout: 1 }));
    expect(answer).toMatchObject({ code: 408 });
    expect(await office.call()).toBe('answer');
  });

  test('a large result arrives whole', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    const redis = new Redis(office.redis.url);
    await untilDirect(office.call, redis);
    redis.disconnect();
    const text = '漢'.repeat(2_000_000);
    computer.reply('client:get_desktop', () => ({ text }));
    const answers = await Promise.all(
      ['1', '2', '3'].map(id => agent.ask('client:get_desktop', request(`large-${id}`))),
    );
    expect(answers).toEqual([[{ text }], [{ text }], [{ text }]]);
  });

  test('a node without a port of its own is reached through Redis', async () => {
    await using redis = await TestRedis.start();
    await using open = await SmcpServer.listen({ port: 0, redis: redis.url });
    await using shut = await SmcpServer.listen({ port: 0, redis: redis.url, redisOnly: true });
    await using agent = await RawPeer.join(open.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(shut.url, 'computer', 'c1', 'o1');
    computer.reply('client:get_tools', () => 'answer');
    expect(await agent.ask('client:get_tools', request('r1'))).toEqual(['answer']);
  });
});
