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

/** Alternates short bursts between stacks that are all alive. */
export async function compare(
  { baseline, ours, again }: Contest,
  load: BurstRequest,
  rounds: number,
): Promise<Comparison> {
  for (const stack of [baseline, ours, again]) {
    await stack.warmUp();
    await stack.burst({ ...load, milliseconds: load.milliseconds / 2 });
  }
  const trial = (stack: Stack) => async () => ({ ...(await stack.burst(load)) });
  return alternate({ baseline: trial(baseline), ours: trial(ours), again: trial(again) }, rounds);
}
