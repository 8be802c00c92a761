import { median, type Spread, spreadOf } from './statistics.ts';

/** Measures something once. */
export type Trial<Key extends string> = () => Promise<Record<Key, number>>;

/** Those that are compared; the last one is like ours. */
export type Contestants<T> = Record<'baseline' | 'ours' | 'again', T>;

export interface Comparison<Key extends string> {
  baseline: Record<Key, number>;
  ours: Record<Key, number>;
  /** Ours by the baseline, of each round. */
  ratio: Record<Key, Spread>;
  /** The same of ours and the other one like it: how far from 1 chance alone gets. */
  control: Record<Key, number>;
}

/** Takes turns, so that whatever disturbs one disturbs the others. */
export async function alternate<Key extends string>(
  trials: Contestants<Trial<Key>>,
  rounds: number,
): Promise<Comparison<Key>> {
  const order = ['baseline', 'ours', 'again'] as const;
  const samples: Contestants<Record<Key, number>[]> = { baseline: [], ours: [], again: [] };
  for (let round = 0; round < rounds; round++) {
    // The first contestant of a round is the last of the next.
    for (const name of round % 2 === 0 ? order : order.toReversed()) samples[name].push(await trials[name]());
  }
  const { baseline, ours, again } = samples;
  const keys = Object.keys(ours[0] ?? {}) as Key[];
  const each = <T>(value: (key: Key) => T) => Object.fromEntries(keys.map(key => [key, value(key)])) as Record<Key, T>;
  const middle = (taken: Record<Key, number>[]) => each(key => median(taken.map(sample => sample[key])));
  return {
    baseline: middle(baseline),
    ours: middle(ours),
    ratio: each(key => spreadOf(ratios(ours, baseline, key))),
    control: each(key => median(ratios(again, ours, key))),
  };
}

function ratios<Key extends string>(ours: Record<Key, number>[], others: Record<Key, number>[], key: Key): number[] {
  return ours.map((sample, index) => sample[key] / (others[index]?.[key] ?? Number.NaN));
}
