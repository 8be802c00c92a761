import { expect, test } from 'vitest';
import { Fifo } from './fifo.ts';

test('gives its entries back in the order in which they came, as long as they are due', () => {
  const fifo = new Fifo<string, number>();
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) fifo.add(key, index);
  expect(fifo.shiftIf(value => value < 2)).toEqual(['a', 0]);
  expect(fifo.shiftIf(value => value < 2)).toEqual(['b', 1]);
  expect(fifo.shiftIf(value => value < 2)).toBeUndefined();
  expect([fifo.size, fifo.has('b'), fifo.get('c')]).toEqual([2, false, 2]);
  fifo.add('a', 4);
  const rest = Array.from({ length: 4 }, () => fifo.shiftIf(() => true));
  expect(rest).toEqual([['c', 2], ['d', 3], ['a', 4], undefined]);
});
