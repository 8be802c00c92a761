import { expect, test } from 'vitest';
import { portionSize, tableContent } from './table.ts';

test('wide tables have fewer rows in a portion', () => {
  expect([1, 10, 50, 100, 16_384].map(portionSize)).toEqual([200, 200, 100, 50, 1]);
});

test('portions hold every row once', () => {
  const rows = Array.from({ length: 450 }, (_, index) => [index, `row ${index}`]);
  const { content, overflow } = tableContent(['n', 'name'], rows);
  const later = overflow?.portions.flatMap(portion => JSON.parse(Buffer.from(portion).toString()));
  expect([...content.rows, ...(later ?? [])]).toEqual(rows);
  expect(content).toMatchObject({ total_rows: 450, total_columns: 2 });
});
