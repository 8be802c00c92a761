import { countdown, type Logger, within } from '@a2c-smcp/core';
import type { CatalogEntry } from '../catalog/catalog.ts';
import { versionKey } from '../file.ts';
import type { DocumentStore } from '../store.ts';
import { IndexThread } from './index-thread.ts';
import type { DocumentPart, SearchHit } from './search-index.ts';

/** Milliseconds that a search waits for documents to be read: less than the five seconds that a Computer gives it. */
const WAIT_MS = 3000;
/** Characters of one document that are searched; a log of a gigabyte would fill the index. */
const MAX_DOCUMENT_CHARACTERS = 16 * 1024 * 1024;
/** Characters and parts of documents that are written together. */
const BATCH_CHARACTERS = 256 * 1024;
const BATCH_PARTS = 50;
/** Milliseconds after which documents that were read are written, so that a search that waits finds them. */
const BATCH_MS = 1000;
/** Hits that are asked for beyond the limit, since some may be of documents that have changed. */
const SPARE_HITS = 20;

export interface SearchOptions {
  /** The most hits. @default 10 */
  limit?: number | undefined;
  /** Only documents of this type. @default all */
  fileType?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** A page that mentions the query, and its document. */
export interface FoundPage extends Omit<SearchHit, 'path'> {
  entry: CatalogEntry;
}

export interface SearchResult {
  hits: FoundPage[];
  /** Documents that were not read yet, so that a later search may find more. */
  pending: number;
}

/** Tests run the sources, which have no compiled worker beside them; they search in the main thread. */
const isSource = import.meta.url.endsWith('.ts');

type Index = Pick<IndexThread, 'call' | 'close' | 'hasEnded'>;

/**
 * Finds pages by their words. The first search starts to read all documents in the background, after everything else; from
 * then on changed documents are read again at the next search.
 */
export class DocumentSearch {
  readonly #store: DocumentStore;
  readonly #path: string | undefined;
  readonly #logger: Logger;
  #index: Index | undefined;
  #entries: readonly CatalogEntry[] = [];
  #updating: Promise<void> | undefined;
  #pending = 0;
  #isClosed = false;

  constructor({ store, path, logger }: { store: DocumentStore; path: string | undefined; logger: Logger }) {
    this.#store = store;
    this.#path = path;
    this.#logger = logger;
  }

  /** Searches the pages of the documents. Waits some seconds for those that were not read yet. */
  async search(
    query: string,
    entries: readonly CatalogEntry[],
    { limit = 10, fileType, signal }: SearchOptions = {},
  ): Promise<SearchResult> {
    this.#entries = entries;
    // An index that broke, as on a full disk, is opened again by the next search.
    if (this.#index?.hasEnded) this.#index = undefined;
    this.#index ??= isSource ? await localIndex(this.#path) : new IndexThread(this.#path);
    const remaining = countdown(WAIT_MS);
    // An update that is in flight may be one for an earlier list of documents; then another one follows it.
    for (let rounds = this.#updating === undefined ? 1 : 2; rounds > 0; rounds -= 1) {
      this.#updating ??= this.#update().finally(() => {
        this.#updating = undefined;
      });
      await within(this.#updating, { timeout: remaining(), signal }).catch(() => signal?.throwIfAborted());
    }
    const wanted = fileType === undefined ? entries : entries.filter(({ file }) => file.type === fileType);
    const byPath = new Map(wanted.map(entry => [entry.file.path, entry]));
    const paths = fileType === undefined ? undefined : [...byPath.keys()];
    const hits = await this.#index.call('search', query, limit + SPARE_HITS, paths);
    const known = hits.flatMap(({ path, ...hit }) => {
      const entry = byPath.get(path);
      return entry === undefined ? [] : [{ ...hit, entry }];
    });
    return { hits: known.slice(0, limit), pending: this.#pending };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#index?.close();
  }

  /** Brings the index up to date. Never rejects. */
  async #update(): Promise<void> {
    const index = this.#index;
    if (index === undefined) return;
    try {
      const indexed = new Map((await index.call('files')).map(({ path, version }) => [path, version]));
      const paths = new Set(this.#entries.map(({ file }) => file.path));
      const gone = [...indexed.keys()].filter(path => !paths.has(path));
      if (gone.length > 0) await index.call('remove', gone);
      const changed = this.#entries.filter(({ file }) => indexed.get(file.path) !== versionKey(file));
      this.#pending = changed.length;
      const batch = new Batch(index);
      for (const entry of changed) {
        if (this.#isClosed) return;
        await this.#read(entry, batch);
        this.#pending -= 1;
      }
      await batch.flush();
    } catch (error) {
      if (!this.#isClosed) this.#logger.warn('The search index could not be updated', { error });
    }
  }

  async #read({ docRef, file }: CatalogEntry, batch: Batch): Promise<void> {
    const document = { path: file.path, version: versionKey(file), docRef };
    let characters = 0;
    for (let from: number | undefined = 0; from !== undefined && !this.#isClosed; ) {
      const { pages, next } = await this.#store.texts(file, from);
      characters += pages.reduce((sum, { text }) => sum + text.length, 0);
      const isLast = next === undefined || characters > MAX_DOCUMENT_CHARACTERS;
      await batch.add({ ...document, pages, isFirst: from === 0, isLast });
      from = isLast ? undefined : next;
    }
  }
}

/** Collects documents, so that many small ones are written in one transaction. */
class Batch {
  readonly #index: Index;
  #parts: DocumentPart[] = [];
  #characters = 0;
  #since = performance.now();

  constructor(index: Index) {
    this.#index = index;
  }

  async add(part: DocumentPart): Promise<void> {
    this.#parts.push(part);
    this.#characters += part.pages.reduce((sum, { text }) => sum + text.length, 0);
    const isFull = this.#characters > BATCH_CHARACTERS || this.#parts.length >= BATCH_PARTS;
    if (isFull || performance.now() - this.#since > BATCH_MS) await this.flush();
  }

  async flush(): Promise<void> {
    const parts = this.#parts;
    this.#parts = [];
    this.#characters = 0;
    this.#since = performance.now();
    if (parts.length > 0) await this.#index.call('add', parts);
  }
}

async function localIndex(path: string | undefined): Promise<Index> {
  const { SearchIndex } = await import('./search-index.ts');
  const index = new SearchIndex(path);
  return {
    call: async (method, ...args) => (index[method] as (...values: unknown[]) => never).apply(index, args),
    close: async () => index.close(),
    hasEnded: false,
  };
}
