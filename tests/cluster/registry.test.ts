import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { Broker } from '../../packages/server/src/broker/broker.ts';
import { KeySpace } from '../../packages/server/src/cluster/key-space.ts';
import type { Registration } from '../../packages/server/src/cluster/registration.ts';
import { Registry } from '../../packages/server/src/cluster/registry.ts';
import { hasRedis, TestRedis } from './redis.ts';

const MEMBERS = 450;

/** Three nodes of a cluster, of which the first has members and no lease. */
async function fill(url: string) {
  const clients = [1, 2, 3].map(() => new Redis(url));
  const ids = clients.map(() => randomUUID());
  const keys = new KeySpace(0, 'main');
  const [dead, ...others] = clients.map((client, index) => new Registry(client, keys, ids[index]!));
  const [node = ''] = ids;
  const members = Array.from({ length: MEMBERS }, (_, n): Registration => {
    return { node, sid: `s${n}`, role: 'computer', name: `c${n % 3}`, office: `o${Math.floor(n / 3)}` };
  });
  await dead!.renew(60_000);
  await Promise.all(members.map(member => dead!.reclaim(member)));
  await clients[0]!.del(keys.leaseOf(node));
  return { node, dead: dead!, others, disconnect: () => clients.map(client => client.disconnect()) };
}

async function collect(portions: AsyncIterable<Registration[]>): Promise<Registration[][]> {
  const all: Registration[][] = [];
  for await (const portion of portions) all.push(portion);
  return all;
}

describe.runIf(hasRedis).each(['Redis', 'a broker'])('with %s', kind => {
  const open = () => (kind === 'Redis' ? TestRedis.start() : Broker.open());
  const urlOf = (store: TestRedis | Broker) => (store instanceof Broker ? store.path : store.url);

  test('the members of a dead node are removed step by step, and each is given to one of the nodes that remove them', async () => {
    await using store = await open();
    const { node, others, disconnect } = await fill(urlOf(store));
    const [one, two] = others as [Registry, Registry];
    const sweeps = await Promise.all([collect(one.sweep(node)), collect(two.sweep(node)), collect(two.clear(node))]);
    const portions = sweeps.flat();
    expect(Math.max(...portions.map(({ length }) => length))).toBeLessThanOrEqual(200);
    const sids = portions.flat().map(({ sid }) => sid);
    expect(sids).toHaveLength(MEMBERS);
    expect(new Set(sids).size).toBe(MEMBERS);
    expect(await one.members('o7')).toEqual([]);
    expect(await one.departed()).toEqual([]);
    disconnect();
  });

  test('a node that returns while its members are being removed keeps those that are left', async () => {
    await using store = await open();
    const { node, dead, others, disconnect } = await fill(urlOf(store));
    let removed = 0;
    for await (const portion of others[0]!.sweep(node)) {
      removed += portion.length;
      if (removed === portion.length) expect(await dead.renew(60_000)).toBe(true);
    }
    expect(removed).toBe(200);
    expect(await dead.own()).toHaveLength(MEMBERS - 200);
    disconnect();
  });
});
