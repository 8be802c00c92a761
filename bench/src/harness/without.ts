import { fileURLToPath } from 'node:url';
import type { ParticipantOptions } from './participant.ts';

/** A change of a source that takes an optimisation out. */
export interface Edit {
  /** The end of the module's URL. */
  module: string;
  find: string;
  replace: string;
}

/** Options for a process that runs without an optimisation. */
export function without(edits: readonly Edit[]): ParticipantOptions {
  const hook = fileURLToPath(new URL('../processes/without.js', import.meta.url));
  return { env: { A2C_BENCH_WITHOUT: JSON.stringify(edits) }, execArgv: ['--import', hook] };
}
