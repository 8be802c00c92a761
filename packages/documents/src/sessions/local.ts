import { createHash, type Hash, hash } from 'node:crypto';
import type { Picture } from '@a2c-smcp/publish';
import {
  annotation,
  type Cell,
  cellText,
  type IdentifiedElement,
  Identifier,
  type Page,
  portionId,
  toText,
} from '@a2c-smcp/publish/content';
import { type FileVersion, UnreadableError, versionKey } from '../file.ts';
import { formatOf } from '../formats/formats.ts';
import {
  type OpenDocument,
  type PageOptions,
  problemOf,
  problemSynopsis,
  type ReadPage,
  type Synopsis,
} from '../formats/reader.ts';
import { addWords } from '../ocr/add-words.ts';
import type { Recognise } from '../ocr/recogniser-port.ts';
import type {
  AheadOptions,
  PagePayload,
  PagesPayload,
  ParseOptions,
  Sessions,
  StoredElement,
  SynopsisOptions,
  TextPayload,
} from './sessions.ts';

const MAX_OPEN_DOCUMENTS = 4;
/** Characters of a page that are searched. */
const MAX_SEARCH_CHARACTERS = 4 * 1024 * 1024;
/** Milliseconds and characters after which the words of pages are handed over. */
const TEXTS_MS = 200;
const TEXTS_CHARACTERS = 256 * 1024;
/** Characters of the hash of a page. */
const HASH_LENGTH = 22;
/** Elements behind this number of bytes of JSON are left off the page; they are read by their ids. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;

type Document = OpenDocument & { problem?: string };

interface Session {
  document: Promise<Document>;
  /** Calls that use it; it is not closed before they end. */
  users: number;
  isRetired: boolean;
}

/** Parses in the current thread. The most recently used documents stay open, so that turning a page does not reopen one. */
export class LocalSessions implements Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #recognise: Recognise | undefined;

  /** @param recognise reads the words in pictures. @default they are not read */
  constructor(recognise?: Recognise) {
    this.#recognise = recognise;
  }

  async synopsis(file: FileVersion, options: SynopsisOptions = {}): Promise<PagesPayload> {
    const { isBackground = false, aheadBytes } = options;
    if (!isBackground || this.#sessions.has(versionKey(file))) {
      return this.#use(file, async document => ({
        synopsis: synopsisOf(document),
        pages: await pagesAhead(document, 0, aheadBytes),
      }));
    }
    // Not kept open: it would displace the documents that are being read.
    const document = await openDocument(file);
    await document.close();
    return { synopsis: synopsisOf(document), pages: [] };
  }

  async page(file: FileVersion, index: number, options?: ParseOptions & AheadOptions): Promise<PagesPayload> {
    return this.#use(file, async document => {
      const synopsis = synopsisOf(document);
      if (index >= document.pageCount) return { synopsis, pages: [] };
      const page = await readPage(document, index, options);
      const complete = page.scan === undefined ? page : await this.#addWords(file, page, page.scan, options);
      const ahead = await pagesAhead(document, index + 1, options?.aheadBytes);
      return { synopsis, pages: [toPayload(complete, index), ...ahead] };
    });
  }

  async pageOfScope(file: FileVersion, scope: string): Promise<number | undefined> {
    return this.#use(file, async document => document.pageOfScope?.(scope));
  }

  async texts(file: FileVersion, from: number, options?: PageOptions): Promise<TextPayload> {
    return this.#use(file, async document => {
      const deadline = performance.now() + TEXTS_MS;
      const pages: TextPayload['pages'] = [];
      let characters = 0;
      let page = from;
      for (; page < document.pageCount; page += 1) {
        const isEnough = characters > TEXTS_CHARACTERS || performance.now() > deadline;
        if (pages.length > 0 && isEnough) return { pages, next: page, synopsis: synopsisOf(document) };
        const read = await readPage(document, page, options);
        const isScan = read.scan !== undefined && this.#recognise !== undefined;
        const { title, elements } = isScan ? await this.#addWords(file, read, read.scan, options) : read;
        const text = searchText(elements);
        pages.push({ page, title, text });
        characters += text.length;
      }
      return { pages, synopsis: synopsisOf(document) };
    });
  }

  async picture(file: FileVersion, part: string): Promise<Picture | undefined> {
    try {
      const read = await formatOf(file.type)?.loadPictures?.();
      return await read?.(file, part);
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    const keys = [...this.#sessions.keys()];
    await Promise.all(keys.map(key => this.#retire(key)));
  }

  #addWords(file: FileVersion, page: ReadPage, scan: string | undefined, options: PageOptions = {}): Promise<ReadPage> {
    const picture = async () => (scan === undefined ? undefined : (await this.picture(file, scan))?.bytes);
    return addWords(page, { recognise: this.#recognise, picture, onProgress: options.onProgress });
  }

  async #use<T>(file: FileVersion, action: (document: Document) => Promise<T>): Promise<T> {
    const key = versionKey(file);
    const session = this.#sessions.get(key) ?? { document: openDocument(file), users: 0, isRetired: false };
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    session.users += 1;
    try {
      return await action(await session.document);
    } finally {
      session.users -= 1;
      if (session.isRetired) await closeWhenIdle(session);
      await this.#shrink();
    }
  }

  async #shrink(): Promise<void> {
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_OPEN_DOCUMENTS && oldest !== undefined) await this.#retire(oldest);
  }

  async #retire(key: string): Promise<void> {
    const session = this.#sessions.get(key);
    if (session === undefined) return;
    this.#sessions.delete(key);
    session.isRetired = true;
    await closeWhenIdle(session);
  }
}

