import {
  buildDpeUri,
  type DPECatalog,
  type DPEDocument,
  type DPEElementDetail,
  type DPEPage,
  type DPEPageSummary,
  type DpeQuery,
  ErrorCode,
  parseDpeUri,
  SmcpError,
} from '@a2c-smcp/protocol';
import { portionId } from './content/element.ts';
import { type Labels, labels, toMarkdown, toText } from './content/render.ts';
import { cellValue } from './content/table.ts';
import { catalogMarkdown, describeDocument, documentMarkdown } from './describe.ts';
import { notFound } from './finder-error.ts';
import type { RequestOptions } from './published-resources.ts';
import {
  type DocumentInfo,
  type DocumentList,
  type DocumentSource,
  type FoundElement,
  findDocument,
  listDocuments,
  type OpenDocument,
  openDocument,
  type PageElement,
} from './source.ts';

/** Characters of a rendered page. */
const PAGE_CHARACTERS = 20_000;
/** Elements behind the limit that a rendering names. */
const MAX_NAMED = 20;
/** Stands between the elements of a rendered page. */
const SEPARATOR = '\n\n';

export interface ReadOptions extends RequestOptions {
  host: string;
  /** The language of the few words that renderings add. @default 'en' */
  language?: keyof typeof labels | undefined;
}

/** The answer to a read, and the document that it comes from. */
export interface Answer {
  body: DPECatalog | DPEDocument | DPEPage | DPEElementDetail;
  opened?: OpenDocument;
}

/** Everything that a read needs beside the document and the URI. */
interface ReadContext extends RequestOptions {
  host: string;
  docRef: string;
  query: DpeQuery;
  labels: Labels;
}

/** Reads a `dpe://` URI of any level. Throws `SmcpError` with one of the Finder's codes. */
export async function readDocuments<D extends DocumentInfo>(
  source: DocumentSource<D>,
  uri: string,
  options: ReadOptions,
): Promise<DPECatalog | DPEDocument | DPEPage | DPEElementDetail> {
  return (await answer(source, uri, options)).body;
}

export async function answer<D extends DocumentInfo>(
  source: DocumentSource<D>,
  uri: string,
  { host, language = 'en', ...options }: ReadOptions,
): Promise<Answer> {
  const { host: asked, docRef, page, element, query } = parseDpeUri(uri);
  if (asked !== host) {
    throw new SmcpError(ErrorCode.DocumentNotFound, `No documents of '${asked}' here`, { details: { host: asked } });
  }
  if (docRef === undefined) {
    const { offset, limit } = query;
    return { body: readCatalog(await listDocuments(source, { offset, limit, ...options }), query, host) };
  }
  const document = await findDocument(source, docRef, options);
  if (document === undefined) throw notFound.document(docRef);
  const opened = await openDocument(source, document, options);
  const context: ReadContext = { host, docRef, query, labels: labels[language], ...options };
  if (page !== undefined) return { body: await readPage(opened, page, context) };
  if (element === undefined) return { body: await readDocument(opened, context) };
  return { body: await readElement(opened, element, context), opened };
}

/** Level 0: the catalogue, or some of it. */
function readCatalog(list: DocumentList, { format }: DpeQuery, host: string): DPECatalog {
  const { total, leftOut = {} } = list;
  const documents = list.documents.map(info => describeDocument(info, host));
  const catalog = { documents, total_count: total, ...(Object.keys(leftOut).length > 0 && { left_out: leftOut }) };
  return { ...catalog, ...rendering(format, () => catalogMarkdown(documents, total, leftOut)) };
}

/** Level 1: one document, with some of its pages if `depth` requests them. */
async function readDocument(opened: OpenDocument, context: ReadContext): Promise<DPEDocument> {
  const { host, docRef, query, signal, onProgress } = context;
  const { depth = 'metadata', offset = 0, limit = 20, format } = query;
  const info = await opened.info({ signal });
  const description = describeDocument(info, host);
  if (depth === 'metadata') return { ...description, ...rendering(format, () => documentMarkdown(description)) };
  const pages: DPEPageSummary[] = [];
  const end = Math.min(offset + limit, info.pageCount);
  for (let index = offset; index < end; index += 1) {
    signal?.throwIfAborted();
    const page = await opened.page(index, { signal });
    if (page === undefined) break;
    const { title, elements, hash } = page;
    const uri = buildDpeUri({ host, docRef, page: index });
    const facts = { page_index: index, title, element_count: elements.length, uri, doc_ref: docRef };
    pages.push(hash === undefined ? facts : { ...facts, hash });
    onProgress?.((index + 1 - offset) / (end - offset));
  }
  return {
    ...description,
    pages,
    page_offset: offset,
    page_limit: limit,
    page_total: info.pageCount,
    ...rendering(format, () => documentMarkdown(description, pages)),
  };
}

