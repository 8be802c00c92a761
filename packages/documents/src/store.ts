import { ByteCache } from './cache.ts';
import type { Cell } from './content/element.ts';
import { parsePortionId, portionId, scopeOf } from './content/identify.ts';
import { annotation } from './content/make.ts';
import { type DocumentHeader, problemHeader } from './formats/reader.ts';
import { LocalSessions } from './sessions/local.ts';
import { WorkerPool } from './sessions/pool.ts';
import {
  type FileVersion,
  type PagePayload,
  type ParseOptions,
  type Sessions,
  type StoredElement,
  versionKey,
} from './sessions/sessions.ts';
import { SharedWork } from './sessions/shared-work.ts';

const PARSE_TIMEOUT_MS = 15_000;
const PARSE_MEMORY_BYTES = 768 * 1024 * 1024;
const MAX_REMEMBERED = 200;

/** A page as it was parsed, before `categories` and `format` have a say. */
export interface StoredPage {
  title: string;
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
  /** Called with what opening a document told, whenever a page of it was parsed. */
  onOpened?: ((file: FileVersion, document: DocumentHeader) => void) | undefined;
  /** Bytes of parsed pages that are cached. @default 256 MiB */
  cacheBytes?: number | undefined;
  /** Milliseconds. @default 15,000 */
  parseTimeout?: number | undefined;
  /** Bytes. @default 768 MiB */
  parseMemory?: number | undefined;
}

/** Tests read the sources, which have no compiled worker beside them; they parse in the main thread. */
const isSource = import.meta.url.endsWith('.ts');

type CachedPage = Pick<PagePayload, 'title' | 'elements'>;

/** Parses documents on demand and keeps what was parsed, by file, time and size. */
export class DocumentStore {
  readonly #sessions: Sessions;
  readonly #pages: ByteCache<CachedPage | Uint8Array>;
  readonly #inFlight = new SharedWork<CachedPage>();
  /** The page each element was last seen on, by version of the file. */
  readonly #whereabouts = new Map<string, Map<string, number>>();

  readonly #onOpened: NonNullable<StoreOptions['onOpened']>;

  constructor(options: StoreOptions = {}) {
    const { cacheBytes = 256 * 1024 * 1024, onOpened = () => {} } = options;
    const { parseTimeout = PARSE_TIMEOUT_MS, parseMemory = PARSE_MEMORY_BYTES } = options;
    this.#sessions = isSource
      ? new LocalSessions()
      : new WorkerPool({ timeout: parseTimeout, memoryBytes: parseMemory });
    this.#pages = new ByteCache(cacheBytes);
    this.#onOpened = onOpened;
  }

  /** Bytes of parsed pages that are kept at the moment. */
  get cachedBytes(): number {
    return this.#pages.bytes;
  }

  /** What the catalogue says of a file. Only the few whose header does not tell are opened. */
  async header(file: FileVersion): Promise<DocumentHeader> {
    try {
      return await this.#sessions.header(file);
    } catch (error) {
      return problemHeader(messageOf(error));
    }
  }

  /** @param index below the header's `pageCount` */
  async page(file: FileVersion, index: number, options?: ParseOptions): Promise<StoredPage> {
    try {
      const { title, elements } = await this.#load(file, index, options);
      return { title, elements: parseJson(elements) };
    } catch (error) {
      options?.signal?.throwIfAborted();
      const { category, summary, content } = annotation(`This page cannot be read. ${messageOf(error)}`);
      return { title: `Page ${index + 1}`, elements: [{ id: 'annotation-problem', category, summary, content }] };
    }
  }

  /** Finds an element: by the page its id names, the page it was last seen on, or by looking at every page. */
  async element(
    file: FileVersion,
    id: string,
    { pageCount, onProgress, signal }: { pageCount: number } & ParseOptions,
  ): Promise<FoundElement | undefined> {
    const { base, index } = parsePortionId(id);
    for (const page of await this.#candidates(file, base, pageCount)) {
      signal?.throwIfAborted();
      onProgress?.(page / pageCount);
      const { elements } = await this.page(file, page, { signal });
      const found = elements.find(candidate => candidate.id === base);
      if (found === undefined) continue;
      const element: StoredElement = found.isOmitted ? await this.#detail(file, page, base) : found;
      if (index === 0) return { page, element };
      if (index > (element.overflow?.count ?? 0)) return undefined;
      return { page, element, portion: { index, rows: await this.#detail(file, page, portionId(base, index)) } };
    }
    return undefined;
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
    const seen = this.#whereabouts.get(versionKey(file))?.get(id);
    return seen === undefined ? Array.from({ length: pageCount }, (_, page) => page) : [seen];
  }

  /** Rows of a table or an element that the page does not show, whichever has the id. */
  async #detail<T extends Cell[][] | StoredElement>(file: FileVersion, page: number, id: string): Promise<T> {
    const key = `${versionKey(file)}\n${id}`;
    const cached = this.#pages.get(key) ?? (await this.#parse(file, page)).details.find(([name]) => name === id)?.[1];
    if (!(cached instanceof Uint8Array)) throw new TypeError(`No detail '${id}'`);
    return parseJson(cached);
  }

  async #load(file: FileVersion, index: number, options: ParseOptions = {}): Promise<CachedPage> {
    const key = `${versionKey(file)}\n${index}`;
    const kept = this.#pages.get(key);
    if (kept !== undefined && !(kept instanceof Uint8Array)) return kept;
    return this.#inFlight.do(key, options, shared => this.#parse(file, index, shared));
  }

  async #parse(file: FileVersion, index: number, options?: ParseOptions): Promise<PagePayload> {
    const version = versionKey(file);
    const payload = await this.#sessions.page(file, index, options);
    const { title, document, elements, details, elementIds } = payload;
    this.#onOpened(file, document);
    this.#pages.set(`${version}\n${index}`, { title, elements }, elements.byteLength);
    for (const [id, json] of details) this.#pages.set(`${version}\n${id}`, json, json.byteLength);
    const places = this.#whereabouts.get(version) ?? new Map<string, number>();
    for (const id of elementIds) places.set(id, index);
    this.#whereabouts.delete(version);
    this.#whereabouts.set(version, places);
    const [oldest] = this.#whereabouts.keys();
    if (this.#whereabouts.size > MAX_REMEMBERED && oldest !== undefined) this.#whereabouts.delete(oldest);
    return payload;
  }
}

function parseJson(bytes: Uint8Array) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
