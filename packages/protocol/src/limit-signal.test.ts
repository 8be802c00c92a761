import { expect, test, vi } from 'vitest';
import { limitSignal } from './limit-signal.ts';

test('fires when its signal does', () => {
  const stop = new AbortController();
  const limited = limitSignal(stop.signal, 60_000);
  expect(limited.aborted).toBe(false);
  stop.abort('enough');
  expect(limited.reason).toBe('enough');
});

test('fires after its time, whatever the garbage collector does meanwhile', async () => {
  const limited = limitSignal(new AbortController().signal, 200);
  await vi.waitFor(() => {
    globalThis.gc?.();
    expect(limited.reason).toMatchObject({ name: 'TimeoutError' });
  }, 10_000);
});
