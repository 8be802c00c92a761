import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadlines } from './deadlines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('items expire in order, never early and at most a tenth of a second late', () => {
  const expired: [string, number][] = [];
  const deadlines = new Deadlines<string>(item => expired.push([item, performance.now() - started]));
  const started = performance.now();
  for (const [item, milliseconds] of [
    ['late', 500],
    ['soon', 10],
    ['middle', 250],
  ] as const) {
    deadlines.add(item, milliseconds);
  }
  vi.advanceTimersByTime(1000);
  expect(expired.map(([item]) => item)).toEqual(['soon', 'middle', 'late']);
  for (const [index, due] of [10, 250, 500].entries()) {
    expect(expired[index]![1]).toBeGreaterThanOrEqual(due);
    expect(expired[index]![1]).toBeLessThanOrEqual(due + 100);
  }
});

test('what is removed does not expire, and nothing ticks when nothing waits', () => {
  const expire = vi.fn();
  const deadlines = new Deadlines<string>(expire);
  const slot = deadlines.add('x', 100);
  deadlines.remove('x', slot);
  vi.advanceTimersByTime(200);
  expect(vi.getTimerCount()).toBe(0);
  deadlines.add('y', 100);
  vi.advanceTimersByTime(200);
  expect(expire.mock.calls).toEqual([['y']]);
  expect(vi.getTimerCount()).toBe(0);
});

test('closing forgets all', () => {
  const expire = vi.fn();
  const deadlines = new Deadlines<string>(expire);
  deadlines.add('x', 100);
  deadlines.close();
  vi.advanceTimersByTime(1000);
  expect(expire).not.toHaveBeenCalled();
});
