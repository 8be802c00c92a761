import { atLeast, atMost } from '../report/lines.ts';
import type { Result, Section } from '../report/result.ts';
import { contest, measure, type Row } from './measure.ts';

const large = { size: 1_000_000, rounds: 4, milliseconds: 800 };

const ROWS: Row[] = [
  { name: '200 B, 1 in flight', size: 200, inFlight: 1, show: ['p50', 'p99', 'cpu'], targets: { p50: atMost(1) } },
  { name: '200 B, 32 in flight', size: 200, inFlight: 32, show: ['rate', 'cpu'] },
  {
    name: '200 B, 64 in flight',
    size: 200,
    inFlight: 64,
    show: ['rate', 'cpu'],
    targets: { rate: atLeast(1.5), cpu: atMost(0.5) },
  },
  { name: '200 B, 256 in flight', size: 200, inFlight: 256, rounds: 5, show: ['rate', 'cpu'] },
  { name: '10 kB, 1 in flight', size: 10_000, inFlight: 1, show: ['p50', 'p99', 'cpu'] },
  { name: '10 kB, 32 in flight', size: 10_000, inFlight: 32, show: ['rate', 'cpu'] },
  { name: '10 kB, 256 in flight', size: 10_000, inFlight: 256, rounds: 5, show: ['rate', 'cpu'] },
  { ...large, name: '1 MB, 1 in flight', inFlight: 1, show: ['p50', 'p99', 'cpu'], targets: { cpu: atMost(0.65) } },
  { ...large, name: '1 MB, 32 in flight', inFlight: 32, show: ['rate', 'cpu'], targets: { cpu: atMost(0.65) } },
  { ...large, name: '1 MB, 256 in flight', inFlight: 256, rounds: 2, show: ['rate', 'cpu'] },
];

export async function relay(): Promise<Section> {
  const results = await contest('obvious', 'thin', async stacks => {
    const lines: Result[] = [];
    for (const row of ROWS) lines.push(...(await measure(row, stacks)));
    return lines;
  });
  return {
    title: 'A call through the relay',
    method:
      'Thin Agent, Server, thin Computer, three processes each, all on one core. The baseline is the obvious relay in ' +
      'thirty lines of Socket.IO.',
    results,
  };
}

export async function clients(): Promise<Section> {
  const pairs: Row = { name: '32 pairs, 1 in flight each', size: 200, inFlight: 1, show: ['rate', 'cpu'] };
  const many = await contest(
    'obvious',
    'thin',
    stacks => measure({ ...pairs, targets: { rate: atLeast(1.1) } }, stacks),
    {
      pairs: 32,
    },
  );
  const raw: Row = { name: 'raw `ws` relay, 200 B, 64 in flight', size: 200, inFlight: 64, show: ['rate'] };
  const floor = await contest('raw', 'thin', stacks => measure({ ...raw, targets: { rate: atLeast(0.9) } }, stacks));
  const own: Row = { name: 'get_tools with our clients, 200 B, 64 in flight', size: 0, inFlight: 64, show: ['rate'] };
  const users = await contest('obvious', 'ours', stacks =>
    measure({ ...own, targets: { rate: atLeast(1.3) } }, stacks),
  );
  return {
    title: 'Other clients, other baselines',
    method:
      'The same, with 32 pairs of peers on one server; against a relay of raw WebSockets that checks nothing; and with ' +
      "our Agent and Computer on our Server against Socket.IO's client on the obvious relay.",
    results: [...many, ...floor, ...users],
  };
}
