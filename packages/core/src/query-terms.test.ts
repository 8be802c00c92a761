import { expect, test } from 'vitest';
import { formIn, queryTerms, spaceCjk } from './query-terms.ts';

test.each([
  ['notice period', ['notice', 'period']],
  ['"notice period" days', ['notice period', 'days']],
  ['付款期限', ['付款', '期限']],
  ['q3-report.xlsx', ['q3', 'report', 'xlsx']],
  ['NEAR(a b) * ^', ['NEAR', 'a', 'b']],
  ['  ', []],
])('the query %s has its terms', (query, terms) => {
  expect(queryTerms(query)).toEqual(terms);
});

test('each character of Chinese is a word', () => {
  expect(spaceCjk('第1条')).toBe(' 第 1 条 ');
});

test('a long word that a text lacks is looked for without its ending', () => {
  expect(formIn('two contracts', 'contract')).toBe('contract');
  expect(formIn('one contract', 'contracts')).toBe('contrac');
  expect(formIn('a hut', 'huts')).toBe('huts');
});
