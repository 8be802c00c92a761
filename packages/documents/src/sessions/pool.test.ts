import { afterEach, expect, test, vi } from 'vitest';
import { Failures } from './pool.ts';

const file = { path: '/a', folders: ['/'], name: 'a', type: 'txt', size: 1, modified: 1 };
const page = (index: number, modified = 1) => ({ ask: 'page', file: { ...file, modified }, index }) as const;

afterEach(() => void vi.useRealTimers());

test('a failed page fails again for a minute without another attempt, other pages and versions do not', () => {
  vi.useFakeTimers();
  const failures = new Failures();
  failures.add(page(0), 'slow');
  expect(failures.find(page(0))).toBe('slow');
  expect(failures.find(page(1))).toBeUndefined();
  expect(failures.find(page(0, 2))).toBeUndefined();
  vi.advanceTimersByTime(61_000);
  expect(failures.find(page(0))).toBeUndefined();
});

test('all pages of a version fail after two failed pages', () => {
  const failures = new Failures();
  failures.add(page(0), 'slow');
  failures.add(page(1), 'slow');
  expect(failures.find(page(7))).toBe('slow');
  expect(failures.find(page(7, 2))).toBeUndefined();
});
