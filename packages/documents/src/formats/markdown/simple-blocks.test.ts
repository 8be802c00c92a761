import { expect, test } from 'vitest';
import { worked } from '../../../../../tests/worked.ts';
import { parseMarkdown } from './parse.ts';
import { simpleBlock } from './simple-blocks.ts';

/** A paragraph with a NUL before a text has all of it parsed by micromark. */
const parsed = (text: string) => parseMarkdown(`\0\n\n${text}`, -1).slice(1);
const elements = (found: ReturnType<typeof parseMarkdown>) => found.map(({ element }) => element);

/** Lines that are easily mistaken for another block, or for none. */
const lines = [
  ...['', '', '', '', 'text', 'more words', '    four', '\ttab', '  two', 'a  ', 'a\\', '\u00a0x', '**bold** x', '*e*'],
  ...[
    '# H',
    '## `c` x',
    '# [a]',
    '# [a](u) b',
    '# **b** c',
    '#',
    '# x #',
    '# a_b',
    '# _e_',
    '# a & b',
    '# &amp;',
    '#\tx',
  ],
  ...['---', '===', '***', '- - -', '* * *', '--', '=', '-', ':-', '> q', '> - a', '> ```', '>'],
  ...[
    '- a',
    '* b',
    '+ c',
    '1. one',
    '2. two',
    '1) x',
    '10. ten',
    '- [ ] t',
    '- [l](u) x',
    '- [a]: /z',
    '-\ta',
    '-',
    '1.',
  ],
  ...[
    '  - n',
    '   - n',
    '    - n',
    '  1. n',
    '  2. n',
    '  para',
    '      deep',
    '- # h',
    '- > q',
    '- ```',
    '  ```',
    '-     5',
  ],
  ...[
    '| a | b |',
    '|---|---|',
    '| :-: | - |',
    '| x | y |',
    '| x |',
    '| x || y |',
    '| `a` | [l](u) |',
    '| a\\|b | c |',
    '|',
    'a | b',
  ],
  ...[
    '```',
    '```js',
    '~~~',
    '````',
    '```a`b',
    '``c``',
    '`c` x',
    '<div>',
    '</div>',
    '<p align="x">y</p>',
    '<!-- c -->',
    '<!--',
  ],
  ...[
    '-->',
    '<pre>',
    '</pre>',
    '<b>x</b> y',
    '<http://a.b>',
    'http://a.b',
    'www.a.b',
    'a@b.c',
    '![i](u)',
    '[l](u)',
    '[l](u) x',
  ],
  ...[
    '[a]: /u',
    '[b]: /u "t"',
    '  [c]: /d',
    '[a]',
    '[a][b]',
    '"t"',
    '[^1]: note',
    'x[^1]',
    '[![i](u)](v)',
    '[![i](u)](v) x',
  ],
];

test('blocks that are read without the parser are what it makes of them', () => {
  let state = 1;
  const random = (end: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
  for (let count = 0; count < 2000; count += 1) {
    const text = Array.from({ length: 1 + random(8) }, () => lines[random(lines.length)]).join('\n');
    expect(elements(parseMarkdown(text)), JSON.stringify(text)).toEqual(elements(parsed(text)));
  }
});

test.each([
  ['a heading', '# A `b` & c_d: e'],
  ['an underlined heading', 'A\n==='],
  ['a paragraph', 'Some *words*\nand [a](b).'],
  ['a listing', '```js\na\n\n# b\n```'],
  ['a table', '| a | b |\n| --- | :-: |\n| `c` | 1 |'],
  ['a list', '- a\n  1. b\n  2. c\n\n     more\n- d\ngoes on'],
  ['a line', '* * *'],
  ['a heading with a link and bold words', '## [a `b`](c) **d e** ![f](g)'],
  ['a link', '[a b](c)'],
  ['a picture', '![a b](c)'],
  ['a row of pictures with links', '[![a](b)](c)\n[![d](e)](f)'],
  ['HTML up to a blank line', '<p align="center">\n*a*\n</p>'],
  ['a comment', '<!-- a -->'],
  ['targets of links', '[a]: /b\n[c d]: https://e.f "g"'],
])('%s without doubt is read without the parser', (_, text) => {
  const all = text.split('\n');
  expect(simpleBlock(all, 0)?.to).toBe(all.length);
  expect(simpleBlock(all, 0)?.elements).toBeDefined();
});

test('a listing that is indented less than the text of an item behind a tab is not part of the item', () => {
  const text = '-\ta\n\n  ```\n\nb\n\n  ```\n\nc d';
  expect(elements(parseMarkdown(text))).toEqual(elements(parsed(text)));
});

test('targets of links that are read without the parser count for it', () => {
  const found = elements(parseMarkdown('# [a] *b*\n\n[a]: /c\n\n    code\n'));
  expect(found.map(({ content }) => content.text)).toEqual(['a b', '[a]: /c', 'code']);
});

test.each([
  ['blanks', `#${' '.repeat(32_000)}`],
  ['blanks in a cell', `| a${' '.repeat(32_000)}b |\n| - |\n| c${' '.repeat(32_000)}d |`],
  ['signs', `${'- '.repeat(16_000)}:`],
  ['marks', `- a\n${'  - a\n'.repeat(40_000)}`],
  ['fences without an end', '~~~\n\n```\n'.repeat(25_000)],
  ['openings of links', `# ${'[a]('.repeat(8000)}`],
  ['marks of bold', `# ${'**a'.repeat(10_000)}`],
])('a page of %s takes no time by the square of its length', (_, text) => {
  const all = text.split('\n');
  const started = worked();
  for (let at = 0; at < all.length; at = simpleBlock(all, at)?.to ?? all.length);
  expect(worked() - started).toBeLessThan(1000);
});
