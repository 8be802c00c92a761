import type { RequirementId } from '@a2c-smcp/conformance/rules';

/** A change of the sources that breaks a rule of the register. The tests that cite the rule must fail with it. */
export interface Mutant {
  readonly rule: RequirementId;
  /** The behaviour of the broken sources. */
  readonly breaks: string;
  /** Relative to the root of the repository. */
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

type Row = readonly [rule: RequirementId, breaks: string, find: string, replace: string];

/** Mutants of one file. `find` is as short as it can be, so that it survives changes of the code around it. */
export function inFile(file: string, rows: readonly Row[]): Mutant[] {
  return rows.map(([rule, breaks, find, replace]) => ({ rule, breaks, file, find, replace }));
}
