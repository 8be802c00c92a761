import { expect, test, vi } from 'vitest';
import { guardLogger, type Logger, silentLogger } from './logger.ts';

function recorder() {
  const lines: [message: string, fields: Record<string, unknown> | undefined][] = [];
  const add = (message: string, fields?: Record<string, unknown>) => void lines.push([message, fields]);
  return { lines, logger: { debug: add, info: add, warn: add, error: add } satisfies Logger };
}

test('a guarded logger never throws, whatever its sink does', () => {
  const broken = () => {
    throw new Error('disk full');
  };
  const logger = guardLogger({ debug: broken, info: broken, warn: broken, error: broken });
  expect(() => logger.error('x', { a: 1 })).not.toThrow();
});

test('a guarded logger survives fields that throw when they are read', () => {
  const { lines, logger } = recorder();
  const hostile = Object.defineProperty({}, 'a', { enumerable: true, get: () => JSON.parse('{') });
  guardLogger(logger).warn('x', { hostile });
  expect(lines).toEqual([]);
});

test('a guarded logger cuts long texts, long lists and deep structures', () => {
  const { lines, logger } = recorder();
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  const error = new Error('m'.repeat(100_000), { cause: new Error('c'.repeat(100_000)) });
  guardLogger(logger).error('x'.repeat(100_000), {
    id: 'i'.repeat(100_000),
    list: Array(100_000).fill(1),
    deep,
    error,
  });
  const [message, fields] = lines[0]!;
  expect(message.length).toBeLessThan(600);
  expect(JSON.stringify(fields).length).toBeLessThan(3000);
  const logged = fields?.error;
  expect(logged).toBeInstanceOf(Error);
  expect((logged as Error).message.length).toBeLessThan(600);
  expect(((logged as Error).cause as Error).message.length).toBeLessThan(600);
});

test('a guarded logger thins out a flood of one warning and reports how many it left out', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { lines, logger } = recorder();
    const guarded = guardLogger(logger);
    for (let count = 0; count < 1000; count++) guarded.warn('refused', { count });
    guarded.warn('something else');
    expect(lines).toHaveLength(101);
    vi.advanceTimersByTime(1000);
    guarded.warn('refused', { count: 1000 });
    expect(lines.at(-1)).toEqual(['refused', { count: 1000, suppressed: 900 }]);
  } finally {
    vi.useRealTimers();
  }
});

test('guarding twice, or guarding the silent logger, changes nothing', () => {
  expect(guardLogger(silentLogger)).toBe(silentLogger);
  expect(guardLogger()).toBe(silentLogger);
  const once = guardLogger(recorder().logger);
  expect(guardLogger(once)).toBe(once);
});
