import { describe, expect, test } from 'vitest';
import { createLogger, LOG_FORMATS } from './log.ts';
import { createStyle } from './output/style.ts';

function record(format: (typeof LOG_FORMATS)[number]) {
  const lines: string[] = [];
  const style = createStyle({ colour: false });
  return { lines, logger: createLogger({ write: line => void lines.push(line), format, level: 'debug', style }) };
}

function deep(levels: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

describe.each(LOG_FORMATS)('a %s log', format => {
  test.each<[string, unknown]>([
    ['a BigInt', 10n ** 30n],
    ['a cycle', cycle],
    ['20,000 levels', deep(20_000)],
    [
      'a toJSON that throws',
      {
        toJSON: () => {
          throw new Error('no');
        },
      },
    ],
    ['a symbol', Symbol('s')],
    ['a function', () => 1],
    ['an error with a cause', new Error('outer', { cause: new Error('inner') })],
  ])('a log shows %s in one line', (_, value) => {
    const { lines, logger } = record(format);
    logger.warn('A value', { value, other: 'seen' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('seen');
  });

  test('a log has bounded lines without control characters and bidi marks', () => {
    const { lines, logger } = record(format);
    const evil = `a\nb\u001b[2J\u009b2J\u202e\u2028\u007f${'x'.repeat(1_000_000)}`;
    const wide = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${evil}${at}`, [evil, { evil: [evil] }]]));
    logger.info(evil, wide);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    expect(lines[0]?.length).toBeLessThan(40_000);
    if (format === 'json') expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info' });
  });
});
