import { expect, test } from 'vitest';
import { worked } from '../../../../tests/worked.ts';
import { matchesPattern } from './uri-pattern.ts';

test.each([
  ['file:///a.md', 'file:///a.md', true],
  ['file:///a.md', 'file:///a.mdx', false],
  ['file:///*.md', 'file:///deep/er/a.md', true],
  ['file:///*.md', 'file:///a.txt', false],
  ['wiki://*/pages/*', 'wiki://team/pages/home?v=1', true],
  ['wiki://*/pages/*', 'wiki://team/files/home', false],
  ['*', 'anything', true],
  ['ab*ba', 'aba', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a.c', 'abc', false],
])('the pattern %s matches %s: %s', (pattern, uri, expected) => {
  expect(matchesPattern(pattern, uri)).toBe(expected);
});

test('a pattern of many stars takes no longer than the URI', () => {
  const started = worked();
  expect(matchesPattern(`${'*a'.repeat(50)}*b`, 'a'.repeat(2000))).toBe(false);
  expect(worked() - started).toBeLessThan(100);
});
