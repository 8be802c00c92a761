import type { Comparison } from '../harness/alternate.ts';
import { spreadOf } from '../harness/statistics.ts';
import type { Result, Target } from './result.ts';
import { duration } from './units.ts';

export const atLeast = (value: number): Target => ({ kind: 'at least', value });
export const atMost = (value: number, unit?: string): Target => ({ kind: 'at most', value, ...(unit ? { unit } : {}) });

export interface ComparedLine<Key extends string> {
  name: string;
  key: Key;
  /** A value with its unit. @default milliseconds */
  words?: (value: number) => string;
  target?: Target;
}

/** The line for one key of a comparison. */
export function compared<Key extends string>(
  { baseline, ours, ratio, control }: Comparison<Key>,
  { name, key, words = duration, target }: ComparedLine<Key>,
): Result {
  return {
    name,
    baseline: words(baseline[key]),
    ours: words(ours[key]),
    ratio: ratio[key],
    control: control[key],
    ...(target ? { target } : {}),
  };
}

/** The line for something that has no baseline: the median of repetitions, with quartiles. */
export function timed(name: string, milliseconds: readonly number[], target?: Target): Result {
  const { median, low, high } = spreadOf(milliseconds);
  const spread = milliseconds.length > 1 ? ` (${duration(low)} to ${duration(high)})` : '';
  return { name, ours: `${duration(median)}${spread}`, value: median, ...(target ? { target } : {}) };
}
