import { expect, test } from 'vitest';
import { passageOf, toMatch } from './query.ts';

test('terms are strings for FTS5, whatever is in them', () => {
  expect(toMatch(['a"b', 'OR', '付款'], 'AND')).toBe('"a b" AND "OR" AND "付  款"');
});

test('the passage is where most terms stand together', () => {
  const text = `Notice. ${'Other words fill the page. '.repeat(60)}The notice period is thirty days. ${'More. '.repeat(200)}`;
  const passage = passageOf(text, ['notice', 'period', 'days']);
  expect(passage).toContain('The notice period is thirty days.');
  expect(passage.length).toBeLessThan(400);
  expect(passage).toMatch(/^… .* …$/);
});
