import { expect, test } from 'vitest';
import { ByteCache } from './byte-cache.ts';

test('a full byte cache drops the least recently used entry', () => {
  const cache = new ByteCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  cache.get('a');
  cache.set('c', 'C', 4);
  expect(['a', 'b', 'c'].map(key => cache.get(key))).toEqual(['A', undefined, 'C']);
  expect(cache.bytes).toBe(8);
});

test('a byte cache replaces an entry of the same key, and does not store one above its budget', () => {
  const cache = new ByteCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('a', 'B', 6);
  cache.set('b', 'huge', 11);
  expect([cache.get('a'), cache.get('b'), cache.bytes]).toEqual(['B', undefined, 6]);
});