function synopsisOf({ facts, pageCount, problem }: Document): Synopsis {
  return { ...facts, pageCount, ...(problem && { problem }) };
}

async function closeWhenIdle({ document, users }: Session): Promise<void> {
  if (users === 0) await (await document).close();
}

/** Opens a file. One that cannot be read is a document with a single page that shows the reason. */
async function openDocument(file: FileVersion): Promise<Document> {
  try {
    const format = formatOf(file.type);
    if (format === undefined) throw new UnreadableError(`Files of type '${file.type}' are not supported`);
    const open = await format.load();
    return await open(file);
  } catch (error) {
    const problem = problemOf(error);
    const { pageCount, ...facts } = problemSynopsis(problem);
    return { facts, pageCount, problem, page: async () => problemPage(file.name, problem), close: async () => {} };
  }
}

/** The pages from `from` on that were parsed with the document, up to a number of bytes. */
async function pagesAhead(document: Document, from: number, bytes = 0): Promise<PagePayload[]> {
  const pages: PagePayload[] = [];
  if (!document.isWhole) return pages;
  let size = 0;
  for (let index = from; index < document.pageCount && size < bytes; index += 1) {
    const read = await readPage(document, index);
    // Its words are recognised when it is requested.
    if (read.scan !== undefined) break;
    const page = toPayload(read, index);
    size += sizeOf(page);
    if (size <= bytes) pages.push(page);
  }
  return pages;
}

function sizeOf({ elements, details }: PagePayload): number {
  return details.reduce((sum, [, json]) => sum + json.byteLength, elements.byteLength);
}

async function readPage(document: OpenDocument, index: number, options?: PageOptions): Promise<ReadPage> {
  try {
    return await document.page(index, options);
  } catch (error) {
    return problemPage(`Page ${index + 1}`, problemOf(error));
  }
}

