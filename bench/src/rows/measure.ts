import { type Comparison, Contest } from '../harness/compare.ts';
import { Stack } from '../harness/stack.ts';
import type { ClientKind } from '../processes/agent.ts';
import type { ServerKind } from '../processes/server.ts';
import { compared } from '../report/lines.ts';
import { isReliable, type Result, type Target } from '../report/result.ts';
import { duration, rounded } from '../report/units.ts';

/** A load, and what is shown of it. */
export interface Row {
  name: string;
  size: number;
  inFlight: number;
  milliseconds?: number;
  rounds?: number;
  show: ('rate' | 'cpu' | 'p50' | 'p99')[];
  targets?: Partial<Record<'rate' | 'cpu' | 'p50' | 'p99', Target>>;
}

/** How often a row with a target is measured at most. */
const ATTEMPTS = 2;

export interface ContestSettings {
  server: ServerKind;
  /** Of our stacks; the baseline has Socket.IO's own client where we have ours. */
  clients: ClientKind;
  pairs?: number;
}

/** Starts the stacks of a comparison on one server each. */
export async function openContest({ server, clients, pairs = 1 }: ContestSettings): Promise<Contest> {
  const ours = { server: 'ours', clients, pairs } as const;
  const baseline = await Stack.start({ server, clients: clients === 'ours' ? 'stock' : 'thin', pairs });
  return new Contest(baseline, await Stack.start(ours), await Stack.start(ours));
}

/**
 * Measures rows. One with a target for which two equal stacks differ is measured again, on new ones: what makes them
 * differ is mostly how Node happened to optimise and to collect garbage, and that stays as long as they live.
 */
export async function measure(rows: readonly Row[], open: () => Promise<Contest>): Promise<Result[]> {
  const results = new Map<Row, Result[]>();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const left = rows.filter(row => !isSettled(results.get(row)));
    if (left.length === 0) break;
    await using contest = await open();
    for (const row of left) {
      const { size, inFlight, milliseconds = 100, rounds = row.targets ? 16 : 6 } = row;
      results.set(row, toResults(row, await contest.compare({ size, inFlight, milliseconds }, rounds)));
    }
  }
  return rows.flatMap(row => results.get(row) ?? []);
}

function isSettled(results: readonly Result[] | undefined): boolean {
  return results?.every(result => !result.target || isReliable(result)) ?? false;
}

const LABELS = { rate: 'calls/s', cpu: 'server CPU', p50: 'p50', p99: 'p99' };

function toResults({ name, show, targets }: Row, comparison: Comparison): Result[] {
  return show.map(key => {
    const words = (value: number) => inWords(key, value);
    const line = compared(comparison, { name: `${name}: ${LABELS[key]}`, key, words, target: targets?.[key] });
    // A percentile so far out is shown, not judged.
    return key === 'p99' ? { ...line, control: undefined } : line;
  });
}

function inWords(key: keyof typeof LABELS, value: number): string {
  if (key === 'rate') return rounded(value);
  return key === 'cpu' ? `${duration(value / 1000)}/call` : duration(value);
}
