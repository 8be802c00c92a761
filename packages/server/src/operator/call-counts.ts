import type { Outcome } from '../relay/call-observer.ts';
import type { CallRates } from './types.ts';

/** In the order in which `CallCounts` has their numbers. */
const OUTCOMES: readonly Outcome[] = ['answered', 'refused', 'timeout', 'computer_lost', 'agent_lost'];

/** Four buckets to a factor of two: a latency is off by 9 % at most. */
const BUCKETS_PER_OCTAVE = 4;
const BUCKET_COUNT = 96;
/** Milliseconds. The last bucket begins at 14 minutes. */
const FIRST_BOUND = 0.05;

/** Calls of one event in one second: by outcome, and by how long they took. Plain arrays, because nodes exchange them. */
export interface CallCounts {
  outcomes: number[];
  buckets: number[];
}

export function noCalls(): CallCounts {
  return { outcomes: OUTCOMES.map(() => 0), buckets: [] };
}

export function countCall(counts: CallCounts, outcome: Outcome, milliseconds: number): void {
  increase(counts.outcomes, OUTCOMES.indexOf(outcome), 1);
  if (outcome !== 'refused') increase(counts.buckets, bucketOf(milliseconds), 1);
}

/** Adds the counts of another node, or of another event. */
export function addCounts(sum: CallCounts, { outcomes, buckets }: CallCounts): void {
  for (let index = 0; index < OUTCOMES.length; index++) increase(sum.outcomes, index, outcomes[index] ?? 0);
  for (let index = 0; index < BUCKET_COUNT; index++) {
    if (buckets[index]) increase(sum.buckets, index, buckets[index] ?? 0);
  }
}

export function ratesOf({ outcomes, buckets }: CallCounts): CallRates {
  const rates = Object.fromEntries(OUTCOMES.map((outcome, index) => [outcome, outcomes[index] ?? 0]));
  const total = buckets.reduce((sum, count) => sum + (count ?? 0), 0);
  const latencies = total === 0 ? {} : { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) };
  return { ...(rates as Record<Outcome, number>), ...latencies };

  function quantile(part: number): number {
    let left = Math.ceil(total * part);
    const bucket = Array.from(buckets).findIndex(count => {
      left -= count ?? 0;
      return left <= 0;
    });
    return round(FIRST_BOUND * 2 ** ((bucket - 0.5) / BUCKETS_PER_OCTAVE));
  }
}

function bucketOf(milliseconds: number): number {
  const place = Math.ceil(Math.log2(milliseconds / FIRST_BOUND) * BUCKETS_PER_OCTAVE);
  return Math.min(Math.max(place, 0), BUCKET_COUNT - 1);
}

/** Arrays from `noCalls` are short, and those of JSON have nulls in their holes. */
function increase(counts: number[], index: number, by: number): void {
  while (counts.length <= index) counts.push(0);
  counts[index] = (counts[index] ?? 0) + by;
}

/** To three digits. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}
