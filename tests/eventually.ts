import { vi } from 'vitest';

/** Waits until an assertion holds, as long as a slow machine may take. */
export function eventually(assertion: () => void | Promise<void>, timeout = 20_000): Promise<void> {
  return vi.waitFor(assertion, { timeout, interval: 25 });
}
