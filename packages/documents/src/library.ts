import { isDeepStrictEqual } from 'node:util';
import { Debouncer, Emitter, type Logger, SerialQueue, silentLogger } from '@a2c-smcp/core';
import type { DPECatalog, DPEDocument, DPEElementDetail, DPEPage } from '@a2c-smcp/protocol';
import { type DocumentSource, describeDocument, type OpenDocument, readDocuments } from '@a2c-smcp/publish';
import type { labels } from '@a2c-smcp/publish/content';
import { Catalog, type CatalogChange, type CatalogEntry, SynopsisIndex } from './catalog/catalog.ts';
import { Indexer } from './catalog/indexer.ts';
import { FolderWatcher } from './catalog/watch.ts';
import { defaultHost } from './default-host.ts';
import { type DocumentList, infoOf, type LibraryDocument } from './describe.ts';
import { type FileVersion, versionKey } from './file.ts';
import type { Synopsis } from './formats/reader.ts';
import { Recogniser } from './ocr/recogniser.ts';
import { openFile } from './open-file.ts';
import { DocumentSearch, type SearchOptions, type SearchResult } from './search/document-search.ts';
import { DocumentStore } from './store.ts';

export interface LibraryOptions {
  /** Every supported file below these is shown. */
  folders: readonly string[];
  /** The host of all URIs; a Computer finds the MCP server by it. @default like `local.reports.1f0c9a27`, by the folders */
  host?: string | undefined;
  /** Detects changes as they happen instead of at the next request. @default false */
  watch?: boolean | undefined;
  /** Shows hidden files and those that `.gitignore` names. @default false */
  all?: boolean | undefined;
  /** A file that keeps titles and page counts over restarts; the search index is beside it. @default none */
  indexFile?: string | undefined;
  /** Bytes of parsed pages that are cached. @default 256 MiB */
  cacheBytes?: number | undefined;
  /**
   * Milliseconds that parsing one page may take without progress, and an eighth of the total limit. A page that takes
   * longer shows the reason instead of its content. @default 15,000
   */
  parseTimeout?: number | undefined;
  /** Bytes that the process may grow by while it parses. A page that takes more shows the reason. @default 768 MiB */
  parseMemory?: number | undefined;
  /**
   * Reads the words in scanned pages and pictures with the `tesseract` command, in these languages, as in `eng+chi_sim`.
   * @default they are not read
   */
  ocr?: string | undefined;
  /** The language of the few words that renderings add. @default 'en' */
  language?: keyof typeof labels | undefined;
  /** @default silent */
  logger?: Logger | undefined;
}

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  /** Called now and then with the share that is done, from 0 to 1. */
  onProgress?: ((share: number) => void) | undefined;
}

export interface ListOptions extends ReadOptions {
  /** Documents to pass over. @default 0 */
  offset?: number | undefined;
  /** The most documents to list. @default all */
  limit?: number | undefined;
}

/** Milliseconds from the last document in the queue, described in full after it was listed, to the announcement. */
const ANNOUNCE_DELAY_MS = 200;
/** Milliseconds between announcements while more are opened. Each makes clients list everything again. */
const ANNOUNCE_INTERVAL_MS = 5000;

interface LibraryParts {
  catalog: Catalog;
  index: SynopsisIndex;
  watcher: FolderWatcher | undefined;
  recogniser: Recogniser | undefined;
}

/** Folders of files as documents that can be listed and read. */
export class DocumentLibrary implements AsyncDisposable {
  readonly host: string;
  readonly language: keyof typeof labels;
  readonly #catalog: Catalog;
  readonly #index: SynopsisIndex;
  readonly #store: DocumentStore;
  readonly #indexer: Indexer;
  readonly #search: DocumentSearch;
  readonly #logger: Logger;
  readonly #events: Emitter<{ change: CatalogChange }>;
  /** Scans run one at a time: a change during a scan may be in a folder that was scanned already. */
  readonly #scans = new SerialQueue();
  /** Versions of files that were listed before they were opened. */
  readonly #incomplete = new Set<string>();
  /** Paths of files whose synopsis changed without the file, as after a timeout, and was not announced yet. */
  readonly #corrected = new Set<string>();
  readonly #announcer = new Debouncer(() => this.#announceSynopses(), { delay: ANNOUNCE_DELAY_MS });
  readonly #progress = new Debouncer(() => this.#announcer.request(), { delay: ANNOUNCE_INTERVAL_MS });
  readonly #watcher: FolderWatcher | undefined;
  #closed: Promise<void> | undefined;

