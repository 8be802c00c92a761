import { inspect } from 'node:util';
import type { Line } from './line.ts';
import type { RequirementId } from './rules.ts';

/** Plays one rule. It returns if the rule holds, and throws what `expect` and `skip` throw otherwise. */
export type Run<Stage> = (stage: Stage) => Promise<void>;

export interface Check<Stage> {
  /** The first line with the rule. */
  since?: Line;
  /** The last one. */
  until?: Line;
  /** Milliseconds, for a check that has to wait. */
  timeout?: number;
  run: Run<Stage>;
}

/** The checks of one topic, by the ids of their rules. */
export type Checks<Stage> = Readonly<Partial<Record<RequirementId, Run<Stage> | Check<Stage>>>>;

/** The peer broke the rule. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
  readonly expected: string;
  readonly seen: string;

  constructor(expected: string, seen: string) {
    super(`expected ${expected}, saw ${seen}`);
    this.expected = expected;
    this.seen = seen;
  }
}

/** The rule says nothing about this peer. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** Fails the check unless `holds`. `expected` completes "expected …"; `seen` is shown. */
export function expect(holds: unknown, expected: string, seen: unknown): asserts holds {
  if (!holds) throw new Mismatch(expected, show(seen));
}

/** Ends the check: the rule does not apply. */
export function skip(reason: string): never {
  throw new NotApplicable(reason);
}

const SHOWN_CHARACTERS = 600;

/** Bounded, and without control characters, since peers choose what it shows. */
export function show(value: unknown): string {
  const text =
    value instanceof Error
      ? inspect(value.message)
      : inspect(value, { depth: 6, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 200, maxArrayLength: 20 });
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
