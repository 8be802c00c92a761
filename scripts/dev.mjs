/** Compiles after each save and starts the demo again with the result. Arguments are those of another command, if any. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = 'node_modules/typescript/bin/tsc';
const words = process.argv.length > 2 ? process.argv.slice(2) : ['demo'];

// The demo cannot start before the first build.
const { status } = spawnSync('npm run --silent build', { cwd: root, stdio: 'inherit', shell: true });
if (status !== 0) process.exit(status ?? 1);

const children = [
  start([compiler, '-b', '--watch', '--preserveWatchOutput']),
  start(['--watch', '--watch-preserve-output', 'packages/cli/bin/a2c.js', ...words]),
];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));

function start(args) {
  // A group of its own: the compiler starts a further process, which does not end with it.
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', detached: process.platform !== 'win32' });
  // Both live until they are stopped; the end of one is the end of both.
  child.once('exit', () => stop('SIGTERM'));
  return child;
}

function stop(signal) {
  for (const { pid } of children) {
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal);
    } catch {
      // It has ended.
    }
  }
}
