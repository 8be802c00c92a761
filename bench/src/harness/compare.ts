import type { Load } from '../processes/agent.ts';
import { alternate, type Comparison as ComparisonOf, type Contestants } from './alternate.ts';
import { unlessQuick } from './quick.ts';
import { connect, type Relay } from './relay.ts';
import { type Sample, Stack } from './stack.ts';

export type Comparison = ComparisonOf<keyof Sample>;

export interface ContestOptions {
  /** Pairs of an Agent and a Computer on each relay. @default 1 */
  pairs?: number;
  /** The processes that the relays need beside their servers. */
  others?: readonly AsyncDisposable[];
}

/** Milliseconds that a stack gets to know a load. */
const WARM_UP = unlessQuick(150, 1);

/** Stacks that are compared, and the processes they are made of, which end with it. */
export class Contest implements AsyncDisposable {
  readonly #stacks: Contestants<Stack>;
  readonly #parts: readonly AsyncDisposable[];

  constructor(stacks: Contestants<Stack>, parts: readonly AsyncDisposable[]) {
    this.#stacks = stacks;
    this.#parts = parts;
  }

  static async between(relays: Contestants<Relay>, { pairs, others = [] }: ContestOptions = {}): Promise<Contest> {
    const { baseline, ours, again } = relays;
    const all = [baseline, ours, again];
    const { agent, computer } = await connect(all, pairs);
    const stack = (relay: Relay) => new Stack(relay.servers, agent, all.indexOf(relay));
    const stacks = { baseline: stack(baseline), ours: stack(ours), again: stack(again) };
    return new Contest(stacks, [agent, computer, ...all.flatMap(({ servers }) => servers), ...others]);
  }

  /** Alternates short bursts between stacks that are all alive. */
  async compare(load: Load, rounds: number): Promise<Comparison> {
    const { baseline, ours, again } = this.#stacks;
    for (const stack of [baseline, ours, again]) {
      await stack.warmUp(load);
      await stack.burst({ ...load, milliseconds: WARM_UP });
    }
    const trial = (stack: Stack) => async () => ({ ...(await stack.burst(load)) });
    return alternate({ baseline: trial(baseline), ours: trial(ours), again: trial(again) }, rounds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#parts.map(part => part[Symbol.asyncDispose]()));
  }
}
