import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each([
  ['PT30S', 30_000],
  ['PT5M', 300_000],
  ['PT1H30M', 5_400_000],
  ['P1D', 86_400_000],
  ['P1DT0.5S', 86_400_500],
  ['30', undefined],
  ['', undefined],
  ['P', undefined],
  ['PT', undefined],
  ['PT-1S', undefined],
  ['1 minute', undefined],
])('the duration %s has %s ms', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});
