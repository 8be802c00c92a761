import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepRunning } from './keep-running.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('pauses between restarts grow from 1 s to 30 s and start over after five stable minutes', async () => {
  const uptimes = [0, 0, 0, 0, 0, 0, 0, 299_999, 300_000];
  const stop = new AbortController();
  const pauses: number[] = [];
  let ended = 0;
  const running = keepRunning(
    async () => {
      if (ended > 0) pauses.push(Date.now() - ended);
      const uptime = uptimes.shift();
      if (uptime === undefined) stop.abort();
      else await new Promise(resolve => setTimeout(resolve, uptime));
      ended = Date.now();
    },
    { signal: stop.signal, onFailure: () => true, onRestart: () => {} },
  );
  await vi.runAllTimersAsync();
  await running;
  for (const [index, seconds] of [1, 2, 4, 8, 16, 30, 30, 30, 1].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(seconds * 500);
    // Fake timers round up to whole milliseconds.
    expect(pauses[index]).toBeLessThanOrEqual(seconds * 1000 + 1);
  }
  expect(pauses).toHaveLength(9);
});

test('a failure that cannot be repaired ends the attempts', async () => {
  const serve = vi.fn(async () => Promise.reject(new Error('hopeless')));
  await keepRunning(serve, { signal: new AbortController().signal, onFailure: () => false, onRestart: () => {} });
  expect(serve).toHaveBeenCalledTimes(1);
});
