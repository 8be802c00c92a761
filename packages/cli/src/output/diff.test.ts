import { expect, test } from 'vitest';
import { diffLines } from './diff.ts';

const show = (before: string, after: string) => diffLines(before, after).map(({ sign, text }) => sign + text);

test.each([
  ['nothing changed', 'a\nb', 'a\nb', [' a', ' b']],
  ['a line added', 'a\nc', 'a\nb\nc', [' a', '+b', ' c']],
  ['a line removed', 'a\nb\nc', 'a\nc', [' a', '-b', ' c']],
  ['a line changed', 'a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
  ['everything changed', 'a', 'b', ['-a', '+b']],
])('%s', (_, before, after, expected) => {
  expect(show(before, after)).toEqual(expected);
});
