import { within } from '@a2c-smcp/core';
import type { Picture } from '@a2c-smcp/publish';
import { annotation, type Cell, parsePortionId, portionId, scopeOf } from '@a2c-smcp/publish/content';
import { ByteCache } from './byte-cache.ts';
import { type FileVersion, versionKey } from './file.ts';
import { problemSynopsis, type Synopsis } from './formats/reader.ts';
import type { Recogniser } from './ocr/recogniser.ts';
import { LocalSessions } from './sessions/local.ts';
import { WorkerPool } from './sessions/pool.ts';
import type {
  PagePayload,
  PagesPayload,
  ParseOptions,
  Sessions,
  StoredElement,
  SynopsisOptions,
  TextPayload,
} from './sessions/sessions.ts';

const PARSE_TIMEOUT_MS = 15_000;
const PARSE_MEMORY_BYTES = 768 * 1024 * 1024;
const CACHE_BYTES = 256 * 1024 * 1024;
/** Bytes of pages that are read ahead, and the share of the cache that they may take. */
const AHEAD_BYTES = 256 * 1024;
const AHEAD_SHARE = 1 / 64;
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
  /** Reads the words in pictures. @default they are not read */
  recogniser?: Recogniser | undefined;
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
  readonly #aheadBytes: number;

  constructor(options: StoreOptions = {}) {
    const { cacheBytes = CACHE_BYTES, onOpened = () => {} } = options;
    const { parseTimeout = PARSE_TIMEOUT_MS, parseMemory = PARSE_MEMORY_BYTES, recogniser } = options;
    this.#sessions = isSource
      ? new LocalSessions(recogniser && (picture => recogniser.read(picture)))
      : new WorkerPool({ timeout: parseTimeout, memoryBytes: parseMemory, recogniser });
    this.#pages = new ByteCache(cacheBytes);
    this.#onOpened = onOpened;
    this.#aheadBytes = Math.min(AHEAD_BYTES, cacheBytes * AHEAD_SHARE);
  }

  /** Opens a document. The synopsis of one that cannot be opened shows the reason; rejects only when it is cancelled. */
  async synopsis(file: FileVersion, options?: SynopsisOptions): Promise<Synopsis> {
    const aheadBytes = this.#aheadBytes;
    const payload = await this.#sessions.synopsis(file, { ...options, aheadBytes }).catch((error): PagesPayload => {
      options?.signal?.throwIfAborted();
      return { synopsis: problemSynopsis(messageOf(error)), pages: [] };
    });
    this.#learn(file, payload);
    return payload.synopsis;
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
    const cached = this.#pages.get(key) ?? (await this.#parse(file, page))?.details.find(([name]) => name === id)?.[1];
    if (!(cached instanceof Uint8Array)) throw new TypeError(`No detail '${id}'`);
    return parseJson(cached);
  }

  async #load(file: FileVersion, index: number, options: ParseOptions = {}): Promise<CachedPage | undefined> {
    const key = `${versionKey(file)}\n${index}`;
    const cached = this.#pages.get(key);
    if (cached !== undefined && !(cached instanceof Uint8Array)) return cached;
    return this.#inFlight.do(key, options, shared => this.#parse(file, index, shared));
  }

  /** One page; undefined behind the last. */
  async #parse(file: FileVersion, index: number, options?: ParseOptions): Promise<PagePayload | undefined> {
    const payload = await this.#sessions.page(file, index, { ...options, aheadBytes: this.#aheadBytes });
    this.#learn(file, payload);
    return payload.pages[0];
  }

  /** Caches pages, and where their elements are. */
  #learn(file: FileVersion, { synopsis, pages }: PagesPayload): void {
    this.#onOpened(file, synopsis);
    if (pages.length === 0) return;
    const version = versionKey(file);
    const places = this.#pageOfElement.get(version) ?? new Map<string, number>();
    for (const { index, title, hash, elements, details, elementIds } of pages) {
      this.#pages.set(`${version}\n${index}`, { title, hash, elements }, elements.byteLength);
      for (const [id, json] of details) this.#pages.set(`${version}\n${id}`, json, json.byteLength);
      for (const id of elementIds) places.set(id, index);
    }
    this.#pageOfElement.delete(version);
    this.#pageOfElement.set(version, places);
    const [oldest] = this.#pageOfElement.keys();
    if (this.#pageOfElement.size > MAX_LOCATED_FILES && oldest !== undefined) this.#pageOfElement.delete(oldest);
  }
}

const decoder = new TextDecoder();

function parseJson(bytes: Uint8Array) {
  return JSON.parse(decoder.decode(bytes));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Work<T> {
  result: Promise<T>;
  controller: AbortController;
  callers: Set<ParseOptions>;
  isDone: boolean;
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
        // An abort makes an error with its stack, which takes a tenth of a millisecond.
        if (!work.isDone) work.controller.abort();
      }
    }
  }

  #start(key: string, action: (shared: ParseOptions) => Promise<T>): Work<T> {
    const controller = new AbortController();
    const callers = new Set<ParseOptions>();
    const onProgress = (share: number) => {
      for (const caller of callers) caller.onProgress?.(share);
    };
    const result = action({ signal: controller.signal, onProgress }).finally(() => {
      work.isDone = true;
    });
    const work: Work<T> = { result, controller, callers, isDone: false };
    this.#running.set(key, work);
    return work;
  }
}
