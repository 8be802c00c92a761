import { setTimeout as delay } from 'node:timers/promises';
import { Participant, type Usage } from '../harness/participant.ts';
import { onAllCores } from '../harness/pinning.ts';
import { unlessQuick } from '../harness/quick.ts';
import { hasRedis, startRedis } from '../harness/redis.ts';
import { kernelMemory, planScale, type ScalePlan } from '../harness/scale-plan.ts';
import { startServer } from '../harness/servers.ts';
import { quantile } from '../harness/statistics.ts';
import { usageOf, usageOfProcess } from '../harness/usage.ts';
import type { UsageRequest } from '../processes/obey.ts';
import type { ScaleCalls, ScaleJoins, ScaleRequest } from '../processes/scale-crowd.ts';
import type { Result, Section } from '../report/result.ts';
import { duration, kibibytes, rounded } from '../report/units.ts';

const WANTED = Number(process.env.A2C_SCALE_MEMBERS ?? unlessQuick(100_000, 1000));
const CALLS_PER_SECOND = 1000;
const SECONDS = unlessQuick(10, 3);
/** Every connection has one heartbeat in that time. */
const IDLE_SECONDS = unlessQuick(25, 1);
const WARM_UP_SECONDS = unlessQuick(5, 1);
/** Connections per second that half of the nodes admit together in the run with admission. */
const ADMITTED_PER_SECOND = 500;
/** The memory that joins took is given back after a moment. */
const SETTLE_MS = unlessQuick(3000, 100);

/** Many idle members on two nodes, calls among them, and the end of one node. */
export async function scale(): Promise<Section> {
  const title = 'Many members on two nodes';
  const plan = planScale(WANTED);
  const method =
    'Idle members in offices of two on two nodes with one Redis, played from loopback addresses of their own, on all cores; ' +
    'one office in ten has its Agent on the other node. Where a process may not have a descriptor for each member, several ' +
    'processes are one node. Then one node is killed (SIGKILL) while calls go on: once with clients that retry every ' +
    `20 ms and nodes that admit all, once with pauses as our clients make them and nodes that admit ` +
    `${rounded(ADMITTED_PER_SECOND)} connections per second. A2C_SCALE_MEMBERS changes the number of members. ${plan?.needs ?? ''}`;
  if (!hasRedis) return { title, method, results: [], skipped: 'no redis-server; install it from your distribution' };
  if (!plan) return { title, method, results: [], skipped: 'there are descriptors or memory for too few members' };
  report(plan.needs);
  const impatient = await onAllCores(() => run(plan, false));
  return { title, method, results: [...impatient, ...(await onAllCores(() => run(plan, true)))] };
}

async function run(plan: ScalePlan, spreads: boolean): Promise<Result[]> {
  await using world = await World.open(plan, spreads);
  const { count } = world;
  const kernelBefore = kernelMemory();
  const empty = await world.usage('usage without garbage');
  const begun = performance.now();
  await world.askAll<ScaleJoins>('join');
  const joining = performance.now() - begun;
  report(`${rounded(count)} members joined in ${duration(joining)}`);
  const how = spreads ? 'spread' : 'all at once';
  if (spreads) return await storm(world, how);
  const joined = await world.usage('usage');
  await world.usage('usage without garbage');
  await delay(SETTLE_MS);
  const full = await world.usage('usage without garbage');
  const kernel = kernelMemory() - kernelBefore;
  await delay(IDLE_SECONDS * 1000);
  const idle = await world.usage('usage');
  await world.askAll<ScaleCalls>(world.calls(WARM_UP_SECONDS));
  const warm = await world.usage('usage');
  const calls = merged(await world.askAll<ScaleCalls>(world.calls(SECONDS)));
  const called = await world.usage('usage');
  report(`${rounded(CALLS_PER_SECOND)} calls/s for ${SECONDS} s`);
  const idleCpu = (idle.nodes.cpu - full.nodes.cpu) / IDLE_SECONDS;
  const answered = calls.inside.length + calls.across.length;
  const bytes = (name: string, value: number): Result => ({ name, ours: kibibytes(value), value });
  const time = (name: string, value: number): Result => ({ name, ours: duration(value), value });
  const micro = (name: string, value: number): Result => time(name, value / 1000);
  return [
    { name: `members joined, on ${world.nodes.length} processes`, ours: rounded(count), value: count },
    { name: 'joins per second', ours: rounded((count / joining) * 1000), value: (count / joining) * 1000 },
    micro('CPU of nodes to join one', (joined.nodes.cpu - empty.nodes.cpu) / count),
    micro('CPU of Redis to join one', (joined.redis.cpu - empty.redis.cpu) / count),
    bytes('resident memory of a member in its node', (full.nodes.rss - empty.nodes.rss) / count),
    bytes('in Redis', (full.redis.rss - empty.redis.rss) / count),
    bytes('in the kernel, with both ends of its connection', kernel / count),
    bytes('in its client, which is no part of a Server', (full.crowds.rss - empty.crowds.rss) / count),
    micro('CPU of nodes for an idle member, each second', idleCpu / count),
    micro('CPU of Redis for all of them, each second', (idle.redis.cpu - full.redis.cpu) / IDLE_SECONDS),
    time(`${rounded(CALLS_PER_SECOND)} calls/s among them: p50`, quantile(calls.inside, 0.5)),
    time('p99', quantile(calls.inside, 0.99)),
    time('from node to node: p50', quantile(calls.across, 0.5)),
    time('p99', quantile(calls.across, 0.99)),
    micro(
      'CPU of nodes for a call, beside the idle',
      (called.nodes.cpu - warm.nodes.cpu - idleCpu * SECONDS) / answered,
    ),
    { name: 'calls lost', ours: `${calls.lost + calls.unsent} of ${rounded(CALLS_PER_SECOND * SECONDS)}` },
    ...(await storm(world, how)),
  ];
}

