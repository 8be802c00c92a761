import { expect, test } from 'vitest';
import { parseQuery, passageOf, toMatch, withSpaces } from './query.ts';

test.each([
  ['notice period', ['notice', 'period']],
  ['"notice period" days', ['notice period', 'days']],
  ['付款期限', ['付款', '期限']],
  ['q3-report.xlsx', ['q3', 'report', 'xlsx']],
  ['NEAR(a b) * ^', ['NEAR', 'a', 'b']],
  ['  ', []],
])('the query %s has its terms', (query, terms) => {
  expect(parseQuery(query)).toEqual(terms);
});

test('terms are strings for FTS5, whatever is in them', () => {
  expect(toMatch(['a"b', 'OR', '付款'], 'AND')).toBe('"a b" AND "OR" AND "付  款"');
  expect(withSpaces('第1条')).toBe(' 第 1 条 ');
});

test('the passage is where most terms stand together', () => {
  const text = `Notice. ${'Other words fill the page. '.repeat(60)}The notice period is thirty days. ${'More. '.repeat(200)}`;
  const passage = passageOf(text, ['notice', 'period', 'days']);
  expect(passage).toContain('The notice period is thirty days.');
  expect(passage.length).toBeLessThan(400);
  expect(passage).toMatch(/^… .* …$/);
});
