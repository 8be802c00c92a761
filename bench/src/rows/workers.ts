import { Contest } from '../harness/compare.ts';
import { Participant } from '../harness/participant.ts';
import { type Relay, relayOn, startOurs } from '../harness/relay.ts';
import { hasProc } from '../harness/usage.ts';
import { atMost } from '../report/lines.ts';
import type { Section } from '../report/result.ts';
import { measure, type Row } from './measure.ts';

/** Two cores carry 1.7 times the calls of one when a call costs at most 2 / 1.7 of the CPU. */
const ROWS: Row[] = [
  {
    name: '200 B, 256 in flight',
    ...{ size: 200, inFlight: 256, milliseconds: 50 },
    show: ['cpu'],
    targets: { cpu: atMost(1.17) },
  },
];

/** `a2c server --workers 2` against one process. */
export async function workers(): Promise<Section> {
  const title = 'Two workers on one port';
  const method =
    'Thin clients in 32 offices. The baseline is one process; ours is a process that accepts connections and two workers, ' +
    'their CPU added up. Clients need more than a server, so on few cores calls per second say little: as long as no ' +
    'process waits for another, N cores carry N divided by this ratio times the calls of one.';
  if (!hasProc) {
    return { title, method, results: [], skipped: 'the CPU of other processes is read from /proc, which Linux has' };
  }
  return { title, method, results: await measure(ROWS, open) };
}

async function open(): Promise<Contest> {
  const relays = { baseline: await startOurs(), ours: await startPool(), again: await startPool() };
  return Contest.between(relays, { pairs: 32 });
}

async function startPool(): Promise<Relay> {
  return relayOn(await Participant.start('worker-pool', { count: 2 }));
}
