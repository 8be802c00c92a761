import { Contest } from '../harness/compare.ts';
import { Participant } from '../harness/participant.ts';
import { relayOn } from '../harness/relay.ts';
import { startServer } from '../harness/servers.ts';
import type { WatcherSettings } from '../processes/watchers.ts';
import { atLeast } from '../report/lines.ts';
import type { Section } from '../report/result.ts';
import { measure, type Row } from './measure.ts';

const KEY = 'operator-key-of-the-benchmark';
const STREAMS = 5;

const row = (name: string, inFlight: number): Row => ({
  name: `${name}, 200 B, ${inFlight} in flight`,
  ...{ size: 200, inFlight, show: ['rate', 'cpu'], targets: { rate: atLeast(0.98) } },
});

/** Measures the cost of operators for a Server that relays. */
export async function operators(): Promise<Section> {
  return {
    title: 'Operators that look on',
    method:
      'Ours with operators against ours without, which is the baseline: first with the operator API on and no stream ' +
      'open, then with five event streams of the console open, which a process on the same core reads.',
    results: [
      ...(await measure([row('no console', 64)], () => against(0))),
      ...(await measure([row('five consoles', 64)], () => against(STREAMS))),
    ],
  };
}

async function against(streams: number): Promise<Contest> {
  const [plain, ours, again] = [
    await startServer('ours'),
    await startServer('ours', { operatorKeys: [KEY] }),
    await startServer('ours', { operatorKeys: [KEY] }),
  ];
  const urls = [ours, again].map(({ greeting }) => String(greeting));
  const settings: WatcherSettings = { urls, key: KEY, streams };
  const others = streams === 0 ? [] : [await Participant.start('watchers', settings)];
  return Contest.between({ baseline: relayOn(plain), ours: relayOn(ours), again: relayOn(again) }, { others });
}
