import { mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { worked } from '../../../../../tests/worked.ts';
import { parseMarkdown } from './parse.ts';
import { openMarkdown } from './read.ts';

const texts = (source: string) => parseMarkdown(source).map(({ element }) => element.content.text);

test('the targets of links are shown where they stand, those that stand together as one text', () => {
  const source =
    'See [the FAQ][faq] and [home].\n\n[faq]: https://a.b/faq "Answers"\n[home]: https://a.b\n\n[c]: https://c.d\n';
  expect(texts(source)).toEqual([
    'See [the FAQ][faq] and [home].',
    '[faq]: https://a.b/faq "Answers"\n[home]: https://a.b',
    '[c]: https://c.d',
  ]);
  expect(parseMarkdown(source, 11)[1]?.element.metadata).toEqual({ first_line: 13, last_line: 14 });
});

test('a target that is a picture in place is left out', () => {
  expect(texts('![x][i]\n\n[i]: <data:image/png;base64,AAAA>\n[j]: https://a.b\n')).toEqual([
    '![x][i]',
    '[j]: https://a.b',
  ]);
  expect(texts('a\n\n[i]: data:image/png;base64,AAAA\n')).toEqual(['a']);
});

test.each(['```\ncode', '> ```\n> code', '- a\n\n  ~~~\n  code', '<!--\ncode', '<pre>\ncode'])(
  'targets that were appended to a text are no part of its last block: %j',
  last => {
    const own = `See *this* [b].\n\n${last}`;
    const shown = JSON.stringify(parseMarkdown(`${own}\n\n[b]: https://b.c`, 11, own.length));
    expect(shown).toBe(JSON.stringify(parseMarkdown(own, 11)));
    expect(shown).not.toContain('https');
  },
);

test('thousands of targets are one text in a moment', () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `[t${index}]: https://a.b/${index}`);
  const started = worked();
  expect(texts(lines.join('\n'))).toHaveLength(1);
  expect(worked() - started).toBeLessThan(5000);
});

test('targets of links are shown once, on the page where they stand', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'markdown-')));
  try {
    const path = join(folder, 'a.md');
    writeFileSync(path, '# One\n\nSee [b][b].\n\n# Two\n\nSee [c].\n\n[b]: https://b.c\n[c]: https://c.d\n');
    const facts = { name: 'a', type: 'md', size: statSync(path).size, modified: 0 };
    const document = await openMarkdown({ path, folders: [folder], ...facts });
    const pages = await Promise.all([0, 1].map(index => document.page(index)));
    const shown = pages.map(({ elements }) => elements.map(({ content }) => content.text));
    expect(shown).toEqual([
      ['One', 'See [b][b].'],
      ['Two', 'See [c].', '[b]: https://b.c\n[c]: https://c.d'],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
