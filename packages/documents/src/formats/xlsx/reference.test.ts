import { describe, expect, test } from 'vitest';
import { cellName, columnName, parseCell, relativeFormula } from './reference.ts';

describe('references', () => {
  test.each(['A1', 'Z9', 'AA10', 'AZ1', 'BA2', 'ZZ100', 'AAA1', 'XFD1048576'])('%s is read and written alike', name => {
    const place = parseCell(name);
    expect(place && cellName(place)).toBe(name);
  });

  test.each(['', 'A', '1', 'a1', 'ABCD1', 'A1:B2'])("'%s' is none", name => {
    expect(parseCell(name)).toBeUndefined();
  });

  test('columns count like A, B … Z, AA', () => {
    expect([0, 25, 26, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
  });

  test('a formula that was copied down is the same formula', () => {
    const first = relativeFormula('SUM(B2:C2)*$E$1', { column: 3, row: 1 });
    expect(relativeFormula('SUM(B9:C9)*$E$1', { column: 3, row: 8 })).toBe(first);
    expect(relativeFormula('SUM(B9:C9)*$E$2', { column: 3, row: 8 })).not.toBe(first);
  });
});
