import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import type { Logger } from '@a2c-smcp/core';
import { buildDpeUri } from '@a2c-smcp/protocol';
import { contains, type FileVersion, isInside, versionKey } from '../file.ts';
import { formatOf } from '../formats/formats.ts';
import { IgnoreRules } from './ignore-rules.ts';

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
  /** Whether documents were added or removed, or documents that were listed by their file are now described in full. */
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
}

/** A folder whose files are shown. */
export interface Folder {
  /** Absolute, without symbolic links. */
  path: string;
  /** Stands before the names of its documents when there are several folders. */
  prefix: string;
  rules: IgnoreRules;
}

/** The files below the folders, by their references. A reference is the path below its folder. */
export class Catalog {
  readonly folders: readonly Folder[];
  readonly #host: string;
  #entries: ReadonlyMap<string, CatalogEntry> = new Map();

  private constructor(folders: readonly Folder[], host: string) {
    this.folders = folders;
    this.#host = host;
  }

  static async open({ folders, host, all, logger }: CatalogOptions): Promise<Catalog> {
    // Fails at once if the host cannot stand in a URI.
    buildDpeUri({ host });
    const catalog = new Catalog(await openFolders(folders, all, logger), host);
    await catalog.refresh();
    return catalog;
  }

  /** In order of their references. */
  get entries(): CatalogEntry[] {
    return [...this.#entries.values()];
  }

  /** The document as its file is now, or undefined if it is gone or no longer below the folders. */
  async find(docRef: string): Promise<CatalogEntry | undefined> {
    const entry = this.#entries.get(docRef);
    if (entry === undefined || !(await isInside(entry.file))) return undefined;
    const file = await fileVersion(entry.file.path, this.folders);
    return file && { ...entry, file };
  }

  /** Scans all folders again, or only some of their files. One call at a time. */
  async refresh(paths?: readonly string[]): Promise<CatalogChange> {
    const before = this.#entries;
    const entries = paths === undefined ? await this.#scan() : await this.#lookUp(paths);
    this.#entries = new Map([...entries].toSorted(([a], [b]) => compare(a, b)));
    const common = [...this.#entries.values()].filter(({ docRef }) => before.has(docRef));
    const changed = common.filter(({ docRef, file }) => {
      const earlier = before.get(docRef);
      return earlier !== undefined && versionKey(earlier.file) !== versionKey(file);
    });
    return {
      listChanged: entries.size !== before.size || common.length !== entries.size,
      updated: changed.map(({ uri }) => uri),
    };
  }

  async #scan(): Promise<Map<string, CatalogEntry>> {
    const found = await scan(this.folders);
    return new Map(found.map(({ docRef, file }) => [docRef, this.#entry(docRef, file)]));
  }

  async #lookUp(paths: readonly string[]): Promise<Map<string, CatalogEntry>> {
    const entries = new Map(this.#entries);
    for (const path of paths) {
      const found = await lookUp(path, this.folders);
      if (found?.file !== undefined) entries.set(found.docRef, this.#entry(found.docRef, found.file));
      else if (found !== undefined) entries.delete(found.docRef);
    }
    return entries;
  }

  #entry(docRef: string, file: FileVersion): CatalogEntry {
    const uri = buildDpeUri({ host: this.#host, docRef });
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
    folders.push({ path, prefix, rules: new IgnoreRules(path, all, logger) });
  }
  return folders;
}

/** Every file to show. */
async function scan(folders: readonly Folder[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const folder of folders) {
    folder.rules.reset();
    const pending = [folder.path];
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      const entries = (await readdir(path, { withFileTypes: true }).catch(() => [])).map(entry => {
        const path = join(entry.parentPath, entry.name);
        return { path, isFolder: entry.isDirectory(), isLink: entry.isSymbolicLink() };
      });
      const shown = entries.filter(entry => !folder.rules.hides(entry.path, entry.isFolder ? 'folder' : 'file'));
      pending.push(...shown.filter(({ isFolder }) => isFolder).map(entry => entry.path));
      const files = shown.filter(({ isFolder }) => !isFolder);
      const here = await Promise.all(
        files.map(async ({ path: file, isLink }): Promise<FoundFile | undefined> => {
          if (isLink) return toFoundFile(file, folder, folders);
          const version = await fileVersion(file, folders);
          return version && { docRef: docRefOf(folder, file), file: version };
        }),
      );
      for (const file of here) if (file !== undefined) found.push(file);
    }
  }
  return found;
}

/** The reference of a path, and its file if it is shown. */
async function lookUp(
  path: string,
  folders: readonly Folder[],
): Promise<{ docRef: string; file?: FileVersion } | undefined> {
  const folder = folders.find(candidate => contains(candidate.path, path));
  if (folder === undefined) return undefined;
  const docRef = docRefOf(folder, path);
  const above = ancestors(path, folder.path);
  const isHidden = folder.rules.hides(path, 'file') || above.some(parent => folder.rules.hides(parent, 'folder'));
  const found = isHidden ? undefined : await toFoundFile(path, folder, folders);
  return { docRef, ...(found && { file: found.file }) };
}

/** A file as it is now, or undefined if it is gone or of no supported type. */
async function fileVersion(path: string, folders: readonly Folder[]): Promise<FileVersion | undefined> {
  const extension = extname(path);
  const type = extension.slice(1).toLowerCase();
  if (formatOf(type) === undefined) return undefined;
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined || !facts.isFile()) return undefined;
  return {
    path,
    folders: folders.map(folder => folder.path),
    name: basename(path, extension),
    type,
    size: facts.size,
    modified: Math.trunc(facts.mtimeMs),
  };
}

/** A link to a file counts if it stays inside; one to a folder never does, since what stays inside is shown anyway. */
async function toFoundFile(path: string, folder: Folder, folders: readonly Folder[]): Promise<FoundFile | undefined> {
  const file = await fileVersion(path, folders);
  return file !== undefined && (await isInside(file)) ? { docRef: docRefOf(folder, path), file } : undefined;
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
