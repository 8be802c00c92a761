import { type Check, type Checks, Mismatch, NotApplicable, type Run, show } from './check.ts';
import { isBefore, type Line } from './line.ts';
import { type RequirementId, requirements } from './rules.ts';
import { within } from './within.ts';

/** The outcome of one rule. */
export interface Result {
  rule: RequirementId;
  /** The rule in one sentence. */
  text: string;
  /** The page and heading of `docs/protocol` that states it. */
  source: string;
  outcome: 'pass' | 'fail' | 'n/a';
  /** Of a failure. */
  expected?: string;
  seen?: string;
  /** Why the rule does not apply. */
  reason?: string;
  milliseconds: number;
}

/** Fields that all targets share. */
export interface PlayOptions {
  /** Ids of rules, or their beginnings followed by `*`. @default all */
  only?: readonly string[];
  /** Milliseconds for one check that does not bring its own limit. @default 15_000 */
  timeout?: number;
  onResult?: (result: Result) => void;
  /** Ends the play: checks that have not begun are left out. */
  signal?: AbortSignal;
}

interface PlaySettings<Stage> extends PlayOptions {
  line: Line;
  /** How many checks run at once. */
  concurrency: number;
  /** Opens what one check needs, and ends it after the check. */
  open: () => Stage | Promise<Stage>;
  close?: (stage: Stage) => Promise<void>;
}

/** Plays the checks and returns a result for each, in the order of the register. */
export async function play<Stage>(
  checks: readonly Checks<Stage>[],
  { only, onResult, signal, concurrency, ...settings }: PlaySettings<Stage>,
): Promise<Result[]> {
  const wanted = rulesOf(checks).filter(([rule]) => isWanted(rule, only));
  const results: Result[] = [];
  const queue = wanted.values();
  const work = async () => {
    for (const [rule, check] of queue) {
      if (signal?.aborted) return;
      const result = await playOne(rule, check, settings);
      results.push(result);
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const order = wanted.map(([rule]) => rule);
  return results.toSorted((a, b) => order.indexOf(a.rule) - order.indexOf(b.rule));
}

/** The checks of all topics, in the order of the register. */
export function rulesOf<Stage>(checks: readonly Checks<Stage>[]): [RequirementId, Check<Stage>][] {
  const all = Object.assign({}, ...checks) as Record<string, Run<Stage> | Check<Stage> | undefined>;
  return (Object.keys(requirements) as RequirementId[]).flatMap(rule => {
    const check = all[rule];
    if (check === undefined) return [];
    return [[rule, typeof check === 'function' ? { run: check } : check]];
  });
}

export function isWanted(rule: string, only: readonly string[] = ['*']): boolean {
  return only.some(pattern => (pattern.endsWith('*') ? rule.startsWith(pattern.slice(0, -1)) : rule === pattern));
}

type OneCheck<Stage> = Pick<PlaySettings<Stage>, 'line' | 'open' | 'close' | 'timeout'>;

async function playOne<Stage>(
  rule: RequirementId,
  { since, until, run, timeout: own }: Check<Stage>,
  { line, open, close, timeout = 15_000 }: OneCheck<Stage>,
): Promise<Result> {
  const started = performance.now();
  const verdict = await (async () => {
    if (since && isBefore(line, since)) return { outcome: 'n/a', reason: `came with protocol ${since}` } as const;
    if (until && isBefore(until, line)) return { outcome: 'n/a', reason: `ended with protocol ${until}` } as const;
    const stage = await open();
    try {
      return await judge(own ?? timeout, run(stage));
    } finally {
      await close?.(stage);
    }
  })();
  const { rule: text, source } = requirements[rule];
  return { rule, text, source, ...verdict, milliseconds: Math.round(performance.now() - started) };
}

type Verdict = Pick<Result, 'outcome' | 'expected' | 'seen' | 'reason'>;

async function judge(milliseconds: number, work: Promise<void>): Promise<Verdict> {
  try {
    const end = await within(milliseconds, work);
    if (end === 'late') return { outcome: 'fail', expected: `an end within ${milliseconds / 1000} s`, seen: 'none' };
    return { outcome: 'pass' };
  } catch (error) {
    if (error instanceof NotApplicable) return { outcome: 'n/a', reason: error.message };
    if (error instanceof Mismatch) return { outcome: 'fail', expected: error.expected, seen: error.seen };
    const [, unanswered] = /^(\S+) was not acknowledged$/.exec(error instanceof Error ? error.message : '') ?? [];
    if (unanswered !== undefined) return { outcome: 'fail', expected: `an answer to ${unanswered}`, seen: 'silence' };
    return { outcome: 'fail', expected: 'no error', seen: show(error) };
  }
}
