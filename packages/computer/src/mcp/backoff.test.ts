import { expect, test } from 'vitest';
import { Backoff } from './backoff.ts';

test('pauses grow from 1 s to 30 s and start over after five stable minutes', () => {
  const backoff = new Backoff();
  const pauses = Array.from({ length: 8 }, () => backoff.next(0));
  for (const [index, full] of [1, 2, 4, 8, 16, 30, 30, 30].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(full * 750);
    expect(pauses[index]).toBeLessThanOrEqual(full * 1000);
  }
  expect(backoff.next(299_999)).toBeGreaterThan(20_000);
  expect(backoff.next(300_000)).toBeLessThanOrEqual(1000);
});
