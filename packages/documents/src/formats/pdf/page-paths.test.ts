import { describe, expect, test } from 'vitest';
import type { PdfDictionary } from './objects.ts';
import { type Form, matrixOf, readPaths } from './page-paths.ts';
import { findRules } from './rules.ts';

/** A page of 100 by 100 points. */
const viewport = [1, 0, 0, -1, 0, 100];
const resources: PdfDictionary = new Map();

async function rulesOf(contents: string | string[], forms: Record<string, Form> = {}) {
  const source = { form: async (name: string) => forms[name] };
  const list = await readPaths(source, [contents].flat(), resources);
  return findRules(list, viewport).map(({ isLevel, at, from, to }) => [isLevel ? 'level' : 'upright', at, from, to]);
}

describe('lines of a PDF page that are read without pdf.js', () => {
  test('a stroke, the borders of a box and a thin area are lines', async () => {
    expect(await rulesOf('10 20 m 90 20 l S')).toEqual([['level', 80, 10, 90]]);
    expect(await rulesOf('10 10 40 30 re s')).toEqual([
      ['level', 90, 10, 50],
      ['upright', 50, 60, 90],
      ['level', 60, 10, 50],
      ['upright', 10, 60, 90],
    ]);
    expect(await rulesOf('10 49 80 2 re f*')).toEqual([['level', 50, 10, 90]]);
  });

  test('areas, curves, and paths that only clip are no lines', async () => {
    expect(await rulesOf('10 10 40 30 re f 10 20 m 20 30 40 50 90 20 c S 10 20 m 90 20 l W n')).toEqual([]);
  });

  test('saved states and matrices move lines', async () => {
    expect(await rulesOf('q 2 0 0 2 5 0 cm 0 10 m 20 10 l S Q 0 10 m 20 10 l S')).toEqual([
      ['level', 80, 5, 45],
      ['level', 90, 0, 20],
    ]);
  });

  test.each([
    ['strings', '(1 1 m 9 9 l S \\) (nested) S) Tj'],
    ['hexadecimal strings', '<53 20 53> Tj'],
    ['comments', '% 1 1 m 90 1 l S'],
    ['lists of text', 'BT [(a) -120 (S) 30] TJ ET'],
    ['inline pictures', 'BI /W 1 /H 1 ID 1 1 m 90 1 l S x\nEI'],
    ['names', '/S gs /l cs'],
  ])('operators in %s are none', async (_, content) => {
    expect(await rulesOf(`${content}\n10 20 m 90 20 l S`)).toEqual([['level', 80, 10, 90]]);
  });

  test('content that ends inside of a string or a picture is read up to there', async () => {
    for (const rest of ['(', '<41', 'BI ID x', '/', '%', '[', '<<']) {
      expect(await rulesOf(`10 20 m 90 20 l S ${rest}`)).toEqual([['level', 80, 10, 90]]);
    }
  });

  test('streams of a page are one content', async () => {
    expect(await rulesOf(['10 20 m', '90 20 l S'])).toEqual([['level', 80, 10, 90]]);
  });

  test('forms draw at their own place, and one that draws itself ends', async () => {
    const form = { content: '0 0 m 30 0 l S', resources, matrix: matrixOf([1, 0, 0, 1, 10, 40]) };
    expect(await rulesOf('q 1 0 0 1 5 0 cm /F Do Q 0 0 m 30 0 l S', { F: form })).toEqual([
      ['level', 60, 15, 45],
      ['level', 100, 0, 30],
    ]);
    const endless = { content: '/F Do /F Do 0 0 m 30 0 l S', resources, matrix: matrixOf(undefined) };
    expect((await rulesOf('/F Do', { F: endless })).length).toBeLessThan(5000);
  });
});
