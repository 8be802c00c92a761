import { Contest } from '../harness/compare.ts';
import { relayOn, startOurs } from '../harness/relay.ts';
import { startServer } from '../harness/servers.ts';
import type { ServerKind } from '../processes/server.ts';
import { atLeast, atMost } from '../report/lines.ts';
import type { Section } from '../report/result.ts';
import { measure, type Row } from './measure.ts';

const large = { size: 1_000_000, rounds: 8, milliseconds: 100 };

const ROWS: Row[] = [
  {
    name: '200 B, 1 in flight',
    size: 200,
    inFlight: 1,
    show: ['p50', 'p99', 'rate', 'cpu'],
    targets: { p50: atMost(1) },
  },
  { name: '200 B, 32 in flight', size: 200, inFlight: 32, show: ['rate', 'cpu'] },
  {
    name: '200 B, 64 in flight',
    size: 200,
    inFlight: 64,
    show: ['rate', 'cpu'],
    targets: { rate: atLeast(1.5), cpu: atMost(0.5) },
  },
  { name: '200 B, 256 in flight', size: 200, inFlight: 256, show: ['rate', 'cpu'] },
  { name: '10 kB, 1 in flight', size: 10_000, inFlight: 1, show: ['p50', 'p99', 'rate', 'cpu'] },
  { name: '10 kB, 32 in flight', size: 10_000, inFlight: 32, show: ['rate', 'cpu'] },
  {
    ...large,
    name: '1 MB, 1 in flight',
    inFlight: 1,
    show: ['p50', 'p99', 'rate', 'cpu'],
    targets: { cpu: atMost(0.65) },
  },
  { ...large, name: '1 MB, 32 in flight', inFlight: 32, show: ['rate', 'cpu'], targets: { cpu: atMost(0.65) } },
];

export async function relay(): Promise<Section> {
  return {
    title: 'A call through the relay',
    method:
      'Thin Agent, Server, thin Computer: three processes on one core. The baseline is the obvious relay in ' +
      'thirty lines of Socket.IO.',
    results: await measure(ROWS, () => against('obvious')),
  };
}

const PAIRS: Row = {
  name: '32 pairs, 1 in flight each',
  size: 200,
  inFlight: 1,
  milliseconds: 50,
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
      ...(await measure([PAIRS], () => against('obvious', 32))),
      ...(await measure([RAW], () => against('raw'))),
      ...(await measure([OWN], withOwnClients)),
    ],
  };
}

/** The same thin clients on another server and on ours. */
async function against(server: ServerKind, pairs = 1): Promise<Contest> {
  const baseline = relayOn(await startServer(server));
  return Contest.between({ baseline, ours: await startOurs(), again: await startOurs() }, { pairs });
}

async function withOwnClients(): Promise<Contest> {
  const baseline = relayOn(await startServer('obvious'), 'stock');
  return Contest.between({ baseline, ours: await startOurs('ours'), again: await startOurs('ours') });
}
