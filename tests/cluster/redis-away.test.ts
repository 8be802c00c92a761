import { setTimeout as delay } from 'node:timers/promises';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { hasRedis, TestRedis } from './redis.ts';

const request = (reqId: string, more: object = {}) => ({ agent: 'a1', computer: 'far', req_id: reqId, ...more });

describe.runIf(hasRedis)('when Redis goes away', { timeout: 120_000 }, () => {
  test.concurrent.each([
    { kind: 'restart', seconds: 0 },
    { kind: 'pause', seconds: 20 },
  ])('$kind of $seconds s: local members work on, the rest recovers', async ({ kind, seconds }) => {
    await using redis = await TestRedis.start();
    await using one = await SmcpServer.listen({ port: 0, redis: redis.url });
    await using two = await SmcpServer.listen({ port: 0, redis: redis.url });
    await using agent = await RawPeer.join(one.url, 'agent', 'a1', 'o1');
    await using near = await RawPeer.join(one.url, 'computer', 'near', 'o1');
    await using far = await RawPeer.join(two.url, 'computer', 'far', 'o1');
    for (const computer of [near, far]) computer.reply('client:get_tools', () => 'answer');
    const ask = async (computer: string, reqId: string) => {
      const [answer] = await agent.ask('client:get_tools', request(reqId, { computer }));
      return answer;
    };
    expect([await ask('near', 'r1'), await ask('far', 'r2')]).toEqual(['answer', 'answer']);
    const unavailable = { details: { reason: 'cluster_unavailable' } };
    const underWay = agent.ask('client:tool_call', request('r3', { tool_name: 't', params: {}, timeout: 60 }));
    await eventually(() => expect(far.payloads('client:tool_call')).toHaveLength(1));

    const resumeAt = performance.now() + seconds * 1000;
    if (kind === 'restart') await redis.stop();
    else redis.pause();
    expect(await underWay).toEqual([expect.objectContaining(unavailable)]);
    expect(await ask('far', 'r4')).toMatchObject(unavailable);
    expect(await ask('near', 'r5')).toBe('answer');
    await using newcomer = await RawPeer.connect(two.url);
    await eventually(async () =>
      expect(await newcomer.enter('agent', 'a2', 'o1')).toEqual([
        false,
        expect.stringContaining('cannot reach each other'),
      ]),
    );

    await delay(Math.max(0, resumeAt - performance.now()));
    if (kind === 'restart') await redis.start();
    else redis.resume();
    let n = 0;
    await eventually(
      async () => {
        n += 1;
        expect(await ask('far', `back-${n}`)).toBe('answer');
      },
      20_000,
      200,
    );
    expect(await newcomer.enter('agent', 'a2', 'o1')).toEqual([false, 'Room already has an agent']);
    expect(await newcomer.enter('agent', 'a2', 'o2')).toEqual([true, null]);
    expect(agent.payloads('notify:leave_office')).toEqual([]);
  });
});
