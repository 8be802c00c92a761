import { atLeast, atMost } from '../report/lines.ts';
import type { Section } from '../report/result.ts';
import { measure, openContest, type Row } from './measure.ts';

const large = { size: 1_000_000, rounds: 5, milliseconds: 400 };

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
  { name: '200 B, 256 in flight', size: 200, inFlight: 256, show: ['rate', 'cpu'] },
  { name: '10 kB, 1 in flight', size: 10_000, inFlight: 1, show: ['p50', 'p99', 'cpu'] },
  { name: '10 kB, 32 in flight', size: 10_000, inFlight: 32, show: ['rate', 'cpu'] },
  { name: '10 kB, 256 in flight', size: 10_000, inFlight: 256, show: ['rate', 'cpu'] },
  { ...large, name: '1 MB, 1 in flight', inFlight: 1, show: ['p50', 'p99', 'cpu'], targets: { cpu: atMost(0.65) } },
  { ...large, name: '1 MB, 32 in flight', inFlight: 32, show: ['rate', 'cpu'], targets: { cpu: atMost(0.65) } },
  { ...large, name: '1 MB, 256 in flight', inFlight: 256, rounds: 2, milliseconds: 1000, show: ['rate', 'cpu'] },
];

export async function relay(): Promise<Section> {
  return {
    title: 'A call through the relay',
    method:
      'Thin Agent, Server, thin Computer, three processes each, all on one core. The baseline is the obvious relay in ' +
      'thirty lines of Socket.IO.',
    results: await measure(ROWS, () => openContest({ server: 'obvious', clients: 'thin' })),
  };
}

const PAIRS: Row = {
  name: '32 pairs, 1 in flight each',
  size: 200,
  inFlight: 1,
  show: ['rate', 'cpu'],
  targets: { rate: atLeast(1.1) },
};
const BUSY = { size: 200, inFlight: 64, show: ['rate'] } satisfies Partial<Row>;
const RAW: Row = { ...BUSY, name: 'raw `ws` relay, 200 B, 64 in flight', targets: { rate: atLeast(0.9) } };
const OWN: Row = { ...BUSY, name: 'get_tools with our clients, 64 in flight', targets: { rate: atLeast(1.3) } };

export async function clients(): Promise<Section> {
  return {
    title: 'Other clients, other baselines',
    method:
      'The same, with 32 pairs of peers on one server; against a relay of raw WebSockets that checks nothing; and with ' +
      "our Agent and Computer on our Server against Socket.IO's client on the obvious relay.",
    results: [
      ...(await measure([PAIRS], () => openContest({ server: 'obvious', clients: 'thin', pairs: 32 }))),
      ...(await measure([RAW], () => openContest({ server: 'raw', clients: 'thin' }))),
      ...(await measure([OWN], () => openContest({ server: 'obvious', clients: 'ours' }))),
    ],
  };
}
