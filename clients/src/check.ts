/** The outcome of one check of one client. */
export interface Outcome {
  client: string;
  check: string;
  /** A skipped check could not run on this machine. */
  state: 'passed' | 'failed' | 'skipped';
  detail: string;
}

/** A client that cannot be on this machine. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** Checks of one client, by what they show. Each returns a detail for the report. */
export type Checks = Record<string, () => Promise<string>>;

export async function runChecks(client: string, checks: Checks): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [check, run] of Object.entries(checks)) {
    try {
      outcomes.push({ client, check, state: 'passed', detail: await run() });
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      outcomes.push({ client, check, state: error instanceof Unavailable ? 'skipped' : 'failed', detail });
    }
  }
  return outcomes;
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
