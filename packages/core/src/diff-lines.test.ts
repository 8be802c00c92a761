import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';

const show = (before: string, after: string) => diffLines(before, after).map(({ sign, text }) => sign + text);

test.each([
  ['no change', 'a\nb', 'a\nb', [' a', ' b']],
  ['an added line', 'a\nc', 'a\nb\nc', [' a', '+b', ' c']],
  ['a removed line', 'a\nb\nc', 'a\nc', [' a', '-b', ' c']],
  ['a changed line', 'a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
  ['a change of all lines', 'a', 'b', ['-a', '+b']],
])('diffLines shows %s', (_, before, after, expected) => {
  expect(show(before, after)).toEqual(expected);
});
