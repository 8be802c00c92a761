import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spreadPages } from './spread.ts';

const block = (at: number, level?: number) => ({ at, size: 10, ...(level !== undefined && { level }) });

test('a fixed number of pages is about equally long', () => {
  const blocks = Array.from({ length: 100 }, (_, at) => block(at));
  expect(spreadPages(blocks, 4).starts).toEqual([0, 25, 50, 75]);
});

test('a heading near by begins a page', () => {
  const blocks = Array.from({ length: 100 }, (_, at) => block(at, at === 27 || at === 60 ? 1 : undefined));
  expect(spreadPages(blocks, 4).starts).toEqual([0, 27, 50, 75]);
});

test('there are as many pages as asked for, whatever there is to show', () => {
  const sizes = fc.array(fc.nat(1000), { maxLength: 50 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 60 }), (lengths, count) => {
      const blocks = lengths.map((size, at) => ({ at, size }));
      const { starts } = spreadPages(blocks, count);
      expect(starts).toHaveLength(count);
      expect(starts.every((start, index) => index === 0 || start > starts[index - 1]!)).toBe(true);
      if (blocks.length >= count) expect(starts.at(-1)).toBeLessThan(blocks.length);
    }),
  );
});

test('pages without a block begin behind the last one, so that the first has all of it', () => {
  expect(spreadPages([{ at: 0, size: 100_000 }], 3).starts).toEqual([0, 100_000, 100_001]);
});
