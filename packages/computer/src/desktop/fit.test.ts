import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitDesktop } from './organize.ts';

describe('fitDesktop', () => {
  const entries = ['window://a\n\n0123456789', 'window://b', `window://c\n\n${'x'.repeat(200)}`, 'window://d\n\nlast'];

  test('fitDesktop returns a desktop within the budget unchanged', () => {
    expect(fitDesktop(entries, entries.join('').length)).toEqual(entries);
    expect(fitDesktop([], 0)).toEqual([]);
  });

  test('fitDesktop cuts the entry that exceeds the budget, says how much is missing, and ends there', () => {
    const [first = '', second = ''] = entries;
    const fitting = fitDesktop(entries, 100);
    expect(fitting.slice(0, 2)).toEqual([first, second]);
    expect(fitting).toHaveLength(3);
    const [, body = '', missing] = /^window:\/\/c\n\n(x+)\n\[(\d+) characters missing\]$/.exec(fitting[2] ?? '') ?? [];
    expect(body.length + Number(missing)).toBe(200);
  });

  test('fitDesktop leaves out an entry when there is no room to say what is missing', () => {
    expect(fitDesktop(entries, 5)).toEqual([]);
    expect(fitDesktop(entries, 0)).toEqual([]);
    expect(fitDesktop(['window://bare'], 8)).toEqual([]);
  });

  test('fitDesktop does not cut a character in two', () => {
    const entry = `window://a\n\n${'😀'.repeat(50)}`;
    for (let budget = 40; budget < 60; budget++) {
      for (const cut of fitDesktop([entry], budget)) expect(cut).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
    }
  });

  test('fitDesktop never exceeds the budget', () => {
    const text = fc.string({ maxLength: 80, unit: 'grapheme' }).map(body => `window://x\n\n${body}`);
    fc.assert(
      fc.property(fc.array(text), fc.nat(500), (given, budget) => {
        expect(fitDesktop(given, budget).join('').length).toBeLessThanOrEqual(budget);
      }),
    );
  });
});
