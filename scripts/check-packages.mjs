/** Lets publint and "Are the types wrong?" judge every package as `npm pack` makes it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Not among the dependencies of the repository: the second brings a compiler of its own.
const TOOLS = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'];

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'a2c-check-'));
try {
  run('npm', ['install', '--silent', '--no-save', '--prefix', folder, ...TOOLS]);
  run('npm', ['pack', '--silent', '--workspaces', '--pack-destination', folder]);
  for (const tarball of readdirSync(folder).filter(name => name.endsWith('.tgz'))) check(join(folder, tarball));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function check(tarball) {
  run(join(folder, 'node_modules/.bin/publint'), ['run', tarball, '--strict']);
  // The command has no module to import.
  if (/[/\\]a2c-smcp-\d/.test(tarball)) return;
  const options = [
    '--profile',
    'esm-only',
    '--exclude-entrypoints',
    'vrl.wasm',
    '--no-emoji',
    '--format',
    'ascii',
    '-q',
  ];
  run(join(folder, 'node_modules/.bin/attw'), [tarball, ...options]);
}

function run(program, words) {
  const { status, error } = spawnSync(program, words, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