/** Kills half of the nodes while calls go on. */
async function storm(world: World, how: string): Promise<Result[]> {
  const { count } = world;
  const before = (await world.askAll<ScaleJoins>('back')).reduce((sum, { attempts }) => sum + attempts, 0);
  const pending = world.askAll<ScaleCalls>(world.calls(SECONDS));
  await delay(1000);
  const killed = Date.now();
  await world.killHalf();
  report(`half of the nodes killed, ${how}`);
  const calls = merged(await pending);
  const joins = await world.askAll<ScaleJoins>('back');
  const missing = joins.reduce((sum, each) => sum + each.missing, 0);
  const back = missing > 0 ? Number.POSITIVE_INFINITY : Math.max(...joins.map(({ completeAt }) => completeAt)) - killed;
  const absences = joins.flatMap(each => each.absences);
  const attempts = joins.reduce((sum, each) => sum + each.attempts, 0) - before;
  const late = quantile([...calls.inside, ...calls.across], 0.99);
  const allBack = missing > 0 ? `${rounded(missing)} are missing after minutes` : duration(back);
  report(`all back: ${allBack}`);
  const line = (name: string, ours: string, value: number): Result => ({ name: `${name}, ${how}`, ours, value });
  return [
    line('a node is killed: members cut off', `${rounded(absences.length)} of ${rounded(count)}`, absences.length),
    line('half of them are back', duration(quantile(absences, 0.5)), quantile(absences, 0.5)),
    line('all are back', allBack, back),
    line('attempts of each', (attempts / absences.length).toFixed(2), attempts / absences.length),
    line(`calls lost in these ${SECONDS} s`, `${calls.lost} of ${rounded(CALLS_PER_SECOND * SECONDS)}`, calls.lost),
    line('p99 of those that were answered', duration(late), late),
    line('calls not sent, their Agent being cut off', String(calls.unsent), calls.unsent),
  ];
}

/** The processes of a run. */
class World implements AsyncDisposable {
  readonly nodes: readonly Participant[];
  /** Members. */
  readonly count: number;
  readonly #redis: Awaited<ReturnType<typeof startRedis>>;
  readonly #crowds: readonly Participant[];

  private constructor(parts: {
    redis: Awaited<ReturnType<typeof startRedis>>;
    nodes: Participant[];
    crowds: Participant[];
    offices: number;
  }) {
    this.nodes = parts.nodes;
    this.#redis = parts.redis;
    this.#crowds = parts.crowds;
    this.count = parts.offices * 2 * parts.crowds.length;
  }

  static async open({ members, nodesPerHalf, crowds: number }: ScalePlan, spreads: boolean): Promise<World> {
    const redis = await startRedis();
    const limits = spreads ? { handshakesPerSecond: ADMITTED_PER_SECOND / nodesPerHalf } : {};
    const start = () => startServer('ours', { redis: redis.url, limits }, { execArgv: ['--expose-gc'] });
    const nodes = await Promise.all(Array.from({ length: nodesPerHalf * 2 }, start));
    const urls = nodes.map(({ greeting }) => String(greeting));
    const halves = [urls.slice(0, nodesPerHalf), urls.slice(nodesPerHalf)];
    const offices = Math.floor(members / 2 / number);
    const crowds = await Promise.all(
      Array.from({ length: number }, (_, index) => {
        const network = `127.0.${index + 1}`;
        return Participant.start('scale-crowd', { halves, network, first: index * offices, offices, spreads });
      }),
    );
    return new World({ redis, nodes, crowds, offices });
  }

  calls(seconds: number): ScaleRequest {
    return { calls: CALLS_PER_SECOND / this.#crowds.length, seconds };
  }

  askAll<T>(request: ScaleRequest): Promise<T[]> {
    return Promise.all(this.#crowds.map(crowd => crowd.ask<T>(request)));
  }

  /** Of all nodes together, of Redis, and of those who play members: microseconds of CPU and bytes of memory. */
  async usage(request: UsageRequest): Promise<Record<'nodes' | 'redis' | 'crowds', Used>> {
    const nodes = await Promise.all(this.nodes.map(node => usageOf(node, request)));
    const crowds = await Promise.all(this.#crowds.map(crowd => usageOfProcess(crowd.process.pid)));
    return { nodes: sumOf(nodes), redis: await usageOfProcess(this.#redis.pid), crowds: sumOf(crowds) };
  }

  async killHalf(): Promise<void> {
    await Promise.all(this.nodes.slice(this.nodes.length / 2).map(node => node.end()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#crowds, ...this.nodes].map(participant => participant.end()));
    await this.#redis[Symbol.asyncDispose]();
  }
}

/** A run takes minutes. */
function report(progress: string): void {
  process.stderr.write(`${progress}\n`);
}

type Used = Pick<Usage, 'cpu' | 'rss'>;

function sumOf(each: readonly Used[]): Used {
  return each.reduce((sum, { cpu, rss }) => ({ cpu: sum.cpu + cpu, rss: sum.rss + rss }), { cpu: 0, rss: 0 });
}

function merged(all: readonly ScaleCalls[]): ScaleCalls {
  const sum = (key: 'lost' | 'unsent') => all.reduce((total, calls) => total + calls[key], 0);
  return {
    inside: all.flatMap(({ inside }) => inside),
    across: all.flatMap(({ across }) => across),
    lost: sum('lost'),
    unsent: sum('unsent'),
  };
}
