import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** Editors write a file in several steps; this many milliseconds of rest mean that it is complete. */
const REST = 100;

/** Calls `onChange` after the file was changed, replaced or created, until closed. */
export function watchFile(path: string, onChange: () => void): { close(): void } {
  const file = resolve(path);
  let timer: NodeJS.Timeout | undefined;
  // The folder, because editors replace files: a watch on the file itself would follow the old one.
  const watcher: FSWatcher = watch(dirname(file), { persistent: false }, (_event, name) => {
    if (name !== null && name !== basename(file)) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, REST);
    timer.unref();
  });
  watcher.on('error', () => {});
  return {
    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