/** Level 2: one page with its elements, all or those of some categories. */
async function readPage(opened: OpenDocument, index: number, context: ReadContext): Promise<DPEPage> {
  const { host, docRef, query, signal, onProgress } = context;
  const { format, categories } = query;
  const page = await opened.page(index, { signal, onProgress });
  if (page === undefined) throw notFound.page(docRef, index, (await opened.info({ signal })).pageCount);
  const { title, elements, hash } = page;
  const chosen = elements.filter(({ category }) => categories === undefined || categories.includes(category));
  const render = (how: (element: PageElement) => string) => renderPage(chosen, how);
  return {
    page_index: index,
    title,
    doc_ref: docRef,
    uri: buildDpeUri({ host, docRef, page: index }),
    elements: chosen.map(element => {
      const { id, category, summary } = element;
      return { element_id: id, category, summary, content: contentOf(element) };
    }),
    element_count: chosen.length,
    ...(hash !== undefined && { hash }),
    ...(format === 'markdown' && { content_markdown: render(element => toMarkdown(element, context.labels)) }),
    ...(format === 'text' && { content_text: render(toText) }),
  };
}

/** Level 3: one element, or a later portion of a long table. */
async function readElement(opened: OpenDocument, id: string, context: ReadContext): Promise<DPEElementDetail> {
  const { host, docRef, query, signal, onProgress } = context;
  const found = await opened.element(id, { signal, onProgress });
  if (found === undefined) throw notFound.element(docRef, id);
  const element = portionOf(found);
  return {
    element_id: id,
    category: element.category,
    doc_ref: docRef,
    page_index: found.page,
    uri: buildDpeUri({ host, docRef, element: id }),
    summary: element.summary,
    content: contentOf(element, found.portion?.index),
    metadata: element.metadata ?? {},
    ...(query.format === 'markdown' && { content_markdown: toMarkdown(element, context.labels) }),
    ...(query.format === 'text' && { content_text: toText(element) }),
  };
}

/** Renders elements up to a number of characters, and mentions those that follow by their ids. */
function renderPage(elements: readonly PageElement[], how: (element: PageElement) => string): string {
  const parts: string[] = [];
  let length = 0;
  for (const element of elements) {
    const text = how(element);
    length += text === '' ? 0 : text.length + SEPARATOR.length;
    if (length - SEPARATOR.length > PAGE_CHARACTERS) return cutPage([...parts, text], elements);
    parts.push(text);
  }
  return joinParts(parts);
}

/** As many of the first parts as fit with the mention of the others; the first is cut if it is too long itself. */
function cutPage(parts: readonly string[], elements: readonly PageElement[]): string {
  for (let shown = parts.length - 1; shown > 0; shown -= 1) {
    const text = joinParts([...parts.slice(0, shown), mentionOf(elements.slice(shown))]);
    if (text.length <= PAGE_CHARACTERS) return text;
  }
  const mention = elements.length > 1 ? mentionOf(elements.slice(1)) : '';
  const first = parts[0] ?? '';
  const room = PAGE_CHARACTERS - mention.length - SEPARATOR.length - 1;
  return joinParts([first.length > room ? `${first.slice(0, room)}…` : first, mention]);
}

function mentionOf(left: readonly PageElement[]): string {
  const named = left.slice(0, MAX_NAMED).map(({ category, id }) => `${category} ${id}`);
  const more = left.length > named.length ? ' …' : '';
  return `(${left.length} further elements are too long to show here: ${named.join(', ')}${more})`;
}

function joinParts(parts: readonly string[]): string {
  return parts.filter(part => part !== '').join(SEPARATOR);
}

/** A later portion of a table is a table with its own rows and, if it is wide, its own columns. */
function portionOf({ element, portion }: FoundElement): PageElement {
  if (portion === undefined) return element;
  const { starts = [], wide } = element.overflow ?? {};
  const first = starts[portion.index - 1] ?? 0;
  const rows = `Rows ${first + 1} to ${first + portion.rows.length} of ${element.content.total_rows}`;
  const content = { ...element.content, rows: portion.rows, row_offset: first };
  const [from, to] = wide?.columns[portion.index - 1] ?? [];
  if (wide === undefined || from === undefined) return { ...element, summary: rows, content };
  const headers = wide.names.slice(from, to);
  const summary = `${rows}, columns ${from + 1} to ${from + headers.length} of ${element.content.total_columns}`;
  return { ...element, summary, content: { ...content, headers, column_offset: from } };
}

/** Content in the form of the wire: cells as plain values, and the id under which a long table continues. */
function contentOf({ id, content, overflow }: PageElement, portion = 0): Record<string, unknown> {
  const { rows } = content;
  if (!Array.isArray(rows)) return content;
  const next =
    overflow !== undefined && portion < overflow.starts.length ? { continued_in: portionId(id, portion + 1) } : {};
  return { ...content, rows: rows.map(row => row.map(cellValue)), ...next };
}

function rendering(format: DpeQuery['format'], markdown: () => string): Record<string, string> {
  if (format === 'markdown') return { content_markdown: markdown() };
  return format === 'text' ? { content_text: withoutNotation(markdown()) } : {};
}

function withoutNotation(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/^#+ /gm, '');
}
