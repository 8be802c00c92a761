import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from './packages.ts';

const run = promisify(execFile);
const stories = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter(entry => existsSync(join(root, 'examples', entry.name, 'main.ts')))
  .map(({ name }) => name);
test.concurrent.each(stories)('the example %s runs to its end', { timeout: 120_000 }, async story => {
  const program = join(root, 'examples/dist', story, 'main.js');
  const { stdout, stderr } = await run(process.execPath, [program], { timeout: 100_000 });
  expect(stderr).toBe('');
  expect(stdout).not.toBe('');
});

test('their README names every one of them', () => {
  const text = readFileSync(join(root, 'examples/README.md'), 'utf8');
  expect(stories.filter(story => !text.includes(`](${story})`))).toEqual([]);
});
