import { code, list, paragraph, table, toMarkdown } from '@a2c-smcp/publish/content';
import { expect, test } from 'vitest';
import { paginate } from './paginate.ts';
import { splitLong } from './split.ts';

test('a long paragraph is cut at the ends of sentences and loses nothing', () => {
  const text = 'A sentence of words. '.repeat(2000).trim();
  const parts = splitLong([paragraph(text)]).map(({ content }) => String(content.text));
  expect(parts.length).toBeGreaterThan(4);
  expect(parts.join('')).toBe(text);
  for (const part of parts) expect(part).toMatch(/^A .*\.\s*$/s);
});

test('a text without any border is cut between characters', () => {
  const text = `a${'😀'.repeat(20_000)}`;
  const parts = splitLong([paragraph(text)]).map(({ content }) => String(content.text));
  expect(parts.join('')).toBe(text);
  expect(parts.every(part => !/[\ud800-\udbff]$/.test(part))).toBe(true);
});

test('a long listing is cut between lines', () => {
  const parts = splitLong([code('const a = 1;\n'.repeat(3000).trim(), 'js')]);
  expect(parts.every(({ content }) => content.language === 'js' && String(content.text).endsWith('1;'))).toBe(true);
});

test('a long list counts on', () => {
  const items = Array.from({ length: 500 }, () => ({ text: 'word '.repeat(20), level: 0 }));
  const [, second] = splitLong([list(true, items)]);
  expect(toMarkdown(second!)).toMatch(/^1\d\d\. word/);
});

test('no page of a flow has more than twenty thousand characters', () => {
  const rows = Array.from({ length: 300 }, (_, row) => [row, 'x'.repeat(3000)]);
  const elements = [paragraph('y'.repeat(50_000)), table(['n', 'text'], rows), paragraph('z')];
  for (const page of paginate(elements, 'T')) {
    const length = page.elements.map(element => toMarkdown(element)).join('\n\n').length;
    expect(length).toBeLessThanOrEqual(20_000);
  }
});

test('a table with very many columns or very long cells is cut', () => {
  const wide = toMarkdown(
    table(
      Array.from({ length: 900 }, (_, n) => `Column ${n}`),
      [Array.from({ length: 900 }, () => 1)],
    ),
  );
  expect(wide.length).toBeLessThan(20_000);
  expect(wide).toMatch(/\d+ of 900 columns\)$/);
  const long = toMarkdown(table(['a'], [['x'.repeat(90_000)]]));
  expect(long.length).toBeLessThan(10_000);
});
