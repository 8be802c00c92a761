import { describe, expect, test } from 'vitest';
import { jsonLine, prettyJson } from './json.ts';

const STEERING = '\u0000\u001b[2J\u007f\u0085\u009b2J\u061c\u200e\u200f\u2028\u2029\u202e\u2066\u2069';

describe('JSON output', () => {
  test('JSON output escapes control characters, bidi marks and line separators, and has the same value', () => {
    const value = { [STEERING]: [STEERING, 'plain é 日本 👍'] };
    for (const json of [prettyJson(value), jsonLine(value)]) {
      expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      expect(JSON.parse(json)).toEqual(value);
      expect(json).toContain('plain é 日本 👍');
    }
  });

  test('jsonLine is one line, and null for values that JSON cannot write', () => {
    expect(jsonLine({ a: 'b\nc' })).toBe('{"a":"b\\nc"}');
    expect(jsonLine(undefined)).toBe('null');
  });
});
