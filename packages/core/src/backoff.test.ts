import { describe, expect, test } from 'vitest';
import { backoff } from './backoff.ts';
import { pause } from './deadline.ts';

const pauses = { first: 100, longest: 1000 };

describe('the pause before an attempt', () => {
  test.each([
    [0, 100],
    [1, 200],
    [3, 800],
    [4, 1000],
    [2000, 1000],
  ])('is at most, before attempt %i, %i ms', (attempt, longest) => {
    expect(backoff(attempt, pauses, () => 0)).toBe(longest);
  });

  test('is cut by a random part of up to one half', () => {
    expect(backoff(1, pauses, () => 0.5)).toBe(150);
    expect(backoff(1, pauses, () => 1)).toBe(100);
  });
});

test('an aborted pause rejects with the reason', async () => {
  const controller = new AbortController();
  const pausing = pause(60_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(pausing).rejects.toThrow('enough');
  await expect(pause(60_000, controller.signal)).rejects.toThrow('enough');
});
