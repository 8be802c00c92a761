import { expect, test } from 'vitest';
import { type Allowance, chargeBroadcast, spend } from './rate.ts';

const RATE = 100;

/** How many of `count` events at one moment are accepted. */
function burst(allowance: Allowance, count: number, now: number): number {
  return Array.from({ length: count }, () => spend(allowance, RATE, now)).filter(verdict => verdict === 'accepted')
    .length;
}

test('an allowance is used up at once and comes back with time, up to one second of it', () => {
  const allowance = { tokens: RATE, at: 0, excess: 0 };
  expect(burst(allowance, 150, 0)).toBe(100);
  expect(burst(allowance, 10, 0)).toBe(0);
  expect(burst(allowance, 150, 500)).toBe(50);
  expect(burst(allowance, 150, 100_000)).toBe(100);
});

test('refused events cost no allowance', () => {
  const allowance = { tokens: 0, at: 0, excess: 0 };
  for (let now = 1; now <= 9; now++) expect(spend(allowance, RATE, now)).toBe('refused');
  expect(spend(allowance, RATE, 11)).toBe('accepted');
});

test('a sender at one and a half times the rate is never taken for a flood', () => {
  const allowance = { tokens: RATE, at: 0, excess: 0 };
  const verdicts = new Set(
    Array.from({ length: 100_000 }, (_, n) => spend(allowance, RATE, (n * 1000) / (RATE * 1.5))),
  );
  expect([...verdicts].sort()).toEqual(['accepted', 'refused']);
});

test('a sender at ten times the rate is flooding after some seconds', () => {
  const allowance = { tokens: RATE, at: 0, excess: 0 };
  const verdicts = Array.from({ length: 2000 }, (_, n) => spend(allowance, RATE, (n * 1000) / (RATE * 10)));
  expect(verdicts.slice(0, 1000)).not.toContain('flooding');
  expect(verdicts.at(-1)).toBe('flooding');
});

test('a notification costs by the number of its recipients and their bytes together', () => {
  const allowance = { tokens: 1000, at: 0, excess: 0 };
  chargeBroadcast(allowance, 10, 100);
  expect(allowance.tokens).toBe(1000);
  chargeBroadcast(allowance, 1000, 0);
  expect(allowance.tokens).toBe(980);
  chargeBroadcast(allowance, 1000, 64 * 1024);
  expect(allowance.tokens).toBe(-40);
});
