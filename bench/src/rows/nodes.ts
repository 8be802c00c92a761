import { Contest } from '../harness/compare.ts';
import { unlessQuick } from '../harness/quick.ts';
import { hasRedis, startRedis } from '../harness/redis.ts';
import { connect, type Relay, startOurs } from '../harness/relay.ts';
import { startServer } from '../harness/servers.ts';
import { Stack } from '../harness/stack.ts';
import type { ServerKind } from '../processes/server.ts';
import { atLeast, atMost } from '../report/lines.ts';
import type { Result, Section } from '../report/result.ts';
import { rounded } from '../report/units.ts';
import { measure, type Row } from './measure.ts';

const ROWS: Row[] = [
  {
    name: '200 B, 64 in flight',
    size: 200,
    inFlight: 64,
    show: ['rate', 'cpu'],
    targets: { rate: atLeast(0.7) },
  },
  {
    name: '200 B, 1 in flight',
    size: 200,
    inFlight: 1,
    milliseconds: 50,
    rounds: 40,
    show: ['p50'],
    targets: { p50: atMost(2.2) },
  },
];

/** How much of the way is Redis's and Node's. */
const FLOOR: Row = {
  name: 'a relay on `ws` through Redis, 200 B, 1 in flight',
  ...{ size: 200, inFlight: 1, milliseconds: 50, rounds: 20 },
  show: ['p50'],
};

/** An Agent on one node and its Computer on another, against both on one node. */
export async function nodes(): Promise<Section> {
  const title = 'Two nodes through Redis';
  const method =
    'Thin Agent on one node, thin Computer on the other, Redis between them, all on one core. The baseline is one node ' +
    'of ours without Redis. The third row has two relays of forty lines on `ws` in the place of ours, which publish what ' +
    'they get without a check. A frozen node is a third one that is stopped (SIGSTOP) while calls go on.';
  if (!hasRedis) return { title, method, results: [], skipped: 'no redis-server; install it from your distribution' };
  const rows = [...(await measure(ROWS, () => openNodes('ours'))), ...(await measure([FLOOR], () => openNodes('raw')))];
  return { title, method, results: [...rows, await withFrozenNode()] };
}

async function openNodes(kind: ServerKind): Promise<Contest> {
  // Offices are known to all nodes of a Redis: an equal pair needs its own.
  const [redis, otherRedis] = [await startRedis(), await startRedis()];
  const [ours, again] = [await startPair(redis.url, kind), await startPair(otherRedis.url, kind)];
  return Contest.between({ baseline: await startOurs(), ours, again }, { others: [redis, otherRedis] });
}

async function startPair(redis: string, kind: ServerKind = 'ours'): Promise<Relay> {
  const [one, two] = [await startServer(kind, { redis }), await startServer(kind, { redis })];
  const urls = { agent: String(one.greeting), computer: String(two.greeting) };
  return { servers: [one, two], urls, clients: 'thin' };
}

/** Every call must be answered: one that is not ends the run. */
async function withFrozenNode(): Promise<Result> {
  await using redis = await startRedis();
  const pair = await startPair(redis.url);
  await using idle = await startServer('ours', { redis: redis.url });
  const { agent, computer } = await connect([pair]);
  const stack = new Stack(pair.servers, agent);
  const load = { size: 200, inFlight: 64, milliseconds: unlessQuick(2000, 100) };
  await stack.warmUp(load);
  idle.process.kill('SIGSTOP');
  const { rate } = await stack.burst(load);
  await Promise.all([agent, computer, ...pair.servers].map(participant => participant.end()));
  const target = { kind: 'at most', value: 0 } as const;
  return {
    name: 'failed calls while a third, idle node is frozen',
    ours: `0 at ${rounded(rate)} calls/s`,
    value: 0,
    target,
  };
}
