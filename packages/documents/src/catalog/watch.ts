import { basename } from 'node:path';
import { Debouncer } from '@a2c-smcp/core';
import { watch as watchFiles } from 'chokidar';
import type { Folder } from './catalog.ts';

/** Milliseconds for which changes are collected: an editor that saves by renaming needs several steps. */
const SETTLE_MS = 100;

/**
 * Calls `onChange` soon after files below the folders changed, with their paths, or without paths when a `.gitignore`
 * changed. Resolves when the watcher is ready, with a function that stops it.
 */
export async function watchFolders(
  folders: readonly Folder[],
  onChange: (paths?: string[]) => void,
): Promise<() => Promise<void>> {
  const changed = new Set<string>();
  const debouncer = new Debouncer(
    () => {
      const paths = [...changed];
      changed.clear();
      onChange(paths.some(path => basename(path) === '.gitignore') ? undefined : paths);
    },
    { delay: SETTLE_MS },
  );
  const watcher = watchFiles(
    folders.map(({ path }) => path),
    {
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (path, stats) => isHidden(path, stats?.isDirectory() ? 'folder' : 'file', folders),
    },
  );
  await new Promise<void>((resolve, reject) => {
    watcher.once('ready', resolve);
    watcher.once('error', error => {
      void watcher.close();
      reject(error);
    });
  });
  watcher.on('all', (event, path) => {
    if (event === 'addDir' || event === 'unlinkDir') return;
    changed.add(path);
    debouncer.request();
  });
  watcher.on('error', () => {});
  return async () => {
    debouncer.cancel();
    await watcher.close();
  };
}

function isHidden(path: string, kind: 'file' | 'folder', folders: readonly Folder[]): boolean {
  const folder = folders.find(candidate => path !== candidate.path && path.startsWith(candidate.path));
  return basename(path) !== '.gitignore' && (folder?.rules.hides(path, kind) ?? false);
}
