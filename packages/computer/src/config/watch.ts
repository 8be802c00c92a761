import { watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { Debouncer } from '@a2c-smcp/core';

/** Editors write a file in several steps; it is read after this much time without one. */
const QUIET_TIME_MS = 100;

/** Calls `onChange` after the file was changed, replaced or created, until closed. `onChange` must not throw. */
export function watchFile(path: string, onChange: () => void | Promise<void>): { close(): void } {
  const file = resolve(path);
  const changes = new Debouncer(onChange, { delay: QUIET_TIME_MS, restart: true });
  // The folder, because editors replace files: a watch on the file itself would follow the old one.
  const watcher = watch(dirname(file), { persistent: false }, (_event, name) => {
    if (name === null || name === basename(file)) changes.request();
  });
  watcher.on('error', () => {});
  return {
    close() {
      changes.cancel();
      watcher.close();
    },
  };
}
