import { within } from '@a2c-smcp/core';
import type { Picture } from '@a2c-smcp/publish';
import { annotation, type Cell, parsePortionId, portionId, scopeOf } from '@a2c-smcp/publish/content';
import { type FileVersion, versionKey } from './file.ts';
import { problemSynopsis, type Synopsis } from './formats/reader.ts';
import { LocalSessions } from './sessions/local.ts';
import { WorkerPool } from './sessions/pool.ts';
import type {
  PagePayload,
  ParseOptions,
  Sessions,
  StoredElement,
  SynopsisOptions,
  TextPayload,
} from './sessions/sessions.ts';

const PARSE_TIMEOUT_MS = 15_000;
const PARSE_MEMORY_BYTES = 768 * 1024 * 1024;
const CACHE_BYTES = 256 * 1024 * 1024;
/** Versions of files for which the pages of elements are cached. */
const MAX_LOCATED_FILES = 200;

/** A parsed page, before `categories` and `format` are applied. */
export interface StoredPage {
  title: string;
  /** Absent if the page cannot be read. */
  hash?: string;
  elements: StoredElement[];
}

/** Where an element was found. */
export interface FoundElement {
  page: number;
  element: StoredElement;
  /** For a later portion of a table: its rows, and the number of the first of them. */
  portion?: { index: number; rows: Cell[][] };
}

export interface StoreOptions {
  /** Called with the synopsis of a document whenever it was opened. */
  onOpened?: ((file: FileVersion, synopsis: Synopsis) => void) | undefined;
  /** Bytes of parsed pages that are cached. @default 256 MiB */
  cacheBytes?: number | undefined;
  /** Milliseconds. @default 15,000 */
  parseTimeout?: number | undefined;
  /** Bytes. @default 768 MiB */
  parseMemory?: number | undefined;
}

/** Tests run the sources, which have no compiled worker beside them; they parse in the main thread. */
const isSource = import.meta.url.endsWith('.ts');

type CachedPage = Pick<PagePayload, 'title' | 'hash' | 'elements'>;

/** Parses documents on request and caches their pages, by version of the file. */
export class DocumentStore {
  readonly #sessions: Sessions;
  readonly #pages: ByteCache<CachedPage | Uint8Array>;
  readonly #inFlight = new SharedWork<CachedPage | undefined>();
  /** The page each element was last seen on, by version of the file. */
  readonly #pageOfElement = new Map<string, Map<string, number>>();
  readonly #onOpened: NonNullable<StoreOptions['onOpened']>;

  constructor(options: StoreOptions = {}) {
    const { cacheBytes = CACHE_BYTES, onOpened = () => {} } = options;
    const { parseTimeout = PARSE_TIMEOUT_MS, parseMemory = PARSE_MEMORY_BYTES } = options;
    this.#sessions = isSource
      ? new LocalSessions()
      : new WorkerPool({ timeout: parseTimeout, memoryBytes: parseMemory });
    this.#pages = new ByteCache(cacheBytes);
    this.#onOpened = onOpened;
  }

