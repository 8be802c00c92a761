import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Debouncer, SerialQueue } from '@a2c-smcp/core';
import * as z from 'zod';
import type { FileVersion } from '../file.ts';
import type { Synopsis } from '../formats/reader.ts';

/** Incremented whenever a reader changes its page counts or titles, so that older index files are dropped. */
const FORMAT = 5;
const SAVE_DELAY_MS = 2000;

const StoredSynopsis = z.object({
  title: z.string().optional(),
  keywords: z.array(z.string()).optional(),
  summary: z.string().optional(),
  pageCount: z.int().min(1),
});
const IndexFile = z.object({
  format: z.literal(FORMAT),
  files: z.record(z.string(), z.object({ size: z.number(), modified: z.number(), synopsis: StoredSynopsis })),
});

interface Entry extends Pick<FileVersion, 'size' | 'modified'> {
  synopsis: Synopsis;
}

/** The synopses of opened files by version, kept over restarts in a file if there is one. */
export class SynopsisIndex {
  readonly #entries: Map<string, Entry>;
  readonly #path: string | undefined;
  readonly #saver = new Debouncer(() => this.#save(), { delay: SAVE_DELAY_MS });
  readonly #saves = new SerialQueue();
  #isSaved = true;

  private constructor(entries: Map<string, Entry>, path: string | undefined) {
    this.#entries = entries;
    this.#path = path;
  }

  /** Starts empty if the file is missing, damaged or of another format. */
  static async open(path?: string): Promise<SynopsisIndex> {
    const text = path === undefined ? undefined : await readFile(path, 'utf8').catch(() => undefined);
    return new SynopsisIndex(parseIndex(text), path);
  }

  /** The synopsis of this version of the file, unless it was never opened. */
  get({ path, size, modified }: FileVersion): Synopsis | undefined {
    const entry = this.#entries.get(path);
    return entry?.size === size && entry.modified === modified ? entry.synopsis : undefined;
  }

  set({ path, size, modified }: FileVersion, synopsis: Synopsis): void {
    this.#entries.set(path, { size, modified, synopsis });
    this.#isSaved = false;
    if (this.#path !== undefined) this.#saver.request();
  }

  async close(): Promise<void> {
    this.#saver.cancel();
    await this.#save();
  }

  /** Never rejects: in a folder that cannot be written, the index lasts as long as the process. */
  #save(): Promise<void> {
    return this.#saves.run(() => this.#write()).catch(() => {});
  }

  async #write(): Promise<void> {
    if (this.#path === undefined || this.#isSaved) return;
    this.#isSaved = true;
    // A file that could not be read may be readable after a restart.
    const readable = [...this.#entries].filter(([, { synopsis }]) => synopsis.problem === undefined);
    const text = JSON.stringify({ format: FORMAT, files: Object.fromEntries(readable) });
    await mkdir(dirname(this.#path), { recursive: true });
    const draft = `${this.#path}.${process.pid}`;
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, this.#path);
  }
}

function parseIndex(text: string | undefined): Map<string, Entry> {
  if (text === undefined) return new Map();
  try {
    return new Map(Object.entries(IndexFile.parse(JSON.parse(text)).files)) as Map<string, Entry>;
  } catch {
    return new Map();
  }
}
