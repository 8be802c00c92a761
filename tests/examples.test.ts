import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildPackages } from './build.ts';
import { root } from './packages.ts';

const stories = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter(entry => existsSync(join(root, 'examples', entry.name, 'main.ts')))
  .map(({ name }) => name);

beforeAll(buildPackages, 120_000);

test.each(stories)('the example %s runs to its end', { timeout: 120_000 }, story => {
  const program = join(root, 'examples/dist', story, 'main.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8', timeout: 100_000 });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).not.toBe('');
});

test('their README names every one of them', () => {
  const text = readFileSync(join(root, 'examples/README.md'), 'utf8');
  expect(stories.filter(story => !text.includes(`](${story})`))).toEqual([]);
});
