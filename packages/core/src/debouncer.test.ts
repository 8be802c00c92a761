import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Debouncer } from './debouncer.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

test('a debouncer without a delay runs at once', () => {
  const run = vi.fn();
  new Debouncer(run).request();
  expect(run).toHaveBeenCalledTimes(1);
});

test('requests within the delay share one run', () => {
  const run = vi.fn();
  const debouncer = new Debouncer(run, { delay: 5 });
  for (let count = 0; count < 50; count++) debouncer.request();
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledTimes(1);
});

test('requests during a pause share one run after it', () => {
  const runs: number[] = [];
  const debouncer = new Debouncer(() => void runs.push(Date.now()), { delay: 5, pause: 200 });
  for (let count = 0; count < 1000; count++) {
    debouncer.request();
    vi.advanceTimersByTime(1);
  }
  const lastRequest = Date.now() - 1;
  vi.advanceTimersByTime(1000);
  const gaps = runs.slice(1).map((time, index) => time - (runs[index] ?? 0));
  expect(runs[0]).toBe(5);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(200);
  expect(runs.at(-1)).toBeGreaterThan(lastRequest);
  expect(runs).toHaveLength(6);
});

test('a request after a quiet time waits for the delay only', () => {
  const run = vi.fn();
  const debouncer = new Debouncer(run, { delay: 5, pause: 200 });
  debouncer.request();
  vi.advanceTimersByTime(500);
  debouncer.request();
  vi.advanceTimersByTime(5);
  expect(run).toHaveBeenCalledTimes(2);
});

test('requests during an asynchronous run cause a single further one after it', async () => {
  let finish: () => void = () => {};
  const run = vi.fn(() => new Promise<void>(resolve => (finish = resolve)));
  const debouncer = new Debouncer(run);
  for (let count = 0; count < 5; count++) debouncer.request();
  expect(run).toHaveBeenCalledTimes(1);
  finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(run).toHaveBeenCalledTimes(2);
  finish();
  await vi.advanceTimersByTimeAsync(1000);
  expect(run).toHaveBeenCalledTimes(2);
});

test('with restart the run waits until no request came for the delay', () => {
  const run = vi.fn();
  const debouncer = new Debouncer(run, { delay: 100, restart: true });
  for (let count = 0; count < 5; count++) {
    debouncer.request();
    vi.advanceTimersByTime(60);
  }
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(40);
  expect(run).toHaveBeenCalledTimes(1);
});

test('cancelled requests do not run, and flushed ones run at once', () => {
  const run = vi.fn();
  const debouncer = new Debouncer(run, { delay: 100 });
  debouncer.request();
  debouncer.cancel();
  vi.advanceTimersByTime(1000);
  debouncer.flush();
  expect(run).not.toHaveBeenCalled();
  debouncer.request();
  debouncer.flush();
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledTimes(1);
});
