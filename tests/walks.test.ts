import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from './packages.ts';

/** How many of our files a reader opens at most to follow a message, over all packages. ARCHITECTURE.md lists them. */
const limits = { call: 30, window: 40, page: 50 };
test.each(Object.entries(limits))(
  'the walk of a %s goes through at most %i files',
  async (walk, limit) => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'tests/fixtures/walk.mjs'), walk]);
    const files = Object.keys(JSON.parse(stdout)).toSorted();
    expect(files.length).toBeGreaterThan(20);
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(limit);
  },
  120_000,
);
