import type { DPEElementDetail, ElementCategory } from '@a2c-smcp/protocol';
import {
  digest,
  type Element,
  type IdentifiedElement,
  Identifier,
  type Page,
  parsePortionId,
  shorten,
} from './content/element.ts';
import type { Cell, TableOverflow } from './content/table.ts';
import type { RequestOptions } from './published-resources.ts';

type Awaitable<T> = T | Promise<T>;

/** The facts about a document that need no opening. */
export interface DocumentInfo {
  /** Names the document in its URIs, for as long as it exists. */
  ref: string;
  title: string;
  /** As in `pdf`. @default '' */
  type?: string | undefined;
  /** A URI of the original, as in `file:///report.pdf`. @default '' */
  fileUri?: string | undefined;
  /** 0 while the pages are being counted, after which `changed()` must be called. @default unknown until it is opened */
  pageCount?: number | undefined;
  keywords?: readonly string[] | undefined;
  /** One or two sentences. */
  summary?: string | undefined;
  /** A date, or ISO 8601. */
  modified?: Date | string | undefined;
  /** Of the original. */
  mimeType?: string | undefined;
  /** Bytes of the original. */
  size?: number | undefined;
}

export interface ListOptions extends RequestOptions {
  /** Documents to pass over. */
  offset: number;
  /** The most documents that are wanted. */
  limit: number;
}

/** Some of the documents, of a source that pages itself. */
export interface DocumentList<D extends DocumentInfo = DocumentInfo> {
  documents: readonly D[];
  /** The number of all documents. */
  total: number;
  /** The number of files that are not documents, by type. */
  leftOut?: Record<string, number> | undefined;
}

/** Documents of an author: `list` and `open` are enough. */
export interface DocumentSource<D extends DocumentInfo = DocumentInfo> {
  /** All documents in a lasting order, or those from `offset` on as a `DocumentList`. */
  list(options: ListOptions): Awaitable<readonly D[] | DocumentList<D>>;
  /** The pages of a document. */
  open(document: D, options: RequestOptions): Awaitable<readonly SourcePage[] | OpenDocument>;
  /** One document. @default it is looked up in the list */
  find?(ref: string, options: RequestOptions): Awaitable<D | undefined>;
  /** The references of all documents, for completion. @default those of the list */
  refs?(): Awaitable<readonly string[]>;
}

/** A page: one text, or elements. */
export type SourcePage = string | { title?: string | undefined; elements: readonly SourceElement[] };

/** An element: a text, or as `@a2c-smcp/publish/content` makes them. */
export type SourceElement =
  | string
  | {
      /** Must stay the same while the content does. @default made from category and content */
      id?: string | undefined;
      category: ElementCategory;
      /** @default the beginning of the content */
      summary?: string | undefined;
      content: Record<string, unknown>;
      metadata?: Record<string, unknown> | undefined;
      identity?: string | undefined;
      overflow?: TableOverflow | undefined;
    };

/** A document that is read page by page. */
export interface OpenDocument {
  info(options: RequestOptions): Awaitable<DocumentInfo & { pageCount: number }>;
  /** Undefined behind the last page. */
  page(index: number, options: RequestOptions): Awaitable<OpenPage | undefined>;
  element(id: string, options: RequestOptions): Awaitable<FoundElement | undefined>;
  /** The picture of an image element. */
  picture?(element: DPEElementDetail): Awaitable<Picture | undefined>;
}

/** A page with elements that can be addressed. */
export interface OpenPage {
  title: string;
  /** Differs whenever the page does, with all rows of its tables. Without it, Agents read the page again. */
  hash?: string | undefined;
  elements: PageElement[];
}

/** An element of a page. Of the later portions of a long table only their first rows' numbers are known. */
export type PageElement = Omit<IdentifiedElement, 'overflow'> & {
  overflow?: Omit<TableOverflow, 'portions'>;
};

/** Where an element was found. */
export interface FoundElement {
  page: number;
  element: PageElement;
  /** For a later portion of a table: its rows, and the number of the portion. */
  portion?: { index: number; rows: Cell[][] };
}

export interface Picture {
  mimeType: string;
  bytes: Uint8Array;
}

/** The documents from `offset` on, of either kind of list. */
export async function listDocuments<D extends DocumentInfo>(
  source: DocumentSource<D>,
  options: RequestOptions & { offset?: number | undefined; limit?: number | undefined },
): Promise<DocumentList<D>> {
  const { offset = 0, limit = Number.POSITIVE_INFINITY } = options;
  const listed = await source.list({ ...options, offset, limit });
  if ('documents' in listed) return listed;
  return { documents: listed.slice(offset, offset + limit), total: listed.length };
}

/** The document with a reference. */
export async function findDocument<D extends DocumentInfo>(
  source: DocumentSource<D>,
  ref: string,
  options: RequestOptions,
): Promise<D | undefined> {
  if (source.find !== undefined) return source.find(ref, options);
  const { documents } = await listDocuments(source, options);
  return documents.find(document => document.ref === ref);
}

export async function openDocument<D extends DocumentInfo>(
  source: DocumentSource<D>,
  document: D,
  options: RequestOptions,
): Promise<OpenDocument> {
  const opened = await source.open(document, options);
  return 'page' in opened ? opened : new ListedPages(document, opened);
}

/** A document whose pages are all in memory. */
class ListedPages implements OpenDocument {
  readonly #info: DocumentInfo;
  readonly #pages: Page<IdentifiedElement>[];

  constructor(info: DocumentInfo, pages: readonly SourcePage[]) {
    const identifier = new Identifier();
    this.#info = info;
    this.#pages = pages.map((page, index) => {
      const { title = '', elements } = typeof page === 'string' ? { elements: [page] } : page;
      return {
        title: title === '' ? `Page ${index + 1}` : title,
        elements: elements.map(element => identified(element, identifier)),
      };
    });
  }

  info(): DocumentInfo & { pageCount: number } {
    return { ...this.#info, pageCount: this.#pages.length };
  }

  page(index: number): OpenPage | undefined {
    const page = this.#pages[index];
    return page && { ...page, hash: hashOf(page) };
  }

  element(id: string): FoundElement | undefined {
    const { base, index } = parsePortionId(id);
    for (const [page, { elements }] of this.#pages.entries()) {
      const whole = elements.find(element => element.id === id);
      if (whole !== undefined) return { page, element: whole };
      const element = elements.find(candidate => candidate.id === base);
      const portion = element?.overflow?.portions[index - 1];
      if (element === undefined || portion === undefined) continue;
      return { page, element, portion: { index, rows: JSON.parse(new TextDecoder().decode(portion)) } };
    }
    return undefined;
  }
}

/** Without the places of elements in the original, which change with other pages. */
function hashOf({ title, elements }: Page<IdentifiedElement>): string {
  const parts = elements.map(({ overflow, metadata, ...element }) => {
    const portions = overflow?.portions.map(portion => new TextDecoder().decode(portion));
    return [element, portions];
  });
  return digest(JSON.stringify([title, parts]));
}

function identified(given: SourceElement, identifier: Identifier): IdentifiedElement {
  const { id, summary, ...rest } = typeof given === 'string' ? { category: 'text', content: { text: given } } : given;
  const element = { ...rest, summary: summary ?? beginning(rest.content) } as Element;
  return id === undefined ? identifier.identify(element) : { ...element, id };
}

function beginning(content: Record<string, unknown>): string {
  const { text } = content;
  return shorten(typeof text === 'string' ? text : JSON.stringify(content));
}