/** The words of a page with all rows of its tables, up to a limit. */
function searchText(elements: readonly IdentifiedElement[]): string {
  const parts: string[] = [];
  let length = 0;
  const add = (text: string) => {
    parts.push(text);
    length += text.length;
  };
  for (const element of elements) {
    if (length > MAX_SEARCH_CHARACTERS) break;
    add(toText(element));
    for (const portion of element.overflow?.portions ?? []) {
      if (length > MAX_SEARCH_CHARACTERS) break;
      const rows: Cell[][] = JSON.parse(Buffer.from(portion).toString());
      add(rows.map(row => row.map(cellText).join('\t')).join('\n'));
    }
  }
  return parts.join('\n').slice(0, MAX_SEARCH_CHARACTERS);
}

function problemPage(title: string, problem: string): Page<IdentifiedElement> {
  return { title, elements: [new Identifier().identify(annotation(`This file cannot be read. ${problem}`))] };
}

/** Serialises a page to leave the worker. */
function toPayload(page: Page<IdentifiedElement>, index: number): PagePayload {
  const plain = toPlainPayload(page, index);
  if (plain !== undefined) return plain;
  const { title, elements } = page;
  const details: [string, Uint8Array][] = [];
  const shown: string[] = [];
  const pageHash = new PageHash(title);
  let size = 0;
  for (const { id, category, summary, content, metadata, overflow } of elements) {
    for (const [portion, rows] of overflow?.portions.entries() ?? []) {
      details.push([portionId(id, portion + 1), rows]);
      pageHash.addBytes(rows);
    }
    const stored: StoredElement = { id, category, summary, content };
    if (overflow !== undefined) {
      const { portions: _, ...places } = overflow;
      stored.overflow = places;
    }
    const json = JSON.stringify(stored);
    if (metadata?.crc32 !== undefined) pageHash.add(String(metadata.crc32));
    pageHash.add(json);
    const complete = metadata === undefined ? json : `${json.slice(0, -1)},"metadata":${JSON.stringify(metadata)}}`;
    size += complete.length;
    if (size > MAX_PAGE_BYTES) {
      details.push([id, Buffer.from(complete)]);
      const omitted = { omitted: 'The page is too large to show this here; read the element by its id' };
      shown.push(JSON.stringify({ id, category, summary, content: omitted, isOmitted: true } satisfies StoredElement));
    } else shown.push(complete);
  }
  return {
    index,
    title,
    hash: pageHash.digest().slice(0, HASH_LENGTH),
    elementIds: elements.map(({ id }) => id),
    elements: Buffer.from(`[${shown.join(',')}]`),
    details,
  };
}

const encoder = new TextEncoder();

/** A page without places in the file and long tables is serialised at once, which takes half the time of its elements. */
function toPlainPayload({ title, elements }: Page<IdentifiedElement>, index: number): PagePayload | undefined {
  const stored: StoredElement[] = [];
  const elementIds: string[] = [];
  for (const { id, category, summary, content, metadata, overflow } of elements) {
    if (metadata !== undefined || overflow !== undefined) return undefined;
    stored.push({ id, category, summary, content });
    elementIds.push(id);
  }
  const json = JSON.stringify(stored);
  if (json.length > MAX_PAGE_BYTES) return undefined;
  const pageHash = hash('sha256', title + json, 'base64url').slice(0, HASH_LENGTH);
  return { index, title, hash: pageHash, elementIds, elements: encoder.encode(json), details: [] };
}

/** The hash of a page. Texts are collected and hashed at once, which takes a third of the time of hashing each. */
class PageHash {
  #texts: string;
  #streamed: Hash | undefined;

  constructor(title: string) {
    this.#texts = title;
  }

  add(text: string): void {
    this.#texts += text;
  }

  addBytes(bytes: Uint8Array): void {
    this.#streamed ??= createHash('sha256');
    this.#streamed.update(this.#texts).update(bytes);
    this.#texts = '';
  }

  /** In the alphabet of URLs. */
  digest(): string {
    if (this.#streamed === undefined) return hash('sha256', this.#texts, 'base64url');
    return this.#streamed.update(this.#texts).digest('base64url');
  }
}