  private constructor(options: LibraryOptions, { catalog, index, watcher, recogniser }: LibraryParts) {
    const { language = 'en', logger = silentLogger, cacheBytes, parseTimeout, parseMemory } = options;
    this.host = catalog.host;
    this.#catalog = catalog;
    this.#index = index;
    this.#watcher = watcher;
    const onOpened = (file: FileVersion, synopsis: Synopsis) => this.#learn(file, synopsis);
    this.#store = new DocumentStore({ cacheBytes, parseTimeout, parseMemory, recogniser, onOpened });
    // A search may have opened the file meanwhile.
    this.#indexer = new Indexer(
      async file => this.#index.get(file) ?? this.#store.synopsis(file, { isBackground: true }),
      () => this.#progress.flush(),
    );
    this.#search = new DocumentSearch({ store: this.#store, path: searchFile(options), logger });
    this.language = language;
    this.#logger = logger;
    this.#events = new Emitter({ logger });
  }

  /** Scans the folders and, if requested, watches them from then on. Files are not opened yet. */
  static async open(options: LibraryOptions): Promise<DocumentLibrary> {
    const {
      folders,
      host = defaultHost(folders),
      all = false,
      watch = false,
      indexFile,
      ocr,
      logger = silentLogger,
    } = options;
    const recogniser = ocr === undefined ? undefined : await Recogniser.open(ocr);
    const onExhausted = (error: unknown) =>
      logger.warn('The folders cannot be watched: changes are detected at the next request', { error });
    const watcher = watch ? new FolderWatcher(onExhausted) : undefined;
    const catalog = await Catalog.open({ folders, host, all, logger, watcher });
    const index = await SynopsisIndex.open(indexFile);
    const library = new DocumentLibrary(options, { catalog, index, watcher, recogniser });
    watcher?.start(paths => void library.refresh(paths));
    return library;
  }

  /** True if changes are detected as they happen. False also when the system has no watchers left. */
  get isWatching(): boolean {
    return this.#watcher?.isWatching ?? false;
  }

  /** Calls `listener` after documents were added, removed or changed. Returns a function that stops it. */
  onChange(listener: (change: CatalogChange) => void): () => void {
    return this.#events.on('change', listener);
  }

  /**
   * Some of the documents, in order of their references, and the number of all. Files that are not in the index are
   * opened in the background, for which a listing waits two seconds at most, and not at all if there are more than a
   * thousand. Those that were not opened in time are listed with
   * name, type, size and time of the file and a page count of 0; `onChange` announces when they are described in full.
   */
  async list({
    offset = 0,
    limit = Number.POSITIVE_INFINITY,
    signal,
    onProgress,
  }: ListOptions = {}): Promise<DocumentList> {
    const listed = await this.#list({ offset, limit, signal, onProgress });
    const documents = listed.documents.map(document => ({
      entry: document.entry,
      description: describeDocument(document, this.host),
    }));
    return { ...listed, documents };
  }

  /** The documents as `documents()` of `@a2c-smcp/publish` shows them on an MCP server. */
  get source(): DocumentSource<LibraryDocument> {
    return {
      list: options => this.#list(options),
      find: async docRef => {
        const entry = this.#catalog.find(docRef) ?? (await this.#findAgain(docRef));
        // Opening it describes the rest; most reads are of pages, which need none of it.
        return entry && { ref: docRef, title: entry.file.name, entry };
      },
      open: ({ entry }) => this.#open(entry),
      refs: () => this.docRefs,
    };
  }

  /**
   * The pages that mention the words of a query, best first. The first search begins to read all documents in the
   * background and waits three seconds for it; `pending` counts those that were not read yet.
   */
  async search(query: string, options?: SearchOptions): Promise<SearchResult> {
    if (!this.isWatching) await this.refresh();
    return this.#search.search(query, this.#catalog.entries, options);
  }

  /** The references of all documents. */
  get docRefs(): string[] {
    return this.#catalog.entries.map(({ docRef }) => docRef);
  }

  /** Reads a `dpe://` URI of any level. Throws `SmcpError` with one of the Finder's codes. */
  async read(uri: string, options: ReadOptions = {}): Promise<DPECatalog | DPEDocument | DPEPage | DPEElementDetail> {
    return readDocuments(this.source, uri, { host: this.host, language: this.language, ...options });
  }

  /** Scans the folders again, or some files only, and calls the listeners if something changed. Never rejects. */
  async refresh(paths?: readonly string[]): Promise<void> {
    try {
      await this.#scans.run(() => this.#refresh(paths));
    } catch (error) {
      this.#logger.error('The folders could not be scanned', { error });
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #list({ offset, limit, signal, onProgress }: Required<Pick<ListOptions, 'offset' | 'limit'>> & ReadOptions) {
    if (!this.isWatching && offset === 0) await this.refresh();
    const { entries } = this.#catalog;
    const wanted = entries.slice(offset, offset + limit);
    // The queue has all files from the first page of a listing on, so that its length tells whether to wait.
    const queued = offset === 0 ? entries : wanted;
    const unknown = queued.map(({ file }) => file).filter(file => this.#index.get(file) === undefined);
    await this.#indexer.open(unknown, { signal, onProgress });
    const documents = wanted.map(entry => {
      const synopsis = this.#index.get(entry.file);
      if (synopsis === undefined) this.#incomplete.add(versionKey(entry.file));
      return { ...infoOf(entry, synopsis), entry };
    });
    const leftOut = [...this.#catalog.leftOut].toSorted(([, a], [, b]) => b - a);
    return { documents, total: entries.length, leftOut: Object.fromEntries(leftOut) };
  }

  /** A document as its file is now. Nothing is read before a page or its synopsis is wanted. */
  #open(entry: CatalogEntry): OpenDocument {
    const { file } = entry;
    // A synopsis that shows why the file could not be read is made again.
    const synopsis = async (signal?: AbortSignal): Promise<Synopsis> => {
      const known = this.#index.get(file);
      return known === undefined || known.problem !== undefined ? this.#store.synopsis(file, { signal }) : known;
    };
    return openFile({ store: this.#store, file, synopsis, describe: opened => infoOf(entry, opened) });
  }

  async #refresh(paths?: readonly string[]): Promise<void> {
    if (this.#closed !== undefined) return;
    const change = await this.#catalog.refresh(paths);
    if (change.listChanged || change.updated.length > 0) this.#announce(change);
  }

  /** Puts a synopsis into the index, and announces it if a listing showed the document differently. */
  #learn(file: FileVersion, synopsis: Synopsis): void {
    const before = this.#index.get(file);
    if (this.#closed !== undefined || isDeepStrictEqual(before, synopsis)) return;
    this.#index.set(file, synopsis);
    if (before !== undefined) this.#corrected.add(file.path);
    if (!this.#incomplete.delete(versionKey(file)) && before === undefined) return;
    if (this.#indexer.isIdle) this.#announcer.request();
    else this.#progress.request();
  }

  #announceSynopses(): void {
    const corrected = this.#catalog.entries.filter(({ file }) => this.#corrected.has(file.path));
    this.#corrected.clear();
    this.#announce({ listChanged: true, updated: corrected.map(({ uri }) => uri) });
  }

  #announce(change: CatalogChange): void {
    if (this.#closed !== undefined) return;
    this.#logger.info('Documents changed', { listChanged: change.listChanged, updated: change.updated.length });
    this.#events.emit('change', change);
  }

  async #close(): Promise<void> {
    this.#announcer.cancel();
    this.#progress.cancel();
    this.#indexer.close();
    this.#watcher?.close();
    await this.#index.close();
    await this.#store.close();
    await this.#search.close();
  }

  /** A file may have been added since the last scan. */
  async #findAgain(docRef: string): Promise<CatalogEntry | undefined> {
    await this.refresh();
    return this.#catalog.find(docRef);
  }
}

/** The search index lies beside the index of titles. With text recognition it has other words, so that it is another file. */
function searchFile({ indexFile, ocr }: LibraryOptions): string | undefined {
  if (indexFile === undefined) return undefined;
  return `${indexFile.replace(/\.json$/, '')}${ocr === undefined ? '' : `.${ocr.replace(/\W+/g, '-')}`}.sqlite`;
}
