import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two tries, at most: each may be a request, and others need the processor meanwhile. */
const MAX_INTERVAL_MS = 100;

/** Waits until an assertion holds, as long as a slow machine may take. Both times are milliseconds. */
export async function eventually(
  assertion: () => void | Promise<void>,
  timeout = 20_000,
  interval = 10,
): Promise<void> {
  const deadline = performance.now() + timeout;
  for (let pause = interval; ; pause = Math.max(interval, Math.min(pause * 1.5, MAX_INTERVAL_MS))) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await delay(pause);
  }
}
