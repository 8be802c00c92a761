import type { BurstRequest } from '../processes/agent.ts';
import { alternate, type Comparison as ComparisonOf } from './alternate.ts';
import type { Sample, Stack } from './stack.ts';

export type Comparison = ComparisonOf<keyof Sample>;

export interface Contest {
  baseline: Stack;
  ours: Stack;
  /** Another one like `ours`. */
  again: Stack;
}

/** Alternates short bursts between stacks that are all alive. The first burst of each warms it up and does not count. */
export async function compare(
  { baseline, ours, again }: Contest,
  load: BurstRequest,
  rounds: number,
): Promise<Comparison> {
  for (const stack of [baseline, ours, again]) await stack.burst(load);
  const trial = (stack: Stack) => async () => ({ ...(await stack.burst(load)) });
  return alternate({ baseline: trial(baseline), ours: trial(ours), again: trial(again) }, rounds);
}
