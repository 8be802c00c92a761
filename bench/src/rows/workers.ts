import { Contest } from '../harness/compare.ts';
import { Participant } from '../harness/participant.ts';
import { onAllCores } from '../harness/pinning.ts';
import { type Relay, relayOn, startOurs } from '../harness/relay.ts';
import { Stack } from '../harness/stack.ts';
import { hasProc } from '../harness/usage.ts';
import type { PeerSettings } from '../processes/agent.ts';
import { atLeast } from '../report/lines.ts';
import type { Section } from '../report/result.ts';
import { measure, type Row } from './measure.ts';

const OFFICES = 16;

/** In longer bursts than others: the scheduler takes a while to give each process its core. */
const ROWS: Row[] = [
  {
    name: `200 B, ${OFFICES} offices with 256 in flight`,
    ...{ size: 200, inFlight: 256, milliseconds: 300, rounds: 8 },
    show: ['rate', 'cpu'],
    targets: { rate: atLeast(1.7) },
  },
];

/** `a2c server --workers 2` against one process. */
export async function workers(): Promise<Section> {
  const title = 'Two workers on one port';
  const method =
    'The baseline is one process; ours is a process that accepts connections and two workers, their CPU added up. They ' +
    `run on all cores. The Agents and Computers of ${OFFICES} offices are one process that copies frames from templates ` +
    'and takes about a seventh of the CPU of a server, so that two cores are left to the workers but for that.';
  if (!hasProc) {
    return { title, method, results: [], skipped: 'the CPU of other processes is read from /proc, which Linux has' };
  }
  return { title, method, results: await onAllCores(() => measure(ROWS, open)) };
}

async function open(): Promise<Contest> {
  const relays = [await startOurs(), await startPool(), await startPool()];
  const offices = Array.from({ length: OFFICES }, (_, n) => `office-${n}`);
  const connections = relays.map(({ clients, urls }) => ({ kind: clients, url: urls.agent, offices }));
  const flood = await Participant.start('flood', { connections } satisfies PeerSettings);
  const [baseline, ours, again] = relays.map(({ servers }, index) => new Stack(servers, flood, index)) as [
    Stack,
    Stack,
    Stack,
  ];
  return new Contest({ baseline, ours, again }, [flood, ...relays.flatMap(({ servers }) => servers)]);
}

async function startPool(): Promise<Relay> {
  return relayOn(await Participant.start('worker-pool', { count: 2 }));
}
