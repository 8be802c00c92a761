import { expect, test } from 'vitest';
import { addCounts, countCall, noCalls, ratesOf } from './call-counts.ts';

test('latencies are right within a tenth, also when two nodes are added up', () => {
  const [one, two] = [noCalls(), noCalls()];
  for (let ms = 1; ms <= 1000; ms++) countCall(ms % 2 ? one : two, 'answered', ms);
  countCall(two, 'refused', 0);
  countCall(two, 'timeout', 1e9);
  countCall(two, 'answered', 0);
  // As another node sends it.
  addCounts(one, JSON.parse(JSON.stringify(two)));
  const { p50 = 0, p95 = 0, p99 = 0, ...outcomes } = ratesOf(one);
  expect(outcomes).toEqual({ answered: 1001, refused: 1, timeout: 1, computer_lost: 0, agent_lost: 0 });
  for (const [found, exact] of [
    [p50, 500],
    [p95, 950],
    [p99, 990],
  ] as const) {
    expect(Math.abs(found / exact - 1)).toBeLessThan(0.1);
  }
});

test('calls that were refused have no latency', () => {
  const counts = noCalls();
  countCall(counts, 'refused', 0);
  expect(ratesOf(counts)).not.toHaveProperty('p50');
});
