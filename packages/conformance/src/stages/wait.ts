import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds: how long a peer may take to answer, and after which what did not arrive is taken to stay away. */
export const ANSWER_MS = 5000;
const QUIET_MS = 300;

/** Returns what `look` finds as soon as it finds something; undefined after `milliseconds`. */
export async function waitFor<T>(
  look: () => T | undefined | Promise<T | undefined>,
  milliseconds = ANSWER_MS,
): Promise<T | undefined> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const found = await look();
    if (found !== undefined || performance.now() >= end) return found;
    await pause(10);
  }
}

/** Long enough for whatever is on its way. Nothing on the wire tells that nothing will come. */
export async function quiet(): Promise<void> {
  await pause(QUIET_MS);
}
