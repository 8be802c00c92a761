import { describe, expect, test } from 'vitest';
import type { Element } from './element.ts';
import { heading, paragraph } from './make.ts';
import { paginate } from './paginate.ts';

const titles = (elements: Element[]) => paginate(elements, 'Document').map(({ title }) => title);
const words = (text = 'Words.') => paragraph(text);

describe('cutting a flow into pages', () => {
  test.each<[string, Element[], string[]]>([
    ['a flow without headings is one page', [words()], ['Document']],
    ['nothing is one empty page', [], ['Document']],
    ['chapters are pages', [heading(1, 'A'), words(), heading(1, 'B'), words()], ['A', 'B']],
    [
      'what stands before the first chapter is a page',
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
    ['a single heading cuts nothing', [heading(1, 'A'), words(), words()], ['A']],
  ])('%s', (_, elements, expected) => {
    expect(titles(elements)).toEqual(expected);
  });

  test('a long chapter goes on over several pages', () => {
    const elements = [heading(1, 'A'), ...Array.from({ length: 7 }, (_, index) => words(`${index} `.repeat(4000)))];
    expect(titles(elements)).toEqual(['A', 'A (2)', 'A (3)', 'A (4)']);
  });

  test('ids are unique in the document, whatever repeats', () => {
    const elements = [heading(1, 'A'), words(), heading(1, 'A'), words()];
    const ids = paginate(elements, 'Document').flatMap(page => page.elements.map(({ id }) => id));
    expect(new Set(ids).size).toBe(4);
    expect(ids[2]).toBe(`${ids[0]}-2`);
  });
});
