import { setTimeout as delay } from 'node:timers/promises';
import { exitOnSignals } from './harness/ending.ts';
import { unlessQuick } from './harness/quick.ts';
import { hasRedis, startRedis } from './harness/redis.ts';
import { startServer } from './harness/servers.ts';
import { usageOf } from './harness/usage.ts';
import { SoakOffice } from './soak/soak-office.ts';
import { emptyTally } from './soak/tally.ts';

// Two nodes under mixed load for a while: `npm run soak [-- seconds]`. Random calls, leaves, lost connections and,
// halfway, the death of a node. Every call must be answered exactly once, and every member must be present at the end.

const SECONDS = Math.min(Number(process.argv[2] ?? unlessQuick(120, 4)), 3600);
const OFFICES = unlessQuick(200, 20);

exitOnSignals();
if (!hasRedis) {
  process.stderr.write('redis-server is needed: apt-get install redis-server\n');
  process.exit(1);
}
await using redis = await startRedis();
const startNode = () => startServer('ours', { redis: redis.url }, { execArgv: ['--expose-gc'] });
await using survivor = await startNode();
await using victim = await startNode();
const urls = [String(survivor.greeting), String(victim.greeting)] as const;

const tally = emptyTally();
const offices = await Promise.all(
  Array.from({ length: OFFICES }, (_, n) => {
    const places = { agent: urls[n % 2 === 0 ? 0 : 1], computer: urls[(n >> 1) % 2 === 0 ? 0 : 1] };
    return SoakOffice.open(`office-${n}`, places, tally);
  }),
);
const before = await memory();
const end = performance.now() + SECONDS * 1000;
await Promise.all([killNode(), ...offices.map(work)]);
await delay(1000);

const absent = await Promise.all(offices.map(office => office.missing()));
const missing = absent.reduce((sum, count) => sum + count, 0);
const after = await memory();
const { calls, answered, refused, twice, rejoined } = tally;
const lost = calls - answered - refused;
process.stdout.write(
  `${SECONDS} s, ${OFFICES} offices on two nodes: ${calls} calls, ${answered} answered, ` +
    `${refused} refused with a reason, ${lost} without any answer, ${twice} answered twice; ` +
    `${rejoined} peers came back; ${missing} members missing at the end; ` +
    `memory of the surviving node ${before.resident} to ${after.resident} MiB, in use ${before.used} to ${after.used} MiB\n`,
);
for (const office of offices) office.close();
process.exitCode = lost === 0 && twice === 0 && missing === 0 ? 0 : 1;

async function work(office: SoakOffice): Promise<void> {
  while (performance.now() < end) await office.act();
}

/** Halfway one node dies; its peers go to the other. */
async function killNode(): Promise<void> {
  await delay((SECONDS * 1000) / 2);
  for (const peer of offices.flatMap(office => office.peers)) peer.move(urls[0]);
  await victim.end();
}

/** In MiB; what is in use is what is left after garbage was collected. */
async function memory(): Promise<{ resident: number; used: number }> {
  const { rss, heapUsed } = await usageOf(survivor, 'usage without garbage');
  return { resident: Math.round(rss / 1024 / 1024), used: Math.round(heapUsed / 1024 / 1024) };
}
