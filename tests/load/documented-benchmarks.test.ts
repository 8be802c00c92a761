import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../packages.ts';
import { BENCHMARKS } from '../stories/not-run.ts';
import { stories } from '../stories/played.ts';

const LIMIT_MS = 600_000;
const run = promisify(execFile);
const all = stories.flatMap(({ commands }) => commands.map(({ text }) => text));
const commands = [...new Set(all.filter(text => BENCHMARKS.test(text)))];

test('the documents measure everything, and some sections alone', () => {
  expect(commands).toContain('npm run bench');
  expect(commands.length).toBeGreaterThan(3);
});

test.each(commands)('%s runs to its end', { timeout: LIMIT_MS }, async command => {
  const [program = '', ...words] = command.split(' ');
  const env = { ...process.env, A2C_BENCH_QUICK: '1' };
  const { stdout, stderr } = await run(program, words, { cwd: root, env });
  expect(stdout, stderr).toMatch(/\n\d+ rows in \d+ s, /);
  // The official SDKs are installed by `npm run interop` and built in minutes.
  const skipped = [...stdout.matchAll(/^skipped: .*/gm)].map(([line]) => line);
  expect(skipped.filter(line => !/npm run interop|A2C_RUST_BUILDS|cargo/.test(line))).toEqual([]);
});
