import { describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../tests/eventually.ts';
import { countdown, limitSignal, settle, within } from './deadline.ts';

describe('a limited signal', () => {
  test('fires when its signal does', () => {
    const stop = new AbortController();
    const limited = limitSignal(stop.signal, 60_000);
    expect(limited.aborted).toBe(false);
    stop.abort('enough');
    expect(limited.reason).toBe('enough');
  });

  test('fires after its time, whatever the garbage collector does meanwhile', async () => {
    const limited = limitSignal(new AbortController().signal, 200);
    await eventually(() => {
      globalThis.gc?.();
      expect(limited.reason).toMatchObject({ name: 'TimeoutError' });
    }, 10_000);
  });
});

describe('settle', () => {
  test('releases what was started, once, however it is settled', async () => {
    const release = vi.fn();
    const stop = new AbortController();
    await settle<string>(
      resolve => {
        resolve('at once');
        return release;
      },
      { timeout: 1000, signal: stop.signal },
    );
    const slow = settle(() => release, { timeout: 1, timeoutError: () => 'too slow' });
    const aborted = settle(() => release, { signal: stop.signal });
    stop.abort('stopped');
    expect(await Promise.allSettled([slow, aborted])).toMatchObject([{ reason: 'too slow' }, { reason: 'stopped' }]);
    expect(release).toHaveBeenCalledTimes(3);
  });

  test('does not start when its signal has fired before', async () => {
    const start = vi.fn();
    await expect(settle(start, { signal: AbortSignal.abort('stopped') })).rejects.toBe('stopped');
    expect(start).not.toHaveBeenCalled();
  });
});

test('within gives the outcome of the work, or an error when that takes too long', async () => {
  expect(await within(Promise.resolve(1), { timeout: 1000 })).toBe(1);
  await expect(within(Promise.reject(new Error('no')), { timeout: 1000 })).rejects.toThrow('no');
  await expect(within(new Promise(() => {}), { timeout: 1 })).rejects.toThrow('It took longer than 1 ms');
});

test('a countdown tells whole milliseconds and never less than one', () => {
  expect(countdown(50)()).toBeLessThanOrEqual(50);
  expect(countdown(-50)()).toBe(1);
});

test('within handles work that fails after its signal has fired', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  try {
    const work = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 5));
    await expect(within(work, { signal: AbortSignal.abort('stopped') })).rejects.toBe('stopped');
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});
