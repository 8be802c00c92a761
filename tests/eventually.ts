import { vi } from 'vitest';

/** Waits until an assertion holds, as long as a slow machine may take. Both times are milliseconds. */
export function eventually(assertion: () => void | Promise<void>, timeout = 20_000, interval = 25): Promise<void> {
  return vi.waitFor(assertion, { timeout, interval });
}
