import { describe, expect, test } from 'vitest';
import { markdownBlocks } from './blocks.ts';

describe('blocks of Markdown', () => {
  const shown = (text: string) =>
    markdownBlocks(text).map(({ at, size, level }) => `${level ?? ''}${text.slice(at, at + size).trim()}`);

  test.each<[string, string, string[]]>([
    ['headings and paragraphs', '# A\nText\n\nMore\n## B ##\n', ['1# A', 'Text', 'More', '2## B ##']],
    ['headings with a line below', 'A\n=\n\nB\n---\nText', ['1A\n=', '2B\n---', 'Text']],
    ['no heading inside a listing', '```\n# A\n\n# B\n```\n# C', ['```\n# A\n\n# B\n```', '1# C']],
    ['a listing that is not closed', '~~~\n# A', ['~~~\n# A']],
    ['comments and targets are nothing', '<!-- # A\n-->\n[x]: y\n\n# B', ['1# B']],
    ['what is indented belongs to its list', '- a\n\n  more\n\nText', ['- a\n\n  more', 'Text']],
    ['a line below a list item is no heading', '- a\n---\nText', ['- a\n---\nText']],
  ])('Markdown blocks: %s', (_, text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  test('HTML without blank lines is cut at tags, and prose at the end of a line', () => {
    const cells = Array.from({ length: 2000 }, (_, index) => `    <td>${index}</td>`);
    const html = markdownBlocks(['<table>', ...cells, '</table>'].join('\n'));
    const prose = markdownBlocks(Array.from({ length: 2000 }, (_, index) => `Line number ${index}`).join('\n'));
    for (const blocks of [html, prose]) {
      expect(blocks.length).toBeGreaterThan(3);
      expect(Math.max(...blocks.map(({ size }) => size))).toBeLessThan(10_000);
    }
  });
});
