import { type Logger, silentLogger } from '@a2c-smcp/core';
import {
  type DPECatalog,
  type DPEDocument,
  type DPEElementDetail,
  type DPEPage,
  ErrorCode,
  parseDpeUri,
  SmcpError,
} from '@a2c-smcp/protocol';
import { Catalog, type CatalogChange, type CatalogEntry } from './catalog/catalog.ts';
import { HeaderIndex } from './catalog/header-index.ts';
import { watchFolders } from './catalog/watch.ts';
import { labels } from './content/render.ts';
import { type DocumentList, describe } from './describe.ts';
import type { DocumentHeader } from './formats/reader.ts';
import { type FoundDocument, type ReadContext, readCatalog, readDocument, readElement, readPage } from './read.ts';
import type { FileVersion } from './sessions/sessions.ts';
import { DocumentStore } from './store.ts';

export interface LibraryOptions {
  /** Every supported file below these is shown. */
  folders: readonly string[];
  /** The host of all URIs; it says which MCP server answers. @default 'documents' */
  host?: string | undefined;
  /** Notices changes as they happen instead of at the next request. @default false */
  watch?: boolean | undefined;
  /** Shows hidden files and those that `.gitignore` names. @default false */
  all?: boolean | undefined;
  /** Where titles and page counts are remembered over restarts. Without it they are not. */
  indexFile?: string | undefined;
  /** Bytes of parsed pages that are cached. @default 256 MiB */
  cacheBytes?: number | undefined;
  /**
   * Milliseconds that parsing one page may take without progress, and an eighth of what it may take altogether. A page
   * that takes longer says so instead of its content. @default 15,000
   */
  parseTimeout?: number | undefined;
  /** Bytes that the process may grow by while it parses. A page that takes more says so. @default 768 MiB */
  parseMemory?: number | undefined;
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

/** Headers that are read at the same time. */
const PARALLEL = 32;

/** Folders of files as documents that can be listed and read. */
export class DocumentLibrary implements AsyncDisposable {
  readonly host: string;
  readonly #catalog: Catalog;
  readonly #store: DocumentStore;
  readonly #headers: HeaderIndex;
  readonly #labels: (typeof labels)[keyof typeof labels];
  readonly #logger: Logger;
  readonly #listeners = new Set<(change: CatalogChange) => void>();
  readonly #watching: boolean;
  #refreshing: Promise<void> = Promise.resolve();
  #unwatch: () => Promise<void> = async () => {};
  #closed: Promise<void> | undefined;

  private constructor(options: LibraryOptions, catalog: Catalog, store: DocumentStore, headers: HeaderIndex) {
    const { host = 'documents', language = 'en', logger = silentLogger, watch = false } = options;
    this.host = host;
    this.#catalog = catalog;
    this.#store = store;
    this.#headers = headers;
    this.#labels = labels[language];
    this.#logger = logger;
    this.#watching = watch;
  }

  /** Scans the folders and, if asked, watches them from then on. Files are not opened yet. */
  static async open(options: LibraryOptions): Promise<DocumentLibrary> {
    const { folders, host = 'documents', all = false, watch = false, indexFile, logger = silentLogger } = options;
    const { cacheBytes, parseTimeout, parseMemory } = options;
    const catalog = await Catalog.open({ folders, host, all, logger });
    const store: DocumentStore = new DocumentStore({
      cacheBytes,
      parseTimeout,
      parseMemory,
      onOpened: (file, header) => library.#correct(file, header),
    });
    const headers = await HeaderIndex.open(file => store.header(file), indexFile);
    const library = new DocumentLibrary(options, catalog, store, headers);
    if (watch) {
      library.#unwatch = await watchFolders(catalog.folders, paths => void library.refresh(paths));
      // Nothing between the first scan and the begin of watching goes unnoticed.
      await library.refresh();
    }
    return library;
  }

