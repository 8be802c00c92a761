import { describe, expect, test } from 'vitest';
import { createStyle } from './style.ts';
import { columns, cut, displayWidth, oneLine, safeText, table } from './table.ts';
import { frame, windowPane } from './windows.ts';

const plain = createStyle({ colour: false, width: 40 });
const colour = createStyle({ colour: true, width: 40 });

describe('tables', () => {
  test('columns are aligned, also with wide characters', () => {
    expect(
      columns([
        ['a', '1'],
        ['日本', '2'],
        ['long', '3'],
      ]),
    ).toEqual(['a     1', '日本  2', 'long  3']);
  });

  test('a table is never wider than the terminal', () => {
    const lines = table(['NAME', 'TEXT'], [['x', 'y'.repeat(100)]], { style: plain });
    expect(lines.map(displayWidth).every(width => width <= 40)).toBe(true);
    expect(lines[1]).toMatch(/…$/);
  });

  test('a table cuts its widest columns, and leaves the others whole', () => {
    const [, line] = table(['A', 'B', 'C'], [['short', 'x'.repeat(300), 'y'.repeat(300)]], { style: plain });
    expect(line).toBe(`short  ${'x'.repeat(14)}…  ${'y'.repeat(14)}…`);
  });

  test('a table never cuts the column that is to be kept, and leaves out others for it', () => {
    const headings = ['TYPE', 'TITLE', 'CHANGED', 'URI'];
    const row = (uri: string) => ['xlsx', 'Coffee sales 2026', '2026-01-01', uri];
    const lines = (uri: string) => table(headings, [row(uri)], { style: plain, keep: 3 });
    expect(lines('dpe://short')[1]).toBe('xlsx  Coffee s…  2026-01-…  dpe://short');
    expect(lines(`dpe://${'a'.repeat(22)}`)).toEqual(['TYPE  URI', `xlsx  dpe://${'a'.repeat(22)}`]);
    expect(lines(`dpe://${'a'.repeat(60)}`)[1]).toBe(`dpe://${'a'.repeat(60)}`);
  });

  test('a table has no line breaks and control characters of peers', () => {
    const [, line = ''] = table(['A'], [['one\ntwo\u001b[2Jthree\u0007']], { style: plain });
    expect(line).toBe('one two[2Jthree');
    expect(safeText('a\u001b]0;title\u0007\tb\nc\u009b1m')).toBe('a]0;title\tb\nc1m');
    expect(safeText('a\u202eb\u2066c')).toBe('abc');
    expect(oneLine('  a \r\n b ')).toBe('a b');
  });

  test('safeText removes invisible characters and floods of combining marks', () => {
    expect(safeText('a\u200b\u2060\ufeff\u{e0041}b')).toBe('ab');
    expect(safeText(`e${'\u0301'.repeat(10_000)}x`)).toBe(`e${'\u0301'.repeat(8)}x`);
    expect(safeText('नि 👩‍👩‍👧 می‌خواهم')).toBe('नि 👩‍👩‍👧 می‌خواهم');
  });

  test('a table with a cell of 4 MB and 300,000 rows stays small', () => {
    const unlimited = createStyle({ colour: false });
    const rows = Array.from({ length: 300_000 }, (_, at) => [String(at), 'x']);
    const lines = table(['A', 'B'], [['y'.repeat(4_000_000), 'z'], ...rows], { style: unlimited });
    expect(lines).toHaveLength(300_002);
    expect(lines[1]?.length).toBeLessThan(20_000);
    expect(lines[2]?.length).toBeLessThan(500);
  });

  test('a table marks cells after making them safe', () => {
    const [, line] = table(['A', 'B'], [['x', 'y']], {
      style: colour,
      paint: (cell, at) => (at === 0 ? colour.red(cell) : cell),
    });
    expect(line).toBe('\u001b[31mx\u001b[39m  y');
  });
});

describe('cutting', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly', 7, 'exactly'],
    ['too long', 5, 'too …'],
    ['日本語', 4, '日…'],
  ])('cut shortens %j to %i columns as %j', (text, width, result) => {
    expect(cut(text, width)).toBe(result);
  });

  test('cut keeps the closing mark of a style', () => {
    expect(cut(colour.red('a long text'), 4)).toBe('\u001b[31ma l…\u001b[39m');
  });
});

describe('windows', () => {
  test('a window has its URI as title', () => {
    expect(windowPane('window://a/b\n\nhello\nworld')).toEqual({ title: 'window://a/b', body: 'hello\nworld' });
    expect(windowPane('just text')).toEqual({ title: '', body: 'just text' });
  });

  test('a frame around a line of 4 MB and 100,000 short ones stays small', () => {
    const body = `${'x'.repeat(4_000_000)}\n${'y\n'.repeat(100_000)}`;
    const lines = frame({ title: 't'.repeat(1_000_000), body }, createStyle({ colour: false }));
    expect(lines.join('\n').length).toBeLessThan(50_000_000);
    expect(lines[1]).toContain('x'.repeat(4_000_000));
  });

  test('a frame has straight edges', () => {
    const lines = frame({ title: 'window://x', body: 'a\n日本\n\ttab' }, { ...plain, width: 80 });
    expect(new Set(lines.map(displayWidth)).size).toBe(1);
  });
});
