import { execFile, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { VERSION } from '@a2c-smcp/core';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../computer/temporary.ts';
import { root } from '../packages.ts';

const LIMIT_MS = 300_000;
const run = promisify(execFile);

/** Runs a command of the documents in the repository. */
async function inRepository(command: string): Promise<string> {
  const [program = '', ...words] = command.split(' ');
  return (await run(program, words, { cwd: root })).stdout;
}

/** True if npm can install something: two scripts do. */
const hasRegistry = () => spawnSync('npm', ['view', '@anthropic-ai/mcpb', 'version']).status === 0;

describe('in the repository', { timeout: LIMIT_MS }, () => {
  test('npm run build leaves the pages of the console', async () => {
    await inRepository('npm run build');
    expect(existsSync(join(root, 'packages/console/dist/site/index.html'))).toBe(true);
  });

  test('npm start shows the tour', async () => {
    expect(await inRepository('npm start')).toMatch(/calculate expression='sqrt\(1764\)' {2}→ {2}42/);
  });

  test('npm run mcpb packs a bundle', async ({ skip }) => {
    skip(!hasRegistry(), 'no registry');
    await inRepository('npm run mcpb');
    expect(statSync(join(root, `dist/a2c-bridge-${VERSION}.mcpb`)).size).toBeGreaterThan(100_000);
  });

  test('npm run single-file makes a program that runs by itself', async ({ skip }) => {
    skip(!hasRegistry() || process.platform === 'win32', 'no registry');
    await inRepository('npm run single-file');
    const program = join(root, `dist/a2c-${VERSION}-${process.platform}-${process.arch}`);
    const env = { HOME: temporaryFolder(), PATH: '/usr/bin:/bin' };
    expect((await run(program, ['--version'], { env })).stdout).toContain(VERSION);
  });
});
