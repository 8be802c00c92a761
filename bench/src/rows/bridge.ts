import { Contest } from '../harness/compare.ts';
import { Office } from '../harness/office.ts';
import { onAllCores } from '../harness/pinning.ts';
import { Stack } from '../harness/stack.ts';
import { atMost } from '../report/lines.ts';
import type { Section } from '../report/result.ts';
import { measure, type Row } from './measure.ts';

/** As in the section of the whole path: short bursts after a pause would measure something else. */
const LONGER = { milliseconds: 300, rounds: 4, size: 200 };
const ROWS: Row[] = [
  { ...LONGER, name: 'one call in flight', inFlight: 1, rounds: 10, show: ['p50'], targets: { p50: atMost(1.6) } },
  { ...LONGER, name: '32 calls in flight', inFlight: 32, show: ['rate'] },
];

/** Measures the time that a bridge adds to a call. */
export async function bridge(): Promise<Section> {
  return {
    title: 'A tool through the bridge',
    method:
      "The official SDK's client with `a2c bridge` as its child, then the whole path to a tool on stdio. The baseline is " +
      'our Agent on the same path. Processes run on all cores.',
    results: await onAllCores(() => measure(ROWS, againstAgent)),
  };
}

async function againstAgent(): Promise<Contest> {
  const [plain, ours, again] = [await Office.open(), await Office.open(), await Office.open()];
  const stacks = {
    baseline: new Stack([plain.server], await plain.enter('tool-caller')),
    ours: new Stack([ours.server], await ours.enter('tool-caller', {}, { isBridged: true })),
    again: new Stack([again.server], await again.enter('tool-caller', {}, { isBridged: true })),
  };
  return new Contest(stacks, [plain, ours, again]);
}
