import { expect, test } from 'vitest';
import { takeToken } from './rate.ts';

/** How many of `count` events at one moment are let through. */
function burst(allowance: { tokens: number; at: number }, count: number, now: number): number {
  return Array.from({ length: count }, () => takeToken(allowance, 100, now)).filter(Boolean).length;
}

test('an allowance is used up at once and comes back with time, up to one second of it', () => {
  const allowance = { tokens: 100, at: 0 };
  expect(burst(allowance, 150, 0)).toBe(100);
  expect(burst(allowance, 10, 0)).toBe(0);
  expect(burst(allowance, 150, 500)).toBe(50);
  expect(burst(allowance, 150, 100_000)).toBe(100);
});

test('events refused cost nothing', () => {
  const allowance = { tokens: 0, at: 0 };
  for (let now = 1; now <= 9; now++) expect(takeToken(allowance, 100, now)).toBe(false);
  expect(takeToken(allowance, 100, 11)).toBe(true);
});