  /** Opens a document. The synopsis of one that cannot be opened shows the reason; rejects only when it is cancelled. */
  async synopsis(file: FileVersion, options?: SynopsisOptions): Promise<Synopsis> {
    const synopsis = await this.#sessions.synopsis(file, options).catch(error => {
      options?.signal?.throwIfAborted();
      return problemSynopsis(messageOf(error));
    });
    this.#onOpened(file, synopsis);
    return synopsis;
  }

  /** One page, which shows the reason if it cannot be parsed; undefined behind the last page. */
  async page(file: FileVersion, index: number, options?: ParseOptions): Promise<StoredPage | undefined> {
    try {
      const page = await this.#load(file, index, options);
      return page && { title: page.title, hash: page.hash, elements: parseJson(page.elements) };
    } catch (error) {
      options?.signal?.throwIfAborted();
      const { category, summary, content } = annotation(`This page cannot be read. ${messageOf(error)}`);
      return { title: `Page ${index + 1}`, elements: [{ id: 'annotation-problem', category, summary, content }] };
    }
  }

  /** Finds an element: by the page its id names, the page it was last seen on, or by a search of every page. */
  async element(
    file: FileVersion,
    id: string,
    { pageCount, onProgress, signal }: { pageCount: number } & ParseOptions,
  ): Promise<FoundElement | undefined> {
    const { base, index } = parsePortionId(id);
    for (const page of await this.#candidates(file, base, pageCount)) {
      signal?.throwIfAborted();
      onProgress?.(page / pageCount);
      const parsed = await this.page(file, page, { signal });
      const found = parsed?.elements.find(candidate => candidate.id === base);
      if (found === undefined) continue;
      const element: StoredElement = found.isOmitted ? await this.#detail(file, page, base) : found;
      if (index === 0) return { page, element };
      if (index > (element.overflow?.starts.length ?? 0)) return undefined;
      return { page, element, portion: { index, rows: await this.#detail(file, page, portionId(base, index)) } };
    }
    return undefined;
  }

  /** The picture that a part of the file holds, if it can be shown. */
  async picture(file: FileVersion, part: string): Promise<Picture | undefined> {
    return this.#sessions.picture(file, part).catch(() => undefined);
  }

  /** The words of pages from `from` on. A document that cannot be read has none. */
  async texts(file: FileVersion, from: number): Promise<TextPayload> {
    const texts: TextPayload = await this.#sessions.texts(file, from).catch(() => ({ pages: [] }));
    if (texts.synopsis !== undefined) this.#onOpened(file, texts.synopsis);
    return texts;
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  async #candidates(file: FileVersion, id: string, pageCount: number): Promise<number[]> {
    const scope = scopeOf(id);
    if (scope !== undefined) {
      const page = await this.#sessions.pageOfScope(file, scope);
      return page === undefined ? [] : [page];
    }
    const seen = this.#pageOfElement.get(versionKey(file))?.get(id);
    return seen === undefined ? Array.from({ length: pageCount }, (_, page) => page) : [seen];
  }

  /** Rows of a table or an element that the page does not show, whichever has the id. */
  async #detail<T extends Cell[][] | StoredElement>(file: FileVersion, page: number, id: string): Promise<T> {
    const key = `${versionKey(file)}\n${id}`;
    const cached = this.#pages.get(key) ?? (await this.#parse(file, page)).details.find(([name]) => name === id)?.[1];
    if (!(cached instanceof Uint8Array)) throw new TypeError(`No detail '${id}'`);
    return parseJson(cached);
  }

  async #load(file: FileVersion, index: number, options: ParseOptions = {}): Promise<CachedPage | undefined> {
    const key = `${versionKey(file)}\n${index}`;
    const cached = this.#pages.get(key);
    if (cached !== undefined && !(cached instanceof Uint8Array)) return cached;
    return this.#inFlight.do(key, options, async shared => {
      const payload = await this.#parse(file, index, shared);
      return index < payload.synopsis.pageCount ? payload : undefined;
    });
  }

  async #parse(file: FileVersion, index: number, options?: ParseOptions): Promise<PagePayload> {
    const version = versionKey(file);
    const payload = await this.#sessions.page(file, index, options);
    const { title, hash, synopsis, elements, details, elementIds } = payload;
    this.#onOpened(file, synopsis);
    if (index >= synopsis.pageCount) return payload;
    this.#pages.set(`${version}\n${index}`, { title, hash, elements }, elements.byteLength);
    for (const [id, json] of details) this.#pages.set(`${version}\n${id}`, json, json.byteLength);
    const places = this.#pageOfElement.get(version) ?? new Map<string, number>();
    for (const id of elementIds) places.set(id, index);
    this.#pageOfElement.delete(version);
    this.#pageOfElement.set(version, places);
    const [oldest] = this.#pageOfElement.keys();
    if (this.#pageOfElement.size > MAX_LOCATED_FILES && oldest !== undefined) this.#pageOfElement.delete(oldest);
    return payload;
  }
}

function parseJson(bytes: Uint8Array) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A cache of a bounded number of bytes, which drops the least recently used entries first. */
export class ByteCache<V> {
  readonly #budget: number;
  readonly #entries = new Map<string, { value: V; bytes: number }>();
  #bytes = 0;

  /** @param budget in bytes */
  constructor(budget: number) {
    this.#budget = budget;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** An entry larger than the whole budget is not cached. */
  set(key: string, value: V, bytes: number): void {
    this.#remove(key);
    if (bytes > this.#budget) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#budget) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

interface Work<T> {
  result: Promise<T>;
  controller: AbortController;
  callers: Set<ParseOptions>;
}

/** Work that several callers request at the same time: it is done once, and cancelled when the last caller cancels. */
class SharedWork<T> {
  readonly #running = new Map<string, Work<T>>();

  async do(key: string, options: ParseOptions, action: (shared: ParseOptions) => Promise<T>): Promise<T> {
    options.signal?.throwIfAborted();
    const work = this.#running.get(key) ?? this.#start(key, action);
    const caller = { ...options };
    work.callers.add(caller);
    try {
      return await within(work.result, { signal: options.signal });
    } finally {
      work.callers.delete(caller);
      if (work.callers.size === 0) {
        this.#running.delete(key);
        work.controller.abort();
      }
    }
  }

  #start(key: string, action: (shared: ParseOptions) => Promise<T>): Work<T> {
    const controller = new AbortController();
    const callers = new Set<ParseOptions>();
    const onProgress = (share: number) => {
      for (const caller of callers) caller.onProgress?.(share);
    };
    const work = { result: action({ signal: controller.signal, onProgress }), controller, callers };
    this.#running.set(key, work);
    return work;
  }
}
