import type { BurstRequest } from '../processes/agent.ts';
import { alternate, type Comparison as ComparisonOf } from './alternate.ts';
import type { Sample, Stack } from './stack.ts';

export type Comparison = ComparisonOf<keyof Sample>;

/** Milliseconds. One call at a time takes longer to make its code hot. */
const WARM_UP = { one: 1500, many: 300 };

/** The stacks of a comparison. They end with it, and `others` with them. */
export class Contest implements AsyncDisposable {
  readonly #baseline: Stack;
  readonly #ours: Stack;
  readonly #again: Stack;
  readonly #others: readonly AsyncDisposable[];

  /** @param again another one like `ours` */
  constructor(baseline: Stack, ours: Stack, again: Stack, others: readonly AsyncDisposable[] = []) {
    this.#baseline = baseline;
    this.#ours = ours;
    this.#again = again;
    this.#others = others;
  }

  /** Alternates short bursts between stacks that are all alive. */
  async compare(load: BurstRequest, rounds: number): Promise<Comparison> {
    const stacks = [this.#baseline, this.#ours, this.#again];
    for (const stack of stacks) {
      await stack.warmUp();
      await stack.burst({ ...load, milliseconds: load.inFlight === 1 ? WARM_UP.one : WARM_UP.many });
    }
    const trial = (stack: Stack) => async () => ({ ...(await stack.burst(load)) });
    return alternate({ baseline: trial(this.#baseline), ours: trial(this.#ours), again: trial(this.#again) }, rounds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stacks = [this.#baseline, this.#ours, this.#again];
    await Promise.all([...stacks, ...this.#others].map(part => part[Symbol.asyncDispose]()));
  }
}
