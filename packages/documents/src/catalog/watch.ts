import { type FSWatcher, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { Debouncer } from '@a2c-smcp/core';
import { contains } from '../file.ts';

/** Milliseconds for which changes are collected: an editor that saves by renaming needs several steps. */
const SETTLE_MS = 100;

/** Called with the paths of changed files and folders, or without paths when everything must be scanned again. */
export type OnChange = (paths?: string[]) => void;

/**
 * Watches single folders, each of which reports the files in it. A watcher of every file, as libraries have it, takes a
 * second of CPU to start with 10,000 files, and as many of the watches that a system has.
 */
export class FolderWatcher {
  readonly #onExhausted: (error: unknown) => void;
  readonly #folders = new Map<string, FSWatcher>();
  readonly #changed = new Set<string>();
  readonly #debouncer = new Debouncer(() => this.#flush(), { delay: SETTLE_MS });
  #onChange: OnChange | undefined;
  #isClosed = false;

  /** @param onExhausted called when the system has no watches left, and no folder is watched any more */
  constructor(onExhausted: (error: unknown) => void) {
    this.#onExhausted = onExhausted;
  }

  /** True if changes are reported. */
  get isWatching(): boolean {
    return !this.#isClosed;
  }

  /** Starts to report changes, also those since the folders were added. */
  start(onChange: OnChange): void {
    this.#onChange = onChange;
    if (this.#changed.size > 0) this.#debouncer.request();
  }

  /** Watches a folder, without those in it. Must run before the folder is read, so that no change is missed. */
  add(folder: string): void {
    if (this.#isClosed || this.#folders.has(folder)) return;
    try {
      const watcher = watch(folder, (_, name) => this.#report(folder, name));
      // Windows reports a deleted folder like this.
      watcher.on('error', () => this.#report(folder, null));
      this.#folders.set(folder, watcher);
    } catch (error) {
      // The folder may be gone or closed to us, and then has no files to show.
      const { code } = error as NodeJS.ErrnoException;
      if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(code ?? '')) return;
      this.close();
      this.#onExhausted(error);
    }
  }

  /** Stops watching a folder and those below it. Returns whether it was watched. */
  remove(folder: string): boolean {
    if (!this.#folders.has(folder)) return false;
    for (const path of this.#folders.keys()) if (path === folder || contains(folder, path)) this.#drop(path);
    return true;
  }

  /** Stops watching all folders but these. */
  keep(folders: ReadonlySet<string>): void {
    for (const path of this.#folders.keys()) if (!folders.has(path)) this.#drop(path);
  }

  close(): void {
    this.#isClosed = true;
    this.#debouncer.cancel();
    this.keep(new Set());
  }

  /** A folder that was deleted or moved reports itself by its own name. */
  #report(folder: string, name: string | null): void {
    if (name !== null) this.#changed.add(join(folder, name));
    if (name === null || name === basename(folder)) this.#changed.add(folder);
    if (this.#onChange !== undefined) this.#debouncer.request();
  }

  #flush(): void {
    const paths = [...this.#changed];
    this.#changed.clear();
    if (!paths.some(path => basename(path) === '.gitignore')) {
      this.#onChange?.(paths);
      return;
    }
    // One of these may be another folder of the same name; the scan adds those that are still there.
    for (const path of paths) this.remove(path);
    this.#onChange?.();
  }

  #drop(folder: string): void {
    this.#folders.get(folder)?.close();
    this.#folders.delete(folder);
  }
}
