import { code, type Element, heading, list, other, paragraph, table, toMarkdown } from '@a2c-smcp/publish/content';
import { describe, expect, test } from 'vitest';
import { fillPages, paginate } from './paginate.ts';

const titles = (elements: Element[]) => paginate(elements, 'Document').map(({ title }) => title);
const words = (text = 'Words.') => paragraph(text);

describe('pages of a flow', () => {
  test.each<[string, Element[], string[]]>([
    ['a flow without headings is one page', [words()], ['Document']],
    ['nothing is one empty page', [], ['Document']],
    ['chapters are pages', [heading(1, 'A'), words(), heading(1, 'B'), words()], ['A', 'B']],
    [
      'text before the first chapter is a page',
      [words(), heading(1, 'A'), words(), heading(1, 'B')],
      ['Document', 'A', 'B'],
    ],
    [
      'a title above chapters belongs to the first',
      [heading(1, 'T'), heading(2, 'A'), words(), heading(2, 'B'), words()],
      ['A', 'B'],
    ],
    [
      'sections stay in their chapter',
      [heading(1, 'A'), words(), heading(2, 'a'), words(), heading(1, 'B'), words()],
      ['A', 'B'],
    ],
    [
      'a header and a footer are no pages of their own',
      [other('header', 'H'), heading(1, 'A'), words(), heading(1, 'B'), words(), other('footer', 'F')],
      ['A', 'B'],
    ],
    ['a single heading cuts nothing', [heading(1, 'A'), words(), words()], ['A']],
  ])('%s', (_, elements, expected) => {
    expect(titles(elements)).toEqual(expected);
  });

  test('a long chapter continues on several pages', () => {
    const elements = [heading(1, 'A'), ...Array.from({ length: 7 }, (_, index) => words(`${index} `.repeat(4000)))];
    expect(titles(elements)).toEqual(['A', 'A (2)', 'A (3)', 'A (4)']);
  });

  test('ids of repeated elements are unique in a document', () => {
    const elements = [heading(1, 'A'), words(), heading(1, 'A'), words()];
    const ids = paginate(elements, 'Document').flatMap(page => page.elements.map(({ id }) => id));
    expect(new Set(ids).size).toBe(4);
    expect(ids[2]).toBe(`${ids[0]}-2`);
  });
});

test.each<[string, Element]>([
  ['listings', code('x'.repeat(990), 'javascript')],
  ['headings', heading(6, 'word '.repeat(180))],
  [
    'lists',
    list(
      true,
      Array.from({ length: 400 }, (_, index) => ({ text: 'a', level: index % 9 })),
    ),
  ],
  [
    'tables of numbers',
    table(
      ['a', 'b', 'c'],
      Array.from({ length: 90 }, () => [1, 2, 3]),
    ),
  ],
])('pages of %s are below 20,000 characters in Markdown, with their notation', (_, element) => {
  const elements = Array.from({ length: 120 }, () => element);
  for (const pages of [paginate([words(), ...elements], 'Document'), fillPages(elements, 'Document')]) {
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(page => page.elements).length).toBeGreaterThanOrEqual(120);
    for (const page of pages) {
      expect(page.elements.map(each => toMarkdown(each)).join('\n\n').length).toBeLessThanOrEqual(20_000);
    }
  }
});
