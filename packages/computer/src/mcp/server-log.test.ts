import { expect, test, vi } from 'vitest';
import { ServerLog, type ServerLogLine } from './server-log.ts';

const stderr = (text: string): ServerLogLine => ({ source: 'stderr', level: 'debug', text });
const message = (text: string): ServerLogLine => ({ source: 'message', level: 'info', text });

test('the last 200 lines of each source are kept in order, and a flood of one leaves the lines of the other', () => {
  const log = new ServerLog(() => {});
  log.add(stderr('first'));
  for (let count = 0; count < 3000; count++) log.add(message(`${count}`));
  log.add(stderr('last'));
  const texts = log.lines.map(({ text }) => text);
  expect(texts).toHaveLength(202);
  expect([texts[0], texts[1], texts.at(-2), texts.at(-1)]).toEqual(['first', '2800', '2999', 'last']);
});

test('1,000 lines in a second are passed on, and the others counted', () => {
  vi.useFakeTimers();
  try {
    const passed: string[] = [];
    const log = new ServerLog(({ text }) => passed.push(text));
    for (let count = 0; count < 3000; count++) log.add(stderr(`${count}`));
    expect(passed).toHaveLength(1000);
    expect(log.lines.at(-1)?.text).toBe('2999');
    vi.advanceTimersByTime(1000);
    log.add(message('later'));
    expect(passed.slice(1000)).toEqual(['(2000 lines left out)', 'later']);
  } finally {
    vi.useRealTimers();
  }
});
