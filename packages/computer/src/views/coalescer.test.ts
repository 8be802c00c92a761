import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Coalescer } from './coalescer.ts';

describe('a coalescer', () => {
  let told: number[] = [];
  let coalescer: Coalescer;
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    told = [];
    coalescer = new Coalescer(() => told.push(Date.now()));
  });
  afterEach(() => void vi.useRealTimers());

  test('tells of a change within 20 ms, and once', () => {
    coalescer.request();
    vi.advanceTimersByTime(20);
    expect(told).toHaveLength(1);
    vi.advanceTimersByTime(1000);
    expect(told).toHaveLength(1);
  });

  test('tells of changes that come together once', () => {
    for (let count = 0; count < 50; count++) coalescer.request();
    vi.advanceTimersByTime(1000);
    expect(told).toHaveLength(1);
  });

  test('tells of a storm at most every 200 ms, and of its last change', () => {
    for (let count = 0; count < 1000; count++) {
      coalescer.request();
      vi.advanceTimersByTime(1);
    }
    const lastChange = Date.now() - 1;
    vi.advanceTimersByTime(1000);
    const gaps = told.slice(1).map((time, index) => time - (told[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(200);
    expect(told[0]).toBeLessThanOrEqual(20);
    expect(told.at(-1)).toBeGreaterThan(lastChange);
    expect(told.length).toBeLessThanOrEqual(6);
  });

  test('tells soon again after a quiet time', () => {
    coalescer.request();
    vi.advanceTimersByTime(500);
    coalescer.request();
    vi.advanceTimersByTime(20);
    expect(told).toHaveLength(2);
  });

  test('is silent about what was dropped', () => {
    coalescer.request();
    coalescer.drop();
    vi.advanceTimersByTime(1000);
    expect(told).toEqual([]);
    coalescer.request();
    vi.advanceTimersByTime(20);
    expect(told).toHaveLength(1);
  });
});
