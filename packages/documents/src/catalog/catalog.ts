import { type Stats, statSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { Debouncer, type Logger, SerialQueue } from '@a2c-smcp/core';
import { buildDpeUri } from '@a2c-smcp/protocol';
import * as z from 'zod';
import { contains, type FileVersion, isInside, versionFacts, versionKey } from '../file.ts';
import { formatOf, typeOf } from '../formats/formats.ts';
import type { Synopsis } from '../formats/reader.ts';
import { IgnoreRules } from './ignore-rules.ts';
import type { FolderWatcher } from './watch.ts';

/** Incremented whenever a reader changes its page counts or titles, so that older index files are dropped. */
const FORMAT = 9;
const SAVE_DELAY_MS = 2000;
/** Paths whose files are known to be inside the folders. */
const MAX_VERIFIED = 10_000;
/** Extensions that are counted. */
const MAX_LEFT_OUT = 1000;

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

/** A document of the catalogue. */
export interface CatalogEntry {
  docRef: string;
  /** Level 1. */
  uri: string;
  mimeType: string;
  file: FileVersion;
}

/** A change of the catalogue. */
export interface CatalogChange {
  /** True if documents were added or removed, or documents that were listed by their file are now described in full. */
  listChanged: boolean;
  /** The documents whose files changed, as Level 1 URIs. */
  updated: string[];
}

export interface CatalogOptions {
  folders: readonly string[];
  host: string;
  /** Shows hidden and ignored files too. */
  all: boolean;
  logger: Logger;
  /** Is told of each folder that is scanned. */
  watcher?: FolderWatcher | undefined;
}

/** A folder whose files are shown. */
export interface Folder {
  /** Absolute, without symbolic links. */
  path: string;
  /** Stands before the names of its documents when there are several folders. */
  prefix: string;
  rules: IgnoreRules;
  /** The paths of all folders that are shown. */
  roots: readonly string[];
}

/** The files below the folders, by their references. A reference is the path below its folder. */
export class Catalog {
  readonly folders: readonly Folder[];
  readonly host: string;
  readonly #watcher: FolderWatcher | undefined;
  #entries: ReadonlyMap<string, CatalogEntry> = new Map();
  /** The file behind each path that was last found inside the folders. */
  readonly #inside = new Map<string, string>();
  #leftOut = new Map<string, number>();

  private constructor(folders: readonly Folder[], host: string, watcher: FolderWatcher | undefined) {
    this.folders = folders;
    this.host = host;
    this.#watcher = watcher;
  }

  static async open({ folders, host, all, logger, watcher }: CatalogOptions): Promise<Catalog> {
    // Fails at once if the host cannot stand in a URI.
    buildDpeUri({ host });
    const catalog = new Catalog(await openFolders(folders, all, logger), host, watcher);
    await catalog.refresh();
    return catalog;
  }

  /** The number of files that are not shown because no reader knows them, by extension. */
  get leftOut(): ReadonlyMap<string, number> {
    return this.#leftOut;
  }

  /** In order of their references. */
  get entries(): CatalogEntry[] {
    return [...this.#entries.values()];
  }

  /**
   * The document as its file is now, or undefined if it is gone or no longer below the folders. Each page that is read
   * comes here first: through the thread pool, the calls of the system would cost as much CPU as the page itself.
   */
  find(docRef: string): CatalogEntry | undefined {
    const entry = this.#entries.get(docRef);
    if (entry === undefined) return undefined;
    const { path, folders } = entry.file;
    const facts = factsOf(path);
    const file = facts && (isVersion(entry.file, facts) ? entry.file : toVersion(path, folders, facts));
    if (facts === undefined || file === undefined) return undefined;
    // The same file as before is inside wherever its path leads now; `FileSource` checks each that it opens.
    const identity = `${facts.dev} ${facts.ino} ${facts.ctimeMs}`;
    if (this.#inside.get(path) !== identity) {
      if (!isInside(entry.file)) return undefined;
      if (this.#inside.size >= MAX_VERIFIED) this.#inside.clear();
      this.#inside.set(path, identity);
    }
    return file === entry.file ? entry : { ...entry, file };
  }

  /** Scans all folders again, or only some files and folders in them. One call at a time. */
  async refresh(paths?: readonly string[]): Promise<CatalogChange> {
    const before = this.#entries;
    // A shared folder itself is gone or another one.
    const isPartial = paths !== undefined && !this.folders.some(({ path }) => paths.includes(path));
    const entries = isPartial ? await this.#lookUp(paths) : await this.#scan();
    this.#entries = new Map([...entries].toSorted(([a], [b]) => compare(a, b)));
    const common = [...this.#entries.values()].filter(({ docRef }) => before.has(docRef));
    const changed = common.filter(entry => {
      const { docRef, file } = entry;
      const earlier = before.get(docRef);
      if (earlier === undefined || earlier === entry) return false;
      // A scan of everything looks at files that nobody said had changed.
      const look = isPartial ? earlier.file.look : file.look;
      return versionKey({ ...earlier.file, look }) !== versionKey(file);
    });
    return {
      listChanged: entries.size !== before.size || common.length !== entries.size,
      updated: changed.map(({ uri }) => uri),
    };
  }

  async #scan(): Promise<Map<string, CatalogEntry>> {
    const leftOut = new Map<string, number>();
    const visited = new Set<string>();
    const entries = new Map<string, CatalogEntry>();
    const visit = (path: string) => {
      visited.add(path);
      this.#watcher?.add(path);
    };
    for (const folder of this.folders) {
      folder.rules.reset();
      for (const { docRef, file } of await scan(folder.path, folder, { visit, leftOut })) {
        entries.set(docRef, this.#entry(docRef, file));
      }
    }
    this.#watcher?.keep(visited);
    this.#leftOut = leftOut;
    return entries;
  }

  async #lookUp(paths: readonly string[]): Promise<ReadonlyMap<string, CatalogEntry>> {
    const entries = new Map(this.#entries);
    for (const path of paths) {
      const folder = this.folders.find(candidate => contains(candidate.path, path));
      if (folder === undefined) continue;
      const docRef = docRefOf(folder, path);
      entries.delete(docRef);
      // A folder of this name may be gone, or be another one now.
      if (this.#watcher?.remove(path)) {
        for (const known of entries.keys()) if (known.startsWith(`${docRef}/`)) entries.delete(known);
      }
      const visit = (inside: string) => this.#watcher?.add(inside);
      for (const found of await lookUp(path, folder, visit)) {
        entries.set(found.docRef, this.#entry(found.docRef, found.file));
      }
    }
    return entries;
  }

  #entry(docRef: string, file: FileVersion): CatalogEntry {
    const uri = buildDpeUri({ host: this.host, docRef });
    return { docRef, uri, mimeType: formatOf(file.type)?.mimeType ?? 'application/octet-stream', file };
  }
}

/** A file that is shown, and its reference. */
interface FoundFile {
  docRef: string;
  file: FileVersion;
}

/** Prepares folders for scanning; one inside another is part of it. Throws when one is not there or is a file. */
async function openFolders(paths: readonly string[], all: boolean, logger: Logger): Promise<Folder[]> {
  const real = await Promise.all(paths.map(path => realpath(resolve(path))));
  const outermost = [...new Set(real)].filter(path => !real.some(other => contains(other, path)));
  const names = new Map<string, number>();
  const folders: Folder[] = [];
  for (const path of outermost) {
    if (!(await stat(path)).isDirectory()) throw new TypeError(`'${path}' is not a folder`);
    const count = (names.get(basename(path)) ?? 0) + 1;
    names.set(basename(path), count);
    const prefix = outermost.length === 1 ? '' : `${basename(path)}${count === 1 ? '' : `-${count}`}/`;
    folders.push({ path, prefix, rules: new IgnoreRules(path, all, logger), roots: outermost });
  }
  return folders;
}

interface ScanOptions {
  /** Called with each folder before it is read. */
  visit: (path: string) => void;
  /** Counts the files that are not shown because no reader knows them, by extension. */
  leftOut?: Map<string, number>;
}

/** Every file to show below a path. */
async function scan(start: string, folder: Folder, { visit, leftOut }: ScanOptions): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const pending = [start];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    visit(path);
    const entries = (await readdir(path, { withFileTypes: true }).catch(() => [])).map(entry => {
      const path = join(entry.parentPath, entry.name);
      return { path, isFolder: entry.isDirectory(), isLink: entry.isSymbolicLink() };
    });
    const shown = entries.filter(entry => !folder.rules.hides(entry.path, entry.isFolder ? 'folder' : 'file'));
    for (const entry of shown) if (entry.isFolder) pending.push(entry.path);
    const files = shown.filter(({ isFolder }) => !isFolder);
    const here = await Promise.all(
      files.map(async ({ path: file, isLink }): Promise<FoundFile | undefined> => {
        if (isLink) return toFoundFile(file, folder);
        const version = await fileVersion(file, folder.roots);
        if (version === undefined && leftOut !== undefined) count(leftOut, extname(file).slice(1, 20).toLowerCase());
        return version && { docRef: docRefOf(folder, file), file: version };
      }),
    );
    for (const file of here) if (file !== undefined) found.push(file);
  }
  return found;
}

function count(counts: Map<string, number>, key: string): void {
  if (counts.size < MAX_LEFT_OUT || counts.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The files that are shown for a path: the file, or all files below the folder. */
async function lookUp(path: string, folder: Folder, visit: ScanOptions['visit']): Promise<FoundFile[]> {
  if (ancestors(path, folder.path).some(parent => folder.rules.hides(parent, 'folder'))) return [];
  const isFolder = (await lstat(path).catch(() => undefined))?.isDirectory();
  if (folder.rules.hides(path, isFolder ? 'folder' : 'file')) return [];
  if (isFolder) return scan(path, folder, { visit });
  const file = await toFoundFile(path, folder);
  return file === undefined ? [] : [file];
}

/** A file as it is now, or undefined if it is gone or of no supported type. */
async function fileVersion(path: string, roots: readonly string[]): Promise<FileVersion | undefined> {
  if (formatOf(typeOf(basename(path))) === undefined) return undefined;
  const facts = await stat(path).catch(() => undefined);
  return facts && toVersion(path, roots, facts);
}

function factsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** True if a file is still the version that it was, and no other could look the same. */
function isVersion({ size, modified, look }: FileVersion, facts: Stats): boolean {
  if (look !== undefined || facts.size !== size || Math.trunc(facts.mtimeMs) !== modified) return false;
  return facts.isFile() && versionFacts(facts).look === undefined;
}

function toVersion(path: string, roots: readonly string[], facts: Stats): FileVersion | undefined {
  const type = typeOf(basename(path));
  if (formatOf(type) === undefined || !facts.isFile()) return undefined;
  return { path, folders: roots, name: basename(path, extname(path)), type, ...versionFacts(facts) };
}

/** A link to a file counts if it stays inside; one to a folder never does, since what stays inside is shown anyway. */
async function toFoundFile(path: string, folder: Folder): Promise<FoundFile | undefined> {
  const file = await fileVersion(path, folder.roots);
  return file !== undefined && isInside(file) ? { docRef: docRefOf(folder, path), file } : undefined;
}

function docRefOf(folder: Folder, path: string): string {
  return folder.prefix + relative(folder.path, path).split(sep).join('/');
}

/** The folders between a path and the root, both excluded. */
function ancestors(path: string, root: string): string[] {
  const parent = dirname(path);
  return parent === root || !contains(root, parent) ? [] : [...ancestors(parent, root), parent];
}

/** Orders by code unit, the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface IndexEntry extends Pick<FileVersion, 'size' | 'modified' | 'look'> {
  synopsis: Synopsis;
}

/** The synopses of opened files by version, kept over restarts in a file if there is one. */
export class SynopsisIndex {
  readonly #entries: Map<string, IndexEntry>;
  readonly #path: string | undefined;
  readonly #saver = new Debouncer(() => this.#save(), { delay: SAVE_DELAY_MS });
  readonly #saves = new SerialQueue();
  #isSaved = true;

  private constructor(entries: Map<string, IndexEntry>, path: string | undefined) {
    this.#entries = entries;
    this.#path = path;
  }

  /** Starts empty if the file is missing, damaged or of another format. */
  static async open(path?: string): Promise<SynopsisIndex> {
    const text = path === undefined ? undefined : await readFile(path, 'utf8').catch(() => undefined);
    return new SynopsisIndex(parseIndex(text), path);
  }

  /** The synopsis of this version of the file, unless it was never opened. */
  get({ path, size, modified, look }: FileVersion): Synopsis | undefined {
    const entry = this.#entries.get(path);
    const isSame = entry?.size === size && entry.modified === modified && entry.look === look;
    return isSame ? entry.synopsis : undefined;
  }

  set({ path, size, modified, look }: FileVersion, synopsis: Synopsis): void {
    this.#entries.set(path, { size, modified, look, synopsis });
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
    // A file that could not be read may be readable after a restart, and a look is of this process alone.
    const kept = [...this.#entries].filter(
      ([, entry]) => entry.look === undefined && entry.synopsis.problem === undefined,
    );
    const text = JSON.stringify({ format: FORMAT, files: Object.fromEntries(kept) });
    await mkdir(dirname(this.#path), { recursive: true });
    const draft = `${this.#path}.${process.pid}`;
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, this.#path);
  }
}

function parseIndex(text: string | undefined): Map<string, IndexEntry> {
  if (text === undefined) return new Map();
  try {
    return new Map(Object.entries(IndexFile.parse(JSON.parse(text)).files)) as Map<string, IndexEntry>;
  } catch {
    return new Map();
  }
}
