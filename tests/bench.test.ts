import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formats, make } from '../bench/src/corpus/formats.ts';
import { score } from '../bench/src/corpus/score.ts';
import { alternate } from '../bench/src/harness/alternate.ts';
import { median, quantile, spreadOf } from '../bench/src/harness/statistics.ts';
import { INTRODUCTION, toDocument } from '../bench/src/report/document.ts';
import { atLeast, atMost, compared, timed } from '../bench/src/report/lines.ts';
import { isMet, isReliable, type Section } from '../bench/src/report/result.ts';
import { cells, printed } from '../bench/src/report/table.ts';
import { duration, rounded } from '../bench/src/report/units.ts';
import { EDITS } from '../bench/src/rows/ablation.ts';
import { readBytes } from './documents/reading.ts';
import { root } from './packages.ts';

const even = { median: 1, low: 1, high: 1 };

describe('statistics', () => {
  test('a quantile is one of the values, whatever their order', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(quantile([4, 1, 3, 2], 0)).toBe(1);
    expect(quantile([4, 1, 3, 2], 1)).toBe(4);
    expect(spreadOf([1, 2, 3, 4, 5])).toEqual({ median: 3, low: 2, high: 4 });
  });

  test('nothing has no median', () => {
    expect(median([])).toBeNaN();
  });
});

describe('taking turns', () => {
  test('the first contestant of a round is the last of the next', async () => {
    const turns: string[] = [];
    const trial = (name: string) => async () => ({ time: turns.push(name) });
    await alternate({ baseline: trial('b'), ours: trial('o'), again: trial('a') }, 2);
    expect(turns.join('')).toBe('boaaob');
  });

  test('ratios are formed within a round, so that what disturbs a round disturbs no ratio', async () => {
    const speeds = [1, 10, 3];
    const trial = (cost: number) => {
      const rounds = [...speeds];
      return async () => ({ time: cost * (rounds.shift() ?? Number.NaN) });
    };
    const { ours, ratio, control } = await alternate({ baseline: trial(2), ours: trial(3), again: trial(3) }, 3);
    expect(ours).toEqual({ time: 9 });
    expect(ratio.time).toEqual({ median: 1.5, low: 1.5, high: 1.5 });
    expect(control.time).toBe(1);
  });
});

test.each(EDITS)('$find, which an ablation takes out, is in $module', ({ module, find }) => {
  expect(readFileSync(join(root, 'packages', module), 'utf8')).toContain(find);
});

describe('judging a result', () => {
  const result = { name: 'x', ours: '1' };

  test('a target is for the ratio, or for the value when there is none', () => {
    expect(isMet({ ...result, ratio: even, target: atLeast(1) })).toBe(true);
    expect(isMet({ ...result, ratio: even, value: 5, target: atLeast(1.1) })).toBe(false);
    expect(isMet({ ...result, value: 5, target: atMost(4) })).toBe(false);
    expect(isMet({ ...result, value: 5 })).toBeUndefined();
  });

  test('equal stacks may be up to 5 % apart', () => {
    expect(isReliable({ ...result, control: undefined })).toBe(true);
    expect(isReliable({ ...result, control: 1.049 })).toBe(true);
    expect(isReliable({ ...result, control: 0.94 })).toBe(false);
  });
});

describe('the report', () => {
  const comparison = { baseline: { rss: 1000 }, ours: { rss: 1100 }, ratio: { rss: even }, control: { rss: 1 } };
  const section: Section = {
    title: 'A title',
    method: 'How it was done.',
    results: [
      compared(comparison, { name: 'compared', key: 'rss', words: value => `${value} B`, target: atMost(1.15) }),
      timed('timed', [3, 1, 2], atMost(1, 'ms')),
      { name: 'shaky', ours: '1', ratio: even, control: 1.2, target: atLeast(1) },
    ],
  };
  const machine = { node: 'v20', socketIo: '4', processor: 'a chip', cores: 2, gibibytes: 8 };

  test('a row has its values, spread, control and verdict', () => {
    expect(cells(section).slice(1)).toEqual([
      ['compared', '1000 B', '1100 B', '1.00 (1.00 to 1.00)', '1.00', 'at most 1.15: met'],
      ['timed', '', '2 ms (1 ms to 2 ms)', '', '', 'at most 1 ms: missed'],
      ['shaky', '', '1', '1.00 (1.00 to 1.00)', '1.20', 'rejected: two equal stacks differ too much'],
    ]);
  });

  test('the terminal gets columns, or the reason why there are none', () => {
    const [, title, , first = '', second = ''] = printed(section).split('\n');
    expect(title).toBe('A title');
    expect(first.indexOf('1100 B')).toBe(second.indexOf('2 ms'));
    expect(printed({ ...section, results: [], skipped: 'no Redis' })).toContain('skipped: no Redis');
  });

  test('the document has the method, the machine, the score and a table for each section', () => {
    const skipped = { title: 'Another', method: 'Like that.', results: [], skipped: 'no Redis' };
    const document = toDocument({ machine, seconds: 60, sections: [section, skipped] });
    expect(document).toMatch(/^# Benchmarks\n/);
    expect(document).toContain('took 60 s on one core of 2 (a chip, 8 GiB), with Node v20');
    expect(document).toContain('1 of 2 targets were met; 1 rows were rejected.');
    expect(document).toContain('| compared | 1000 B | 1100 B |');
    expect(document).toContain('Not measured: no Redis.');
  });

  test('numbers have as many digits as anybody reads', () => {
    expect([rounded(12_345.6), rounded(123.4), rounded(1.5), rounded(2)]).toEqual(['12,346', '123', '1.5', '2']);
    expect([duration(0.0123), duration(12.3), duration(1234)]).toEqual(['12.3 µs', '12.3 ms', '1.23 s']);
  });
});

describe('the corpus of documents', () => {
  const truth = { text: 'Ada Lovelace\n1815 1852\n分析', rows: [['1815', '1852']] };

  test('a text that says everything, with marks around it, has full marks', () => {
    const text = '# Ada Lovelace\n| 1815 | 1852 |\n**分析**';
    expect(score(text, truth)).toEqual({ recall: 1, precision: 1, order: 1, rows: 1 });
  });

  test('words that lack, are too many or stand elsewhere cost their share', () => {
    expect(score('1815\n1852\nLovelace, Ada! 分析', truth)).toEqual({ recall: 1, precision: 1, order: 2 / 5, rows: 0 });
    expect(score('Ada Ada Lovelace', truth)).toMatchObject({ recall: 2 / 6, precision: 2 / 3 });
    expect(score('', { ...truth, rows: [] })).toEqual({ recall: 0, precision: 0, order: 0, rows: undefined });
  });

  test.each(formats)('a %s of the corpus is a file that our reader gives back in whole', async format => {
    const { name, bytes, truth: said } = await make(format, 3);
    const { markdown } = await readBytes(name, bytes);
    expect(score(markdown, said).recall).toBe(1);
    expect(await make(format, 3)).toMatchObject({ name, truth: said });
  });
});

const written = join(root, 'docs/reports/benchmarks.md');

test.runIf(existsSync(written))('docs/reports/benchmarks.md is what the benchmark writes', () => {
  expect(readFileSync(written, 'utf8').startsWith(INTRODUCTION)).toBe(true);
});
