import { expect, test, vi } from 'vitest';
import { Secrets } from '../../secrets/secrets.ts';
import { StderrLines } from './stderr-lines.ts';

const KEY = '-----BEGIN KEY-----\nMIIEvAIBADANBgkqhkiG9w0B\nqk1\n-----END KEY-----';

function linesOf(...values: string[]) {
  const secrets = new Secrets();
  secrets.add(values);
  const lines: string[] = [];
  return { stderr: new StderrLines({ secrets, onLine: line => lines.push(line) }), lines };
}

test('lines are passed on when they are complete, each at most 8 KiB, however the text is divided', () => {
  const { stderr, lines } = linesOf();
  stderr.write('fir');
  stderr.write('st\r\nsecond\nthi');
  expect(lines).toEqual(['first', 'second']);
  stderr.end();
  expect(lines.slice(2)).toEqual(['thi']);
  stderr.write('x'.repeat(1_000_000));
  stderr.write('\n');
  expect(lines[3]).toHaveLength(8192);
});

test('a line without end is shown when 64 KiB of it have come, and the rest of it never', () => {
  const { stderr, lines } = linesOf();
  stderr.write('x'.repeat(70_000));
  expect(lines).toEqual(['x'.repeat(8192)]);
  stderr.write('y'.repeat(70_000));
  stderr.write('y\nnext\n');
  expect(lines.slice(1)).toEqual(['next']);
});

test.each([1, 2, 3, 7, 20, 1000])(
  'a secret of several lines is masked as a whole when it comes %i characters at a time',
  size => {
    for (const end of ['\n', '\r\n']) {
      const { stderr, lines } = linesOf(KEY);
      const text = `key: ${KEY}!\nafter\n`.replaceAll('\n', end);
      for (let at = 0; at < text.length; at += size) stderr.write(text.slice(at, at + size));
      expect(lines).toEqual(['key: ***!', 'after']);
    }
  },
);

test('the start of a secret of several lines is held for a moment only', () => {
  vi.useFakeTimers();
  try {
    const { stderr, lines } = linesOf(KEY);
    stderr.write('before\n-----BEGIN KEY-----\n');
    expect(lines).toEqual(['before']);
    vi.advanceTimersByTime(1000);
    expect(lines).toEqual(['before', '***']);
  } finally {
    vi.useRealTimers();
  }
});

test.each([8185, 65_530])('a secret at character %i, where a long line is cut, leaves no part of it', at => {
  const { stderr, lines } = linesOf('canary-4711-canary');
  stderr.write(`${'x'.repeat(at)}canary-4711`);
  stderr.write(`-canary${'x'.repeat(70_000)}\n`);
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('can');
});
