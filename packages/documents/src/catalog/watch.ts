import { watch as watchFiles } from 'chokidar';
import type { Folder } from './scan.ts';

/** Milliseconds of silence after which changes are looked at: an editor that saves by renaming needs several steps. */
const SETTLE = 100;

/** Calls `onChange` soon after anything below the folders changed. Returns when watching has begun. */
export async function watchFolders(folders: readonly Folder[], onChange: () => void): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout | undefined;
  const settle = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onChange();
    }, SETTLE);
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
  watcher.on('all', settle);
  watcher.on('error', () => {});
  return async () => {
    clearTimeout(timer);
    await watcher.close();
  };
}

function isHidden(path: string, kind: 'file' | 'folder', folders: readonly Folder[]): boolean {
  const folder = folders.find(candidate => path !== candidate.path && path.startsWith(candidate.path));
  return folder?.rules.hides(path, kind) ?? false;
}
