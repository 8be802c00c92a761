import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Participant } from '../harness/participant.ts';
import { onAllCores } from '../harness/pinning.ts';
import { hasRedis, startRedis } from '../harness/redis.ts';
import { startServer } from '../harness/servers.ts';
import { quantile } from '../harness/statistics.ts';
import { usageOf } from '../harness/usage.ts';
import type { ScaleCalls, ScaleJoins, ScaleRequest } from '../processes/scale-crowd.ts';
import type { Result, Section } from '../report/result.ts';
import { duration, kibibytes, rounded } from '../report/units.ts';

const WANTED = Number(process.env.A2C_SCALE_MEMBERS ?? 100_000);
const CALLS_PER_SECOND = 1000;
const SECONDS = 10;
const CROWDS = 4;
/** Memory of a member in the Server, its client, the kernel and Redis. */
const MEMBER_KIB = 100;
/** Descriptors of a process beside those of members. */
const OTHER_DESCRIPTORS = 500;
/** Connections per second that a node admits in the run with admission. */
const ADMITTED_PER_SECOND = 1000;

/** Many idle members on two nodes, calls among them, and the end of one node. */
export async function scale(): Promise<Section> {
  const title = 'Many members on two nodes';
  const members = possible();
  const method =
    `${rounded(members)} members in offices of two on two nodes with one Redis, ${CROWDS} processes that play them from ` +
    'loopback addresses of their own, on all cores. Then one node is killed (SIGKILL) while calls go on: once with clients ' +
    `that wait as ours do and a node that admits ${rounded(ADMITTED_PER_SECOND)} connections per second, once with clients ` +
    `that try again every 20 ms and no such limit. Set A2C_SCALE_MEMBERS for another number than 100,000; a process needs a ` +
    `descriptor for each (\`ulimit -n\`, here ${rounded(descriptors())}) and the machine ${MEMBER_KIB} KiB for each.`;
  if (!hasRedis) return { title, method, results: [], skipped: 'no redis-server; install it from your distribution' };
  if (members < 1000)
    return { title, method, results: [], skipped: 'there are descriptors or memory for too few members' };
  const spread = await onAllCores(() => run(members, true));
  return { title, method, results: [...spread, ...(await onAllCores(() => run(members, false)))] };
}

async function run(members: number, spreads: boolean): Promise<Result[]> {
  await using redis = await startRedis();
  const limits = spreads ? { handshakesPerSecond: ADMITTED_PER_SECOND } : {};
  const start = () => startServer('ours', { redis: redis.url, limits }, { execArgv: ['--expose-gc'] });
  await using one = await start();
  const two = await start();
  const urls = [one, two].map(({ greeting }) => String(greeting));
  const offices = Math.floor(members / 2 / CROWDS);
  const crowds = await Promise.all(
    Array.from({ length: CROWDS }, (_, index) => {
      const address = `127.0.0.${index + 2}`;
      return Participant.start('scale-crowd', { urls, address, first: index * offices, offices, spreads });
    }),
  );
  const askAll = <T>(request: ScaleRequest) => Promise.all(crowds.map(crowd => crowd.ask<T>(request)));
  try {
    const empty = await usageOf(one, 'usage without garbage');
    const begun = performance.now();
    await askAll<ScaleJoins>('join');
    const joining = performance.now() - begun;
    const count = offices * 2 * CROWDS;
    // What it took to let them in is given back a moment later.
    await usageOf(one, 'usage without garbage');
    await delay(2000);
    const full = await usageOf(one, 'usage without garbage');
    const calls = { calls: CALLS_PER_SECOND / CROWDS, seconds: SECONDS };
    const quiet = merged(await askAll<ScaleCalls>(calls));
    const during = askAll<ScaleCalls>(calls);
    await delay(1000);
    const killed = Date.now();
    await two.end();
    const after = merged(await during);
    const joins = await askAll<ScaleJoins>('back');
    const attempts = joins.reduce((sum, each) => sum + each.attempts, 0) - count;
    const back = Math.max(...joins.map(({ completeAt }) => completeAt)) - killed;
    const how = spreads ? 'spread' : 'all at once';
    const line = (name: string, ours: string, value: number): Result => ({ name: `${name}, ${how}`, ours, value });
    const storm = [
      line('a node is killed: all are back', duration(back), back),
      line('attempts of each that was cut off', (attempts / (count / 2)).toFixed(2), attempts / (count / 2)),
      line('calls lost of those in these 10 s', `${after.lost} of ${after.lost + after.latencies.length}`, after.lost),
    ];
    if (!spreads) return storm;
    const memory = (full.rss - empty.rss) / (count / 2);
    const [p50, p99] = [quantile(quiet.latencies, 0.5), quantile(quiet.latencies, 0.99)];
    return [
      { name: `members joined, on two nodes`, ours: rounded(count), value: count },
      { name: 'joins per second', ours: rounded((count / joining) * 1000), value: (count / joining) * 1000 },
      { name: 'resident memory of a member', ours: kibibytes(memory), value: memory },
      { name: `${rounded(CALLS_PER_SECOND)} calls/s among them: p50`, ours: duration(p50), value: p50 },
      { name: 'p99', ours: duration(p99), value: p99 },
      { name: 'calls lost', ours: String(quiet.lost), value: quiet.lost },
      ...storm,
    ];
  } finally {
    await Promise.all([two, ...crowds].map(participant => participant.end()));
  }
}

function merged(all: readonly ScaleCalls[]): ScaleCalls {
  return { latencies: all.flatMap(({ latencies }) => latencies), lost: all.reduce((sum, { lost }) => sum + lost, 0) };
}

/** As many members as were wanted, or as this machine can have: all of them on one node, when the other one is killed. */
function possible(): number {
  const memory = Number(/MemAvailable:\s+(\d+)/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0);
  return Math.floor(Math.min(WANTED, descriptors() - OTHER_DESCRIPTORS, memory / MEMBER_KIB) / 100) * 100;
}

/** How many descriptors a process may have. */
function descriptors(): number {
  return Number(/Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 0);
}
