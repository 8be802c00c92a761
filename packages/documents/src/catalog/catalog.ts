import type { Logger } from '@a2c-smcp/core';
import { buildDpeUri } from '@a2c-smcp/protocol';
import { isInside } from '../file/location.ts';
import { formatOf } from '../formats/formats.ts';
import { type FileVersion, versionKey } from '../sessions/sessions.ts';
import { type Folder, fileVersion, lookUp, openFolders, scan } from './scan.ts';

/** A document of the catalogue. */
export interface CatalogEntry {
  docRef: string;
  /** Level 1. */
  uri: string;
  mimeType: string;
  file: FileVersion;
}

/** What became different. */
export interface CatalogChange {
  /** Whether documents came or went. */
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

  /** The document as its file is now, or nothing if it is gone or no longer below the folders. */
  async find(docRef: string): Promise<CatalogEntry | undefined> {
    const entry = this.#entries.get(docRef);
    if (entry === undefined || !(await isInside(entry.file))) return undefined;
    const file = await fileVersion(entry.file.path, this.folders);
    return file && { ...entry, file };
  }

  /** Looks at all folders again, or only at some of their files. One call at a time. */
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

/** Orders by code unit, the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
