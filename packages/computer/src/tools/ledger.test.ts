import type { CallToolResult } from '@a2c-smcp/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Ledger } from './ledger.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const result = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

test('executes once within ten minutes and again after', async () => {
  const ledger = new Ledger();
  const execute = vi.fn(async () => result('x'));
  expect(await ledger.once('a', execute)).toEqual(result('x'));
  vi.advanceTimersByTime(9 * 60_000);
  expect(await ledger.once('a', execute)).toEqual(result('x'));
  expect(execute).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(60_001);
  await ledger.once('a', execute);
  expect(execute).toHaveBeenCalledTimes(2);
});

test('a repetition of a call under way shares its outcome', async () => {
  const ledger = new Ledger();
  const execute = vi.fn(async () => result('x'));
  const [first, second] = await Promise.all([ledger.once('a', execute), ledger.once('a', execute)]);
  expect(first).toBe(second);
  expect(execute).toHaveBeenCalledTimes(1);
});

test('keeps 32 MB of results, and of older ones that they were', async () => {
  const ledger = new Ledger();
  const large = result('x'.repeat(20 * 1024 * 1024));
  const execute = vi.fn(async () => large);
  await ledger.once('a', execute);
  await ledger.once('b', execute);
  expect(await ledger.once('a', execute)).toBeUndefined();
  expect(await ledger.once('b', execute)).toBe(large);
  expect(execute).toHaveBeenCalledTimes(2);
});

test('a call costs the same after 200,000 others', { timeout: 60_000 }, async () => {
  vi.useRealTimers();
  const ledger = new Ledger();
  let calls = 0;
  const duration = async (count: number) => {
    const start = performance.now();
    for (let n = 0; n < count; n++) await ledger.once(`${calls++}`, async () => result('x'.repeat(200)));
    return performance.now() - start;
  };
  const fastest = async () => Math.min(await duration(2000), await duration(2000), await duration(2000));
  await duration(4000);
  const early = await fastest();
  await duration(200_000);
  // It was 40 times as much when the oldest entry was looked for; the machine may be busy.
  expect(await fastest()).toBeLessThan(15 * early);
});