  /** Calls `listener` after documents came, went or changed. Returns a function that ends it. */
  onChange(listener: (change: CatalogChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Some of the documents, in order of their references, and how many there are. */
  async list({
    offset = 0,
    limit = Number.POSITIVE_INFINITY,
    signal,
    onProgress,
  }: ListOptions = {}): Promise<DocumentList> {
    if (!this.#watching && offset === 0) await this.refresh();
    const { entries } = this.#catalog;
    const wanted = entries.slice(offset, offset + limit);
    let done = 0;
    const documents = await mapParallel(wanted, async entry => {
      signal?.throwIfAborted();
      const description = describe(entry, await this.#headers.get(entry.file));
      signal?.throwIfAborted();
      done += 1;
      onProgress?.(done / wanted.length);
      return { entry, description };
    });
    return { documents, total: entries.length };
  }

  /** The references of all documents. */
  get docRefs(): string[] {
    return this.#catalog.entries.map(({ docRef }) => docRef);
  }

  /** Reads a `dpe://` URI of any level. Throws `SmcpError` with one of the Finder's codes. */
  async read(
    uri: string,
    { signal, onProgress }: ReadOptions = {},
  ): Promise<DPECatalog | DPEDocument | DPEPage | DPEElementDetail> {
    const { host, docRef, page, element, query } = parseDpeUri(uri);
    if (host !== this.host) {
      throw new SmcpError(ErrorCode.DocumentNotFound, `No documents of '${host}' here`, { details: { host } });
    }
    if (docRef === undefined) {
      const { offset, limit } = query;
      return readCatalog(
        await this.list({ offset, limit, ...(signal && { signal }), ...(onProgress && { onProgress }) }),
        query,
      );
    }
    const context: ReadContext = {
      host,
      store: this.#store,
      labels: this.#labels,
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    };
    const found = await this.find(docRef);
    if (page !== undefined) return readPage(found, page, query, context);
    return element === undefined ? readDocument(found, query, context) : readElement(found, element, query, context);
  }

  /** The document as it is now. Throws `DocumentNotFound`. */
  async find(docRef: string): Promise<FoundDocument> {
    const entry = (await this.#catalog.find(docRef)) ?? (await this.#findAgain(docRef));
    if (entry === undefined) {
      throw new SmcpError(ErrorCode.DocumentNotFound, `No document '${docRef}'`, { details: { doc_ref: docRef } });
    }
    return { entry, header: await this.#headers.get(entry.file) };
  }

  /** The ids of the elements on a page. */
  async elementIds({ entry }: FoundDocument, page: number): Promise<string[]> {
    const { elements } = await this.#store.page(entry.file, page);
    return elements.map(({ id }) => id);
  }

  /** Looks at the folders again, or at some files only, and tells the listeners what changed. Never rejects. */
  refresh(paths?: readonly string[]): Promise<void> {
    // One after the other, since a change during a scan may be behind it.
    this.#refreshing = this.#refreshing
      .then(() => this.#refresh(paths))
      .catch(error => this.#logger.error('the folders could not be scanned', { error }));
    return this.#refreshing;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #refresh(paths?: readonly string[]): Promise<void> {
    if (this.#closed !== undefined) return;
    const change = await this.#catalog.refresh(paths);
    if (!change.listChanged && change.updated.length === 0) return;
    this.#tell(change);
  }

  /** A damaged file may turn out to be something else than its header promised, which the catalogue then says. */
  #correct(file: FileVersion, header: DocumentHeader): void {
    if (!this.#headers.correct(file, header)) return;
    const entry = this.#catalog.entries.find(({ file: { path } }) => path === file.path);
    if (entry !== undefined) this.#tell({ listChanged: false, updated: [entry.uri] });
  }

  #tell(change: CatalogChange): void {
    this.#logger.info('documents changed', { listChanged: change.listChanged, updated: change.updated.length });
    for (const listener of this.#listeners) listener(change);
  }

  async #close(): Promise<void> {
    this.#listeners.clear();
    await this.#unwatch();
    await this.#headers.close();
    await this.#store.close();
  }

  /** A file may have appeared since the last scan. */
  async #findAgain(docRef: string): Promise<CatalogEntry | undefined> {
    await this.refresh();
    return this.#catalog.find(docRef);
  }
}

async function mapParallel<T, R>(values: readonly T[], action: (value: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(values.length);
  const queue = values.entries();
  const work = async () => {
    for (const [index, value] of queue) results[index] = await action(value);
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, values.length) }, work));
  return results;
}
