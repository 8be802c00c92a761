import fc from 'fast-check';
import { expect, test } from 'vitest';
import { portionSize, tableContent } from './table.ts';

test('wide tables have fewer rows in a portion', () => {
  expect([1, 10, 50, 100, 16_384].map(portionSize)).toEqual([200, 200, 100, 50, 1]);
});

test('the portions of a table hold every row once', () => {
  const rows = Array.from({ length: 450 }, (_, index) => [index, `row ${index}`]);
  const { content, overflow } = tableContent(['n', 'name'], rows);
  const later = overflow?.portions.flatMap(portion => JSON.parse(Buffer.from(portion).toString()));
  expect([...content.rows, ...(later ?? [])]).toEqual(rows);
  expect(content).toMatchObject({ total_rows: 450, total_columns: 2 });
});

test('a table of any shape loses no row', () => {
  fc.assert(
    fc.property(fc.nat(1500), fc.integer({ min: 1, max: 60 }), (count, columns) => {
      const rows = Array.from({ length: count }, (_, row) => [row, ...Array.from({ length: columns - 1 }, () => null)]);
      const { content, overflow } = tableContent(Array.from({ length: columns }, String), rows);
      const later = overflow?.portions.flatMap(portion => JSON.parse(Buffer.from(portion).toString())) ?? [];
      expect([...content.rows, ...later]).toEqual(rows);
      expect(content.rows.length).toBeLessThanOrEqual(portionSize(columns));
    }),
    { numRuns: 20 },
  );
});
