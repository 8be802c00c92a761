import { Interruption } from '@a2c-smcp/core';
import { type CallToolResult, ErrorCode } from '@a2c-smcp/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallScope, Fifo } from './call-scope.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const result = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** Carries out a call as `ToolCalls` does. */
async function once(scope: CallScope, reqId: string, execute: () => Promise<CallToolResult>): Promise<CallToolResult> {
  return scope.once({ agent: 'a', reqId }, () => ({ result: execute(), abort: new Interruption() }));
}

test('a request is executed once within ten minutes, and again after', async () => {
  const scope = new CallScope();
  const execute = vi.fn(async () => result('x'));
  expect(await once(scope, 'a', execute)).toEqual(result('x'));
  vi.advanceTimersByTime(9 * 60_000);
  expect(await once(scope, 'a', execute)).toEqual(result('x'));
  expect(execute).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(60_001);
  await once(scope, 'a', execute);
  expect(execute).toHaveBeenCalledTimes(2);
});

test('a repetition of a pending call shares its result', async () => {
  const scope = new CallScope();
  const execute = vi.fn(async () => result('x'));
  const [first, second] = await Promise.all([once(scope, 'a', execute), once(scope, 'a', execute)]);
  expect(first).toBe(second);
  expect(execute).toHaveBeenCalledTimes(1);
});

test('a call that rejects is executed again', async () => {
  const scope = new CallScope();
  await expect(once(scope, 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await once(scope, 'a', async () => result('x'))).toEqual(result('x'));
});

test('32 MB of results are kept, and of older ones that they were carried out', async () => {
  const scope = new CallScope();
  const large = result('x'.repeat(20 * 1024 * 1024));
  const execute = vi.fn(async () => large);
  await once(scope, 'a', execute);
  await once(scope, 'b', execute);
  expect(await once(scope, 'a', execute)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('too large to keep') }],
    meta: { error_code: ErrorCode.ToolFailed },
  });
  expect(await once(scope, 'b', execute)).toBe(large);
  expect(execute).toHaveBeenCalledTimes(2);
});

test('a call costs the same after 200,000 others', { timeout: 60_000 }, async () => {
  vi.useRealTimers();
  const scope = new CallScope();
  let calls = 0;
  const duration = async (count: number) => {
    const start = performance.now();
    for (let n = 0; n < count; n++) await once(scope, `${calls++}`, async () => result('x'.repeat(200)));
    return performance.now() - start;
  };
  const fastest = async () => Math.min(await duration(2000), await duration(2000), await duration(2000));
  await duration(4000);
  const early = await fastest();
  await duration(200_000);
  // It was 40 times as much when the oldest entry was looked for; the machine may be busy.
  expect(await fastest()).toBeLessThan(15 * early);
});

test('a fifo gives its entries back in the order in which they were added, as long as they are due', () => {
  const fifo = new Fifo<string, number>();
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) fifo.add(key, index);
  expect(fifo.shiftIf(value => value < 2)).toEqual(['a', 0]);
  expect(fifo.shiftIf(value => value < 2)).toEqual(['b', 1]);
  expect(fifo.shiftIf(value => value < 2)).toBeUndefined();
  expect([fifo.size, fifo.has('b'), fifo.get('c')]).toEqual([2, false, 2]);
  fifo.add('a', 4);
  const rest = Array.from({ length: 4 }, () => fifo.shiftIf(() => true));
  expect(rest).toEqual([['c', 2], ['d', 3], ['a', 4], undefined]);
});
