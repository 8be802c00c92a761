import { expect, test, vi } from 'vitest';
import { Secrets } from '../../secrets/secrets.ts';
import { StderrRing } from './stderr-ring.ts';

const KEY = '-----BEGIN KEY-----\nMIIEvAIBADANBgkqhkiG9w0B\nqk1\n-----END KEY-----';

function ringOf(...values: string[]) {
  const secrets = new Secrets();
  secrets.add(values);
  const lines: string[] = [];
  return { ring: new StderrRing({ secrets, onLine: line => lines.push(line) }), lines };
}

test('the last 200 lines are kept, each at most 8 KiB, however the text is divided', () => {
  const { ring } = ringOf();
  ring.write('fir');
  ring.write('st\r\nsecond\nthi');
  expect(ring.last()).toEqual(['first', 'second']);
  ring.end();
  expect(ring.last(1)).toEqual(['thi']);
  for (let line = 0; line < 3000; line++) ring.write(`${line}\n`);
  ring.write('x'.repeat(1_000_000));
  ring.write('\n');
  expect(ring.last()).toHaveLength(200);
  expect(ring.last(1)[0]).toHaveLength(8192);
});

test('1,000 lines in a second are passed on; of a flood the last lines are kept and the others counted', () => {
  vi.useFakeTimers();
  try {
    const { ring, lines } = ringOf();
    for (let line = 0; line < 3000; line++) ring.write(`${line}\n`);
    expect(lines).toHaveLength(1000);
    expect(ring.last(1)).toEqual(['2999']);
    vi.advanceTimersByTime(1000);
    ring.write('later\n');
    expect(lines.slice(1000)).toEqual(['(2000 lines left out)', 'later']);
  } finally {
    vi.useRealTimers();
  }
});

test('a line without end is shown when 64 KiB of it have come, and the rest of it never', () => {
  const { ring, lines } = ringOf();
  ring.write('x'.repeat(70_000));
  expect(lines).toEqual(['x'.repeat(8192)]);
  ring.write('y'.repeat(70_000));
  ring.write('y\nnext\n');
  expect(lines.slice(1)).toEqual(['next']);
});

test.each([1, 2, 3, 7, 20, 1000])(
  'a secret of several lines is masked as a whole when it comes %i characters at a time',
  size => {
    for (const end of ['\n', '\r\n']) {
      const { ring, lines } = ringOf(KEY);
      const text = `key: ${KEY}!\nafter\n`.replaceAll('\n', end);
      for (let at = 0; at < text.length; at += size) ring.write(text.slice(at, at + size));
      expect(lines).toEqual(['key: ***!', 'after']);
    }
  },
);

test('the start of a secret of several lines is held for a moment only', () => {
  vi.useFakeTimers();
  try {
    const { ring, lines } = ringOf(KEY);
    ring.write('before\n-----BEGIN KEY-----\n');
    expect(lines).toEqual(['before']);
    vi.advanceTimersByTime(1000);
    expect(lines).toEqual(['before', '***']);
  } finally {
    vi.useRealTimers();
  }
});

test.each([8185, 65_530])('a secret at character %i, where a long line is cut, leaves no part of it', at => {
  const { ring, lines } = ringOf('canary-4711-canary');
  ring.write(`${'x'.repeat(at)}canary-4711`);
  ring.write(`-canary${'x'.repeat(70_000)}\n`);
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('can');
});
