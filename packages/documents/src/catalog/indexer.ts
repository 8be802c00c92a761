import { countdown, SerialQueue, within } from '@a2c-smcp/core';
import { type FileVersion, versionKey } from '../file.ts';
import type { ParseOptions } from '../sessions/sessions.ts';

/** Milliseconds that listings wait for files to be opened, counted from the first file that is queued. */
const LIST_BUDGET_MS = 2000;
/** Files in the queue beyond which listings do not wait: most would not be opened in time anyway. */
const MAX_AWAITED_FILES = 1000;

/** Opens listed files in the background, one at a time, to fill the index. */
export class Indexer {
  readonly #open: (file: FileVersion) => Promise<unknown>;
  readonly #queue: SerialQueue;
  /** The files in the queue, by version. */
  readonly #queued = new Map<string, Promise<void>>();
  #remainingMs = countdown(0);
  #isClosed = false;

  /**
   * @param open must not reject
   * @param onIdle called whenever the last file in the queue was opened
   */
  constructor(open: (file: FileVersion) => Promise<unknown>, onIdle?: () => void) {
    this.#open = open;
    this.#queue = new SerialQueue({ onIdle });
  }

  get isIdle(): boolean {
    return this.#queue.size === 0;
  }

  /**
   * Queues files. Resolves when they were opened, when the budget of all listings since the queue was last empty is used
   * up, or at once if too many files are queued. Rejects when the signal fires; the files stay in the queue.
   */
  async open(files: readonly FileVersion[], { signal, onProgress }: ParseOptions = {}): Promise<void> {
    if (files.length === 0) return;
    if (this.#queue.size === 0) this.#remainingMs = countdown(LIST_BUDGET_MS);
    let isWaiting = true;
    let done = 0;
    const opened = files.map(async file => {
      await this.#add(file);
      done += 1;
      if (isWaiting) onProgress?.(done / files.length);
    });
    const timeout = this.#queue.size > MAX_AWAITED_FILES ? 0 : this.#remainingMs();
    await within(Promise.all(opened), { timeout, signal }).catch(() => signal?.throwIfAborted());
    isWaiting = false;
  }

  /** Drops the files that are still in the queue. */
  close(): void {
    this.#isClosed = true;
  }

  #add(file: FileVersion): Promise<void> {
    const key = versionKey(file);
    const queued = this.#queued.get(key);
    if (queued !== undefined) return queued;
    const opening = this.#queue.run(async () => {
      if (!this.#isClosed) await this.#open(file);
      this.#queued.delete(key);
    });
    this.#queued.set(key, opening);
    return opening;
  }
}
