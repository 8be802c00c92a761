import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestProject } from 'vitest/node';
import { root } from './packages.ts';
import { bundlePrograms } from './programs.ts';

/**
 * Compiles the packages before the first test, and before each run in watch mode: plain Node, which some tests start, sees
 * builds as users do. Types are for `npm run check`.
 */
export async function setup(project: TestProject): Promise<void> {
  project.onTestsRerun(compile);
  await compile();
}

async function compile(): Promise<void> {
  await run('node_modules/typescript/bin/tsc', '-b', '--noCheck');
  await bundlePrograms();
}

/** Builds the pages of the console, unless they are up to date. */
export function buildPages(): Promise<void> {
  return run('scripts/build-pages.mjs');
}

async function run(...words: string[]): Promise<void> {
  const [code] = await once(spawn(process.execPath, words, { cwd: root, stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`${words[0]} failed`);
}
