import { expect, test } from 'vitest';
import { dialectOf } from './dialect.ts';

test.each([
  ['0.1.9', 'plain'],
  ['0.2.0', 'plain'],
  ['0.2.99', 'plain'],
  ['0.3.0', 'bundled'],
  ['0.4.1', 'bundled'],
  ['0.10.0', 'bundled'],
  ['1.0.0', 'bundled'],
  ['1.2.0', 'bundled'],
  ['auto', 'plain'],
  ['', 'plain'],
  [null, 'plain'],
  [undefined, 'plain'],
])('an Agent of version %j gets answers in the form %s', (version, dialect) => {
  expect(dialectOf(version)).toBe(dialect);
});
