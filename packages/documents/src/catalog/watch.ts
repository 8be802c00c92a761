import { basename } from 'node:path';
import { watch as watchFiles } from 'chokidar';
import type { Folder } from './scan.ts';

/** Milliseconds for which changes are gathered: an editor that saves by renaming needs several steps. */
const SETTLE = 100;

/**
 * Calls `onChange` soon after something below the folders changed, with the paths of the files, or without when the rules
 * of what is shown changed. Returns when watching has begun; what it returns ends it.
 */
export async function watchFolders(
  folders: readonly Folder[],
  onChange: (paths?: string[]) => void,
): Promise<() => Promise<void>> {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    const paths = [...changed];
    timer = undefined;
    changed.clear();
    onChange(paths.some(path => basename(path) === '.gitignore') ? undefined : paths);
  };
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
    watcher.once('error', reject);
  });
  watcher.on('all', (event, path) => {
    if (event === 'addDir' || event === 'unlinkDir') return;
    changed.add(path);
    timer ??= setTimeout(tell, SETTLE);
  });
  watcher.on('error', () => {});
  return async () => {
    clearTimeout(timer);
    await watcher.close();
  };
}

function isHidden(path: string, kind: 'file' | 'folder', folders: readonly Folder[]): boolean {
  const folder = folders.find(candidate => path !== candidate.path && path.startsWith(candidate.path));
  return basename(path) !== '.gitignore' && (folder?.rules.hides(path, kind) ?? false);
}
