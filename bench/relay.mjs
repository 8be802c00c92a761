// The relay against the obvious one: bursts alternate between servers that are alive at the same time, on one core.
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { answerCalls, join, makeCalls } from './thin-peer.mjs';

const server = fileURLToPath(new URL('server-process.mjs', import.meta.url));
const PAIRS = Number(process.env.PAIRS ?? 10);

if (spawnSync('taskset', ['-cp', '0', String(process.pid)]).status !== 0) {
  process.stderr.write('taskset is missing: processes are not pinned to one core\n');
}

const rows = [
  { name: '200 B, 64 in flight', inFlight: 64, size: 200 },
  { name: '200 B, 1 in flight', inFlight: 1, size: 200 },
  { name: '10 kB, 32 in flight', inFlight: 32, size: 10_000 },
  { name: '1 MB, 4 in flight', inFlight: 4, size: 1_000_000 },
];

const stacks = await Promise.all(['baseline', 'ours', ...(process.env.AA ? ['ours'] : [])].map(openStack));
for (const row of rows) {
  const results = stacks.map(() => []);
  for (let pair = 0; pair < PAIRS; pair++) {
    for (const [index, stack] of stacks.entries()) results[index].push(await burst(stack, row));
  }
  const [base, ...others] = results;
  for (const other of others) {
    const ratio = key => median(base.map((result, n) => other[n][key] / result[key]));
    process.stdout.write(
      `${row.name}: ${Math.round(median(other.map(r => r.rate)))} calls/s, ${ratio('rate').toFixed(2)} x; ` +
        `CPU ${median(other.map(r => r.cpu)).toFixed(1)} µs/call, ${ratio('cpu').toFixed(2)} x; p50 ${ratio('p50').toFixed(2)} x\n`,
    );
  }
}
for (const { process: child } of stacks) child.disconnect();

async function openStack(kind) {
  const child = fork(server, [kind], { execArgv: [], env: kind === 'baseline' ? { ...process.env, WS_NO_BUFFER_UTIL: '1' } : process.env });
  const [{ url }] = await once(child, 'message');
  const peers = new Map();
  return { process: child, url, peers };
}

async function burst(stack, { inFlight, size }) {
  if (!stack.peers.has(size)) {
    const office = `o${size}`;
    const agent = await join(stack.url, { role: 'agent', name: 'a', office });
    const computer = await join(stack.url, { role: 'computer', name: 'c', office });
    answerCalls(computer, size);
    stack.peers.set(size, agent);
    await makeCalls(agent, { agent: 'a', inFlight, milliseconds: 300, padding: 'x'.repeat(100) });
    agent.calls = 0;
  }
  const agent = stack.peers.get(size);
  const before = await usage(stack);
  const padding = 'x'.repeat(Math.min(size, 100));
  const result = await makeCalls(agent, { agent: 'a', inFlight, milliseconds: 300, padding });
  const after = await usage(stack);
  return {
    rate: (result.calls / result.milliseconds) * 1000,
    cpu: (after.cpu - before.cpu) / result.calls,
    p50: median(result.latencies),
  };
}

async function usage({ process: child }) {
  child.send('usage');
  const [message] = await once(child, 'message');
  return message;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
