import { SmcpError } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { clip, isTooDeep, MAX_NESTING_DEPTH, parseJson } from './bounds.ts';

const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

test.each([arrays, objects])('parseJson accepts %o at the depth limit and refuses one level more', nest => {
  expect(JSON.stringify(parseJson(nest(MAX_NESTING_DEPTH)))).toBe(nest(MAX_NESTING_DEPTH));
  expect(() => parseJson(nest(MAX_NESTING_DEPTH + 1))).toThrow(SmcpError);
  expect(() => parseJson(nest(MAX_NESTING_DEPTH + 1))).toThrow('nested deeper than 512 levels');
});

test('parseJson refuses a million levels without overflowing the stack', () => {
  expect(() => parseJson(arrays(1_000_000))).toThrow('nested deeper than 512 levels');
});

test('isTooDeep finds depth behind shallow values', () => {
  expect(isTooDeep({ a: 1, b: [1, JSON.parse(arrays(MAX_NESTING_DEPTH))] })).toBe(true);
  expect(isTooDeep(Array(10_000).fill({ a: [] }))).toBe(false);
});

test('clip keeps short texts and counts the characters it cuts off', () => {
  expect(clip('abc', 3)).toBe('abc');
  expect(clip('abcdef', 3)).toBe('abc… (3 more characters)');
  expect(clip('ab😀', 3)).toBe('ab… (2 more characters)');
});
