import { type Cell, toMarkdown } from '@a2c-smcp/publish/content';
import { describe, expect, test } from 'vitest';
import { BlockCollector, cellName, columnName, parseCell, relativeFormula } from './cells.ts';

/** Collects rows as a sheet would give them; `null` is an empty cell. */
function collect(rows: (Cell[] | undefined)[]) {
  const collector = new BlockCollector('Sheet');
  for (const [row, values] of rows.entries()) {
    const cells = new Map([...(values ?? []).entries()].filter(([, cell]) => cell !== null));
    collector.add({ row, cells });
  }
  return collector.finish();
}

describe('blocks of a sheet', () => {
  test('a sheet with a title, a table with headers and a note has three blocks', () => {
    const elements = collect([['Sales'], undefined, ['Shop', 'Cups'], ['A', 1], ['B', 2], undefined, ['As of May']]);
    expect(elements.map(({ category }) => category)).toEqual(['text', 'table', 'text']);
    expect(elements[1]).toMatchObject({
      content: {
        headers: ['Shop', 'Cups'],
        rows: [
          ['A', 1],
          ['B', 2],
        ],
      },
      metadata: { sheet: 'Sheet', range: 'A3:B5' },
    });
  });

  test('a sheet with more blocks than a page shows continues in its last table', () => {
    const block = (number: number) => [undefined, ['Shop', 'Note'], [`shop-${number}`, 'word '.repeat(100)]];
    const elements = collect(Array.from({ length: 60 }, (_, number) => block(number)).flat());
    const shown = elements.map(element => toMarkdown(element)).join('\n\n');
    expect(shown.length).toBeLessThan(20_000);
    const later = elements
      .flatMap(({ overflow }) => overflow?.portions ?? [])
      .map(rows => Buffer.from(rows).toString());
    expect(`${shown}${later.join()}`.match(/shop-\d+/g)).toHaveLength(60);
    expect(elements.filter(({ overflow }) => overflow !== undefined)).toEqual([elements.at(-1)]);
  });

  test('a title directly above its table is a block of its own', () => {
    expect(collect([['Sales'], ['Shop', 'Cups'], ['A', 1]]).map(({ category }) => category)).toEqual(['text', 'table']);
  });

  test('columns without headers are named by their letters', () => {
    expect(
      collect([
        [null, 1, 2],
        [null, 3, 4],
      ])[0]?.content,
    ).toMatchObject({
      headers: ['B', 'C'],
      rows: [
        [1, 2],
        [3, 4],
      ],
    });
  });

  test('years beside words are headers of a sheet', () => {
    expect(
      collect([
        ['Shop', 2025, 2026],
        ['A', 1, 2],
      ])[0]?.content,
    ).toMatchObject({ headers: ['Shop', '2025', '2026'] });
  });

  test('a row that is longer than those before widens the table of a sheet', () => {
    const rows = [...Array.from({ length: 60 }, (): Cell[] => [1, 2]), [1, 2, 3]];
    expect(collect(rows)[0]?.content).toMatchObject({ headers: ['A', 'B', 'C'], total_rows: 61, total_columns: 3 });
  });

  test('cells far away are shown, unless each of many rows has one', () => {
    const collector = new BlockCollector('Sheet');
    const rows = 1500;
    for (let row = 0; row < rows; row += 1) {
      const cells = [[0, row] as const, [16_383, `far-${row}.`] as const];
      collector.add({ row, cells: new Map<number, Cell>(cells) });
    }
    const [table] = collector.finish();
    expect(table?.content).toMatchObject({ total_rows: rows, total_columns: 16_384 });
    const shown = table?.overflow?.portions.map(portion => Buffer.from(portion).toString()).join() ?? '';
    expect([shown.includes('far-0.'), shown.includes('far-1000.'), shown.includes('far-1499.')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('references', () => {
  test.each(['A1', 'Z9', 'AA10', 'AZ1', 'BA2', 'ZZ100', 'AAA1', 'XFD1048576'])(
    'the cell reference %s is parsed and written alike',
    name => {
      const place = parseCell(name);
      expect(place && cellName(place)).toBe(name);
    },
  );

  test.each(['', 'A', '1', 'a1', 'ABCD1', 'A1:B2'])("'%s' is no cell reference", name => {
    expect(parseCell(name)).toBeUndefined();
  });

  test('columns are named A, B … Z, AA', () => {
    expect([0, 25, 26, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
  });

  test('a formula that was copied down is the same formula', () => {
    const first = relativeFormula('SUM(B2:C2)*$E$1', { column: 3, row: 1 });
    expect(relativeFormula('SUM(B9:C9)*$E$1', { column: 3, row: 8 })).toBe(first);
    expect(relativeFormula('SUM(B9:C9)*$E$2', { column: 3, row: 8 })).not.toBe(first);
  });
});
