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

test('a table as wide as a sheet of Excel loses no cell', () => {
  const names = Array.from({ length: 16_384 }, (_, index) => `C${index}`);
  const rows = Array.from({ length: 20 }, (_, row) => names.map((_, column) => (row + column) % 10));
  const { content, overflow } = tableContent(names, rows);
  const later = overflow?.portions.flatMap(portion => JSON.parse(Buffer.from(portion).toString())) ?? [];
  expect([...content.rows, ...later].flat()).toHaveLength(names.length * rows.length);
  // A portion has as many rows as fit beside some of the columns, not beside all.
  expect(overflow?.portions.length).toBeLessThan(rows.length * 10);
});

test('columns without any value have no portions of their own', () => {
  const names = Array.from({ length: 16_384 }, (_, index) => `C${index}`);
  const far = [1, ...Array.from({ length: names.length - 2 }, () => null), 2];
  const { content, overflow } = tableContent(names, [far]);
  expect([content.rows[0]?.[0], overflow?.portions.length]).toEqual([1, 1]);
  const [[rest] = []] = overflow?.portions.map(portion => JSON.parse(Buffer.from(portion).toString())) ?? [];
  expect(rest?.at(-1)).toBe(2);
  expect(overflow?.wide?.columns[0]?.[1]).toBe(16_384);
});

test('a table whose names are too long for a portion continues by columns, and loses no cell', () => {
  const names = Array.from({ length: 900 }, (_, index) => `A long name of column ${index}`);
  const rows = Array.from({ length: 12 }, (_, row) => names.map((_, column) => `${row}/${column}`));
  const { content, overflow } = tableContent(names, rows);
  expect(content.headers.length).toBeLessThan(300);
  expect(content).toMatchObject({ total_rows: 12, total_columns: 900 });
  const later = overflow?.portions.flatMap(portion => JSON.parse(Buffer.from(portion).toString())) ?? [];
  const cells = [...content.rows, ...later].flat();
  expect(cells).toHaveLength(900 * 12);
  expect(new Set(cells)).toEqual(new Set(rows.flat()));
  const [from = 0, to] = overflow?.wide?.columns[0] ?? [];
  expect(from).toBe(content.headers.length);
  const [first] = JSON.parse(Buffer.from(overflow?.portions[0] ?? []).toString());
  expect(first).toEqual(rows[0]?.slice(from, to));
});
