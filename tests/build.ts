import { execFileSync } from 'node:child_process';
import { root } from './packages.ts';

/** Before all tests: what they start as a process of its own runs from `dist`. When nothing changed it takes a second. */
export function setup(): void {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], { cwd: root, stdio: 'inherit' });
}
