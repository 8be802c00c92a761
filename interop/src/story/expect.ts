import { inspect } from 'node:util';

/** Fails the step unless `holds`; `seen` is shown. */
export function expect(holds: boolean, wanted: string, seen?: unknown): void {
  if (!holds)
    throw new Error(seen === undefined ? wanted : `${wanted}, not ${inspect(seen, { depth: 5, breakLength: 200 })}`);
}

/** The message of the failure that must come. */
export async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('This must fail, but it succeeded');
}

/** Fails the step unless a person can see from `reason` what is wrong. */
export function expectReason(reason: string, topic: RegExp): void {
  expect(topic.test(reason), `a reason that says ${topic}`, reason);
}

/** Matches payloads about one Computer. */
export function about(computer: string): (payload: unknown) => boolean {
  return payload =>
    typeof payload === 'object' && payload !== null && 'computer' in payload && payload.computer === computer;
}
