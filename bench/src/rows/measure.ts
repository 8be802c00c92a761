import type { Comparison, Contest } from '../harness/compare.ts';
import { unlessQuick } from '../harness/quick.ts';
import type { Load } from '../processes/agent.ts';
import { compared } from '../report/lines.ts';
import { isReliable, type Result, type Target } from '../report/result.ts';
import { duration, rounded } from '../report/units.ts';

/** A load, and what is shown of it. */
export interface Row extends Omit<Load, 'milliseconds'> {
  name: string;
  milliseconds?: number;
  rounds?: number;
  show: ('rate' | 'cpu' | 'p50' | 'p99')[];
  targets?: Partial<Record<'rate' | 'cpu' | 'p50' | 'p99', Target>>;
}

/** Many short bursts: with the same time in fewer and longer ones, two equal stacks differ twice as much. */
const BURST = 25;
const ROUNDS = 32;
/** Rows that are only shown need not be as precise. */
const SHOWN_ROUNDS = 16;
/** How often a row with a target is measured at most. */
const ATTEMPTS = unlessQuick(2, 1);

/**
 * Measures rows. A target in which two equal stacks differ is measured again, on new ones: much of such a difference stays
 * for as long as they live.
 */
export async function measure(rows: readonly Row[], open: () => Promise<Contest>): Promise<Result[]> {
  const results = new Map<Row, Result[]>();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const left = rows.filter(row => !results.get(row)?.every(result => isReliable(result) || !result.target));
    if (left.length === 0) break;
    await using contest = await open();
    for (const row of left) {
      const { size, inFlight, targets, milliseconds = BURST, rounds = targets ? ROUNDS : SHOWN_ROUNDS } = row;
      const found = toResults(row, await contest.compare({ size, inFlight, milliseconds }, unlessQuick(rounds, 1)));
      results.set(row, keepReliable(results.get(row), found));
    }
  }
  return rows.flatMap(row => results.get(row) ?? []);
}

function keepReliable(before: readonly Result[] | undefined, now: readonly Result[]): Result[] {
  return now.map((result, index) => (before?.[index] && isReliable(before[index]) ? before[index] : result));
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
  return key === 'cpu' ? `${duration(value)}/1,000 calls` : duration(value);
}
