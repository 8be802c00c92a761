import { expect, test } from 'vitest';
import { ByteCache } from './store.ts';

test('what was used longest ago goes first when the budget is spent', () => {
  const cache = new ByteCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  cache.get('a');
  cache.set('c', 'C', 4);
  expect(['a', 'b', 'c'].map(key => cache.get(key))).toEqual(['A', undefined, 'C']);
  expect(cache.bytes).toBe(8);
});

test('setting a key again replaces it, and what is larger than everything is not kept', () => {
  const cache = new ByteCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('a', 'B', 6);
  cache.set('b', 'huge', 11);
  expect([cache.get('a'), cache.get('b'), cache.bytes]).toEqual(['B', undefined, 6]);
});
