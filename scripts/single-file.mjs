/**
 * Makes one file of Node, the packages and their dependencies for the system and the architecture that it runs on:
 * `dist/a2c-VERSION-SYSTEM-ARCHITECTURE`. It extracts itself once into the user's cache. Not a bundle inside Node (SEA, or
 * Bun's): workers, the guardian and MCP servers are scripts that a real Node starts, and WebAssembly and fonts are files.
 * The Node that runs this script is the one inside; `LICENSE` of it must be beside its folder `bin`, as in its archives.
 * `bin` of the content ends the PATH of MCP servers: `node` and `a2c-documents` are found where nothing is installed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of the folder of a package. */
const LEFT_OUT = /^[^/\\]+[/\\](node_modules|src|app|tsconfig.*|wasm[/\\](target|tests|tools|src))$/;

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'));
const name = `a2c-${version}-${process.platform}-${process.arch}`;
const folder = mkdtempSync(join(tmpdir(), 'a2c-file-'));
try {
  const content = join(folder, 'content');
  collect(content);
  mkdirSync(join(root, 'dist'), { recursive: true });
  if (process.platform === 'win32') writeZip(content);
  else writeExecutable(content);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function collect(content) {
  cpSync(join(root, 'packages'), join(content, 'packages'), {
    recursive: true,
    filter: path => !LEFT_OUT.test(relative(join(root, 'packages'), path)) && !path.endsWith('.map'),
  });
  for (const file of ['package.json', 'package-lock.json', '.npmrc', 'LICENSE']) {
    copyFileSync(join(root, file), join(content, file));
  }
  run('npm', ['ci', '--silent', '--omit=dev', '--ignore-scripts'], content);
  mkdirSync(join(content, 'bin'));
  copyFileSync(process.execPath, join(content, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'));
  const licence = join(process.execPath, process.platform === 'win32' ? '../LICENSE' : '../../LICENSE');
  if (existsSync(licence)) copyFileSync(licence, join(content, 'LICENSE-node'));
  else process.stderr.write(`There is no licence of Node at '${licence}': do not give the file to others\n`);
}

function writeExecutable(content) {
  const documents = `#!/bin/sh
home="$(dirname "$0")/.."
exec "$home/bin/node" "$home/packages/documents/bin/a2c-documents.js" "$@"
`;
  writeFileSync(join(content, 'bin/a2c-documents'), documents, { mode: 0o755 });
  const archive = join(folder, 'content.tar.gz');
  run('tar', ['-czf', archive, '-C', content, '.'], folder);
  const bytes = readFileSync(archive);
  const id = `${version}-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
  const target = join(root, 'dist', name);
  writeFileSync(target, Buffer.concat([Buffer.from(launcher(id)), bytes]));
  chmodSync(target, 0o755);
  process.stdout.write(`${target}: ${Math.round(bytes.length / 1e6)} MB\n`);
}

/** Runs what is in the cache; extracts it there first, completely or not at all. */
function launcher(id) {
  const text = `#!/bin/sh
set -e
cache="\${XDG_CACHE_HOME:-$HOME/.cache}/a2c-smcp"
home="$cache/${id}"
if [ ! -x "$home/bin/node" ]; then
  mkdir -p "$cache"
  new=$(mktemp -d "$cache/new-XXXXXX")
  tail -n +LINES "$0" | tar -xzf - -C "$new"
  # Another process may have been first.
  [ -d "$home" ] || mv "$new" "$home"
  rm -rf "$new"
fi
A2C_EXECUTABLE="$(cd "$(dirname "$0")" && pwd)/$(basename "$0")"
case ":$PATH:" in
  *":$home/bin:"*) ;;
  *) PATH="\${PATH:+$PATH:}$home/bin" ;;
esac
export A2C_EXECUTABLE PATH
exec "$home/bin/node" "$home/packages/cli/bin/a2c.js" "$@"
`;
  return text.replace('LINES', String(text.split('\n').length));
}

/** Windows has no shell for the above: a folder in an archive, with command files. */
function writeZip(content) {
  const lines = [
    '@setlocal',
    '@set "PATH=%PATH%;%~dp0bin"',
    String.raw`@"%~dp0bin\node.exe" "%~dp0packages\cli\bin\a2c.js" %*`,
  ];
  writeFileSync(join(content, 'a2c.cmd'), `${lines.join('\r\n')}\r\n`);
  const documents = String.raw`@"%~dp0node.exe" "%~dp0..\packages\documents\bin\a2c-documents.js" %*`;
  writeFileSync(join(content, 'bin/a2c-documents.cmd'), `${documents}\r\n`);
  const target = join(root, 'dist', `${name}.zip`);
  // The tar of Windows writes zip files.
  run('tar', ['-a', '-cf', target, '-C', content, '.'], folder);
  process.stdout.write(`${target}\n`);
}

function run(program, words, cwd) {
  const { status } = spawnSync(program, words, {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    // npm is a command file on Windows.
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`'${program}' failed`);
}
