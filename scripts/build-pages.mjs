// Builds the pages of the console unless they are up to date. Several processes may do so at once: each builds into a folder
// of its own, which then takes the place of the former one.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const folder = fileURLToPath(new URL('../packages/console', import.meta.url));
const site = join(folder, 'dist/site');
const sources = [
  join(folder, 'app'),
  join(folder, 'vite.config.ts'),
  fileURLToPath(new URL('../package-lock.json', import.meta.url)),
];

if (!isUpToDate()) {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const draft = `${site}-${process.pid}`;
  await build({ configFile: join(folder, 'vite.config.ts'), logLevel: 'warn', build: { outDir: draft } });
  const former = `${draft}-former`;
  try {
    if (existsSync(site)) renameSync(site, former);
    renameSync(draft, site);
  } catch {
    // Another process was faster, with the same files.
    rmSync(draft, { recursive: true, force: true });
  }
  rmSync(former, { recursive: true, force: true });
}

function isUpToDate() {
  const built = join(site, 'index.html');
  return existsSync(built) && statSync(built).mtimeMs > Math.max(...sources.map(newest));
}

/** The time of the last change at or below a path, in milliseconds. */
function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map(name => newest(join(path, name))));
}
