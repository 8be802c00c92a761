import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './packages.ts';

/**
 * Compiles the packages before the first test: plain Node, which some tests start, sees builds as users do. Types are
 * for `npm run check`.
 */
export async function setup(): Promise<void> {
  const compiler = ['node_modules/typescript/bin/tsc', '-b', '--noCheck'];
  const build = spawn(process.execPath, compiler, { cwd: root, stdio: 'inherit' });
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new Error('The packages do not compile');
}
