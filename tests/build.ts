import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { root } from './packages.ts';

/**
 * Compiles the packages: plain Node, which some tests start, sees builds as users do. Types are for `npm run check`. Test
 * files run at the same time, so the second to come waits for the first.
 */
export async function buildPackages(): Promise<void> {
  const lock = join(tmpdir(), `a2c-build-${process.ppid}`);
  await vi.waitFor(() => mkdirSync(lock), { timeout: 120_000, interval: 100 });
  try {
    const compiler = ['node_modules/typescript/bin/tsc', '-b', '--noCheck'];
    const build = spawn(process.execPath, compiler, { cwd: root, stdio: 'inherit' });
    const [code] = await once(build, 'exit');
    if (code !== 0) throw new Error('The packages do not compile');
  } finally {
    rmSync(lock, { recursive: true });
  }
}
