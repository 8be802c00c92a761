import type { Spread } from '../harness/statistics.ts';

/** The target of a ratio or a value. */
export interface Target {
  kind: 'at least' | 'at most';
  value: number;
  /** Of a value that is no ratio. */
  unit?: string;
}

/** One line of a table. */
export interface Result {
  name: string;
  /** The baseline, and its value with unit. */
  baseline?: string;
  ours: string;
  /** Ours by the baseline. */
  ratio?: Spread;
  /** The ratio of two equal stacks. */
  control?: number;
  /** A target for the ratio, or for `value` when there is none. */
  target?: Target;
  value?: number;
}

export interface Section {
  title: string;
  /** The method, in a sentence or two. */
  method: string;
  results: Result[];
  /** Why a section could not be measured. */
  skipped?: string;
}

/** How far two equal stacks may be apart before a measurement is worth nothing. */
const TOLERANCE = 0.05;

export function isReliable({ control }: Pick<Result, 'control'>): boolean {
  return control === undefined || Math.abs(control - 1) <= TOLERANCE;
}

export function isMet({ target, ratio, value }: Result): boolean | undefined {
  const got = ratio?.median ?? value;
  if (!target || got === undefined) return undefined;
  return target.kind === 'at least' ? got >= target.value : got <= target.value;
}
