import type { Random } from './random.ts';

/** Something that is fed with random input and must survive it. */
export interface Target extends AsyncDisposable {
  /** How many cases run at the same time. */
  readonly parallel: number;
  /** Runs one case. Throws when the target was harmed. */
  run(random: Random): Promise<void>;
  /** Checks that nothing was left behind, and says what was seen in a few words. Throws when something was. */
  settle(): Promise<string>;
}

export type OpenTarget = () => Promise<Target>;
