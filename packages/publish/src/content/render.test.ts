import { describe, expect, test } from 'vitest';
import { worked } from '../../../../tests/worked.ts';
import type { Element } from './element.ts';
import * as make from './element.ts';
import { labels, toMarkdown, toText } from './render.ts';

const nested = [
  { text: 'one', level: 0 },
  { text: 'below', level: 1 },
  { text: 'two', level: 0 },
];
const amounts = make.table(
  ['What', 'How much'],
  [
    ['a | b', { value: 0.5, text: '50%' }],
    ['two\nlines', null],
    ['yes', true],
  ],
);

describe('rendering', () => {
  test.each<[string, Element, markdown: string, text: string]>([
    ['a heading', make.heading(3, 'Title'), '### Title', 'Title'],
    [
      'a text with a link',
      make.paragraph('See [there](https://a.b).'),
      'See [there](https://a.b).',
      'See there (https://a.b).',
    ],
    [
      'a table',
      amounts,
      '| What | How much |\n| --- | --- |\n| a \\| b | 50% |\n| two lines |  |\n| yes | true |',
      'What\tHow much\na | b\t50%\ntwo lines\t\nyes\ttrue',
    ],
    ['a list', make.list(false, nested), '- one\n  - below\n- two', '- one\n  - below\n- two'],
    ['a numbered list', make.list(true, nested), '1. one\n   1. below\n2. two', '1. one\n   1. below\n2. two'],
    ['code', make.code('a\nb', 'ts'), '```ts\na\nb\n```', 'a\nb'],
    ['code with fences in it', make.code('```\nx\n```'), '````\n```\nx\n```\n````', '```\nx\n```'],
    ['a chart', make.chart('bar', 'Cups', 'A: 1, 2'), '[chart: Cups]\nA: 1, 2', 'Cups\nA: 1, 2'],
    ['a picture with an address', make.image('A [cat]', 'a b.png'), '![A \\[cat\\]](<a%20b.png>)', 'A [cat]'],
    ['a picture without', make.image('A cat'), '[image: A cat]', 'A cat'],
    ['a link', make.link('', 'https://a.b'), '[https://a.b](https://a.b)', 'https://a.b'],
    [
      'a remark that is longer than a summary',
      make.annotation(`${'word '.repeat(1000)}\nend`, 'Ada'),
      `[annotation: Ada: ${'word '.repeat(1000)}end]`,
      `${'word '.repeat(1000)}\nend`,
    ],
    ['a formula', make.formula('B1 = A1 * 2'), '$ B1 = A1 * 2 $', 'B1 = A1 * 2'],
    ['anything else', make.annotation('Look', 'Ada'), '[annotation: Ada: Look]', 'Look'],
  ])('%s is rendered as Markdown and as text', (_, element, markdown, text) => {
    expect(toMarkdown(element)).toBe(markdown);
    expect(toText(element)).toBe(text);
  });

  test('a cell of very much white space is rendered in a moment', () => {
    const cell = `a${' '.repeat(200_000)}b`;
    const started = worked();
    expect(toMarkdown(make.table(['n'], [[cell], [`${cell}\n${cell}`]])).length).toBeGreaterThan(4000);
    expect(toText(make.table(['n'], [[`a \n\n b`]]))).toBe('n\na b');
    expect(worked() - started).toBeLessThan(1000);
  });

  test('charts and images are rendered with the Chinese labels of the specification', () => {
    expect(toMarkdown(make.chart('pie', 'A', ''), labels.zh)).toBe('[图表: A]');
    expect(toMarkdown(make.image('A'), labels.zh)).toBe('[图片: A]');
  });

  test('columns that have no room beside the others stand below them', () => {
    const names = Array.from({ length: 300 }, (_, index) => `Name of column ${index}`);
    const markdown = toMarkdown(make.table(names, [names.map((_, index) => index), names.map(() => 'x')]));
    expect(markdown.match(/Name of column/g)).toHaveLength(300);
    expect(markdown).toMatch(/\n\n\(columns \d+ to 300\)\n\n\|/);
    expect(markdown.length).toBeLessThan(20_000);
  });

  test('a table with further rows or columns is rendered with their number', () => {
    const rows = Array.from({ length: 300 }, (_, index) => [index]);
    const element = make.table(['n'], rows);
    expect(toMarkdown(element)).toMatch(/\| 199 \|\n\n\(200 of 300 rows\)$/);
    expect(element.overflow?.portions).toHaveLength(1);
  });
});
