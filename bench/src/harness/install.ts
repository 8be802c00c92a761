import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A folder in the cache of the user for programs that we are compared with. */
export function cacheFolder(name: string): string {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'a2c-smcp-bench', name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Installs npm packages, by name and version, once. Returns the folder of their `node_modules`; undefined if that failed. */
export function installNpm(packages: Readonly<Record<string, string>>): string | undefined {
  const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const folder = cacheFolder(`npm-${createHash('sha256').update(names.join()).digest('hex').slice(0, 16)}`);
  const areThere = () =>
    Object.keys(packages).every(name => existsSync(join(folder, 'node_modules', name, 'package.json')));
  if (areThere()) return folder;
  announce(names.join(', '), folder);
  spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...names]);
  return areThere() ? folder : undefined;
}

export function announce(what: string, folder: string): void {
  process.stderr.write(`Installing ${what} below ${folder}\n`);
}
