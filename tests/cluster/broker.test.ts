import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { Broker } from '../../packages/server/src/broker/broker.ts';
import { KeySpace } from '../../packages/server/src/cluster/key-space.ts';
import { CLEAR, ENTER, LEAVE, RENEW, RETIRE, SETTLE } from '../../packages/server/src/cluster/scripts.ts';
import { eventually } from '../eventually.ts';
import { request } from './nodes.ts';
import { hasRedis, TestRedis } from './redis.ts';

test('two nodes act as one Server through a broker', { timeout: 60_000 }, async () => {
  await using broker = await Broker.open(new KeySpace(0, 'main'));
  const listen = () => SmcpServer.listen({ port: 0, redis: broker.path });
  await using one = await listen();
  await using two = await listen();
  await using agent = await RawPeer.join(one.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(two.url, 'computer', 'c1', 'o1');
  await eventually(() => expect(agent.payloads('notify:enter_office')).toEqual([{ office_id: 'o1', computer: 'c1' }]));
  computer.reply('client:get_tools', ({ text }) => text);
  for (const text of ['世\n界', 'x'.repeat(3_000_000)]) {
    expect(await agent.ask('client:get_tools', request('r1', { text }))).toEqual([text]);
  }
  await using rival = await RawPeer.connect(one.url);
  expect((await rival.enter('computer', 'c1', 'o1'))[0]).toBe(false);
  await two.close();
  await eventually(() => expect(agent.payloads('notify:leave_office')).toEqual([{ office_id: 'o1', computer: 'c1' }]));
  expect(await rival.enter('computer', 'c1', 'o1')).toEqual([true, null]);
});

test('a broker cuts off a client that does not speak its protocol, and goes on', async () => {
  await using broker = await Broker.open();
  const client = new Redis(broker.path, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  client.on('error', () => {});
  await expect(client.call('FLUSHALL')).rejects.toThrow("unknown command 'FLUSHALL'");
  client.stream.write('GET / HTTP/1.1\r\n\r\n');
  await eventually(() => expect(client.status).toBe('end'));
  const other = new Redis(broker.path);
  expect(await other.smembers('none')).toEqual([]);
  other.disconnect();
});

describe.runIf(hasRedis)('a broker and a Redis', () => {
  test('answer the scripts of the cluster alike, whatever was done before', { timeout: 60_000 }, async () => {
    await using redis = await TestRedis.start();
    await using broker = await Broker.open();
    const clients = [new Redis(redis.url), new Redis(broker.path)] as const;
    const random = seeded(7);
    const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;
    const nodes = ['n1', 'n2', 'n3'];
    const outcomes = new Set<string>();
    for (let step = 0; step < 1500; step++) {
      const [node, office, place] = [pick(nodes), pick(['o1', 'o2']), pick(['agent', 'computer:a', 'computer:b'])];
      const sid = pick(['s1', 's2', 's3']);
      const record = [sid, node, pick(['', 'k1', 'k2']), pick(['', 'w1']), '{}'].join('\n');
      const entry = `${place}\n${office}`;
      // Without time: leases and settling last for ever here, or are not there.
      const enter = ['4', `office:${office}`, `members:${node}`, 'epoch', 'settling', place, record, entry];
      const limits = [pick(['2', '9']), pick(['0', '1']), '1000000', pick(['1', '9']), pick(['0', '1'])];
      const commands: [string, ...string[]][] = [
        ['EVAL', ENTER, ...enter, ...limits],
        ['EVAL', ENTER, ...enter, ...limits],
        ['EVAL', LEAVE, '2', `office:${office}`, `members:${node}`, place, sid, entry],
        ['EVAL', RENEW, '3', `lease:${node}`, 'nodes', 'departed', node, '1000000', pick(['', 'x'])],
        ['EVAL', SETTLE, '2', 'epoch', 'settling', '1000000'],
        ['EVAL', RETIRE, '3', 'nodes', 'departed', `lease:${node}`, node],
        ['EVAL', CLEAR, '1', `members:${node}`, node, 'office:', '100'],
        ['SREM', 'departed', node],
        ['DEL', pick(['settling', 'settling', `lease:${node}`, step % 5 === 0 ? 'epoch' : 'none'])],
        ['HVALS', `office:${office}`],
        ['HGET', `office:${office}`, place],
        ['SMEMBERS', pick([`members:${node}`, 'nodes', 'departed'])],
        ['MGET', ...nodes.map(each => `lease:${each}`)],
        ['PUBSUB', 'SHARDNUMSUB', 'nobody'],
      ];
      const [command, ...args] = pick(commands);
      const [real, ours] = await Promise.all(clients.map(client => client.call(command, ...args)));
      expect(normal(ours), `step ${step}: ${command} ${args.slice(1).join(' ')}`).toEqual(normal(real));
      if (Array.isArray(ours) && args[0] === ENTER) outcomes.add(String(ours[0]));
    }
    expect(outcomes).toEqual(new Set(['lost', 'settling', 'taken', 'full', 'computers', 'entered']));
    for (const client of clients) client.disconnect();
  });
});

/** Without the order of sets, and the milliseconds that are left of a wait. */
function normal(reply: unknown): unknown {
  if (!Array.isArray(reply)) return reply;
  if (reply[0] === 'settling') return ['settling'];
  return reply[0] === 'entered' ? reply.filter(part => part !== null) : reply.toSorted();
}

/** Numbers from 0 to 1 that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
