import type { BurstRequest } from '../processes/agent.ts';
import type { Sample, Stack } from './stack.ts';
import { median, type Spread, spreadOf } from './statistics.ts';

export interface Comparison {
  baseline: Sample;
  ours: Sample;
  /** Ours by the baseline, of each pair of bursts. */
  ratio: Record<keyof Sample, Spread>;
  /** The same of two equal stacks of ours: how far from 1 chance alone gets. */
  control: Record<keyof Sample, number>;
}

export interface Contest {
  baseline: Stack;
  ours: Stack;
  /** Another one like `ours`. */
  again: Stack;
}

const KEYS = ['rate', 'cpu', 'p50', 'p99'] as const;

/** Alternates short bursts between stacks that are all alive, so that whatever disturbs one disturbs the others. */
export async function compare(contest: Contest, load: BurstRequest, rounds: number): Promise<Comparison> {
  const order = ['baseline', 'ours', 'again'] as const;
  const samples: Record<(typeof order)[number], Sample[]> = { baseline: [], ours: [], again: [] };
  for (const name of order) await contest[name].burst(load);
  for (let round = 0; round < rounds; round++) {
    // Whoever comes first, comes last the next time.
    for (const name of round % 2 === 0 ? order : order.toReversed()) {
      samples[name].push(await contest[name].burst(load));
    }
  }
  const { baseline, ours, again } = samples;
  return {
    baseline: middle(baseline),
    ours: middle(ours),
    ratio: each(key => spreadOf(ratios(ours, baseline, key))),
    control: each(key => median(ratios(again, ours, key))),
  };
}

function ratios(ours: Sample[], others: Sample[], key: keyof Sample): number[] {
  return ours.map((sample, index) => sample[key] / (others[index]?.[key] ?? Number.NaN));
}

function middle(samples: Sample[]): Sample {
  return each(key => median(samples.map(sample => sample[key])));
}

function each<T>(value: (key: keyof Sample) => T): Record<keyof Sample, T> {
  return Object.fromEntries(KEYS.map(key => [key, value(key)])) as Record<keyof Sample, T>;
}
