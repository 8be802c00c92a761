import { expect, test } from 'vitest';
import { Ring } from './ring.ts';

test('a ring gives its newest items from a position on, and says how many others there were', () => {
  const ring = new Ring<number>(3);
  expect(ring.since(0)).toEqual({ items: [], skipped: 0 });
  for (let item = 0; item < 5; item++) ring.push(item);
  expect(ring.end).toBe(5);
  expect(ring.since(0)).toEqual({ items: [2, 3, 4], skipped: 2 });
  expect(ring.since(3)).toEqual({ items: [3, 4], skipped: 0 });
  expect(ring.since(0, 1)).toEqual({ items: [4], skipped: 4 });
  expect(ring.since(9)).toEqual({ items: [], skipped: 0 });
});
