import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import type { DocumentHeader } from '../formats/reader.ts';
import type { FileVersion } from '../sessions/sessions.ts';

/** Rises whenever readers count pages differently, so that old indexes are thrown away. */
const FORMAT = 3;
const SAVE_DELAY = 2000;

const Header = z.object({
  title: z.string().optional(),
  keywords: z.array(z.string()).optional(),
  summary: z.string().optional(),
  pageCount: z.int().min(1),
  problem: z.string().optional(),
});
const IndexFile = z.object({
  format: z.literal(FORMAT),
  files: z.record(z.string(), z.object({ size: z.number(), modified: z.number(), header: Header })),
});
type Entry = z.infer<typeof IndexFile>['files'][string];

/** Remembers the headers of files by path, time and size, over restarts if it has a file to write to. */
export class HeaderIndex {
  readonly #entries: Map<string, Entry>;
  readonly #running = new Map<string, Promise<DocumentHeader>>();
  readonly #read: (file: FileVersion) => Promise<DocumentHeader>;
  readonly #path: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();

  private constructor(
    entries: Map<string, Entry>,
    read: (file: FileVersion) => Promise<DocumentHeader>,
    path: string | undefined,
  ) {
    this.#entries = entries;
    this.#read = read;
    this.#path = path;
  }

  /** A file that is missing, damaged or from another version is begun anew. */
  static async open(read: (file: FileVersion) => Promise<DocumentHeader>, path?: string): Promise<HeaderIndex> {
    const text = path === undefined ? undefined : await readFile(path, 'utf8').catch(() => undefined);
    return new HeaderIndex(parseIndex(text), read, path);
  }

  /** What is remembered of this version of the file, without opening it. */
  peek({ path, size, modified }: FileVersion): DocumentHeader | undefined {
    const entry = this.#entries.get(path);
    return entry?.size === size && entry.modified === modified ? entry.header : undefined;
  }

  async get(file: FileVersion): Promise<DocumentHeader> {
    const known = this.peek(file) ?? this.#running.get(file.path);
    if (known !== undefined) return known;
    const reading = this.#read(file).then(header => {
      this.#remember(file, header);
      return header;
    });
    this.#running.set(file.path, reading);
    return reading.finally(() => this.#running.delete(file.path));
  }

  /** Takes what opening the file told. Returns whether that is something else than what its header promised. */
  correct(file: FileVersion, opened: DocumentHeader): boolean {
    const header = this.peek(file);
    if (header?.pageCount === opened.pageCount && header.problem === opened.problem) return false;
    this.#remember(file, opened);
    return header !== undefined;
  }

  async close(): Promise<void> {
    if (this.#timer !== undefined) this.#save();
    await this.#saving;
  }

  #remember({ path, size, modified }: FileVersion, header: DocumentHeader): void {
    this.#entries.set(path, { size, modified, header });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#path === undefined) return;
    this.#timer ??= setTimeout(() => this.#save(), SAVE_DELAY).unref();
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // A folder that cannot be written to costs the memory over restarts, nothing else.
    this.#saving = this.#saving.then(() => this.#write()).catch(() => {});
  }

  async #write(): Promise<void> {
    if (this.#path === undefined) return;
    // What could not be read today may be readable tomorrow.
    const readable = [...this.#entries].filter(([, { header }]) => header.problem === undefined);
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
    return new Map(Object.entries(IndexFile.parse(JSON.parse(text)).files));
  } catch {
    return new Map();
  }
}
