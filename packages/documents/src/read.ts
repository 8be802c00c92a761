import {
  buildDpeUri,
  type DPECatalog,
  type DPEDocument,
  type DPEElementDetail,
  type DPEPage,
  type DPEPageSummary,
  type DpeQuery,
  ErrorCode,
  SmcpError,
} from '@a2c-smcp/protocol';
import type { CatalogEntry } from './catalog/catalog.ts';
import { portionId } from './content/element.ts';
import { type Labels, toMarkdown, toText } from './content/render.ts';
import { cellValue } from './content/table.ts';
import { catalogMarkdown, type DocumentList, describe, documentMarkdown } from './describe.ts';
import type { FileVersion } from './file.ts';
import type { Synopsis } from './formats/reader.ts';
import type { StoredElement } from './sessions/sessions.ts';
import type { DocumentStore, FoundElement } from './store.ts';

/** Characters of a rendered page. */
const PAGE_CHARACTERS = 20_000;
/** Elements behind the limit that a rendering names. */
const MAX_NAMED = 20;

/** Everything that a read needs beside the document and the URI. */
export interface ReadContext {
  host: string;
  store: DocumentStore;
  synopsis: (file: FileVersion) => Promise<Synopsis>;
  labels: Labels;
  signal?: AbortSignal | undefined;
  /** Called with the share that is done, from 0 to 1. */
  onProgress?: ((share: number) => void) | undefined;
}

/** Level 0: the catalogue, or some of it. */
export function readCatalog({ documents: listed, total, leftOut }: DocumentList, { format }: DpeQuery): DPECatalog {
  const documents = listed.map(({ description }) => description);
  const catalog = { documents, total_count: total, ...(Object.keys(leftOut).length > 0 && { left_out: leftOut }) };
  return { ...catalog, ...rendering(format, () => catalogMarkdown(documents, total, leftOut)) };
}

/** Level 1: one document, with some of its pages if `depth` requests them. */
export async function readDocument(entry: CatalogEntry, query: DpeQuery, context: ReadContext): Promise<DPEDocument> {
  const { depth = 'metadata', offset = 0, limit = 20, format } = query;
  const synopsis = await context.synopsis(entry.file);
  const description = describe(entry, synopsis);
  if (depth === 'metadata') return { ...description, ...rendering(format, () => documentMarkdown(description)) };
  const pages: DPEPageSummary[] = [];
  const end = Math.min(offset + limit, synopsis.pageCount);
  for (let index = offset; index < end; index += 1) {
    context.signal?.throwIfAborted();
    const page = await context.store.page(entry.file, index, { signal: context.signal });
    if (page === undefined) break;
    const uri = buildDpeUri({ host: context.host, docRef: entry.docRef, page: index });
    const { title, elements } = page;
    pages.push({ page_index: index, title, element_count: elements.length, uri, doc_ref: entry.docRef });
    context.onProgress?.((index + 1 - offset) / (end - offset));
  }
  return {
    ...description,
    pages,
    page_offset: offset,
    page_limit: limit,
    page_total: synopsis.pageCount,
    ...rendering(format, () => documentMarkdown(description, pages)),
  };
}

/** Level 2: one page with its elements, all or those of some categories. */
export async function readPage(
  { docRef, file }: CatalogEntry,
  index: number,
  { format, categories }: DpeQuery,
  context: ReadContext,
): Promise<DPEPage> {
  const page = await context.store.page(file, index, context);
  if (page === undefined) {
    const { pageCount } = await context.synopsis(file);
    const details = { doc_ref: docRef, page_index: index, page_count: pageCount };
    throw new SmcpError(ErrorCode.PageOutOfRange, `No page ${index}: '${docRef}' has ${pageCount} pages`, { details });
  }
  const { title, elements } = page;
  const chosen = elements.filter(({ category }) => categories === undefined || categories.includes(category));
  const render = (how: (element: StoredElement) => string) => renderPage(chosen, how);
  return {
    page_index: index,
    title,
    doc_ref: docRef,
    uri: buildDpeUri({ host: context.host, docRef, page: index }),
    elements: chosen.map(element => {
      const { id, category, summary } = element;
      return { element_id: id, category, summary, content: contentOf(element) };
    }),
    element_count: chosen.length,
    ...(format === 'markdown' && { content_markdown: render(element => toMarkdown(element, context.labels)) }),
    ...(format === 'text' && { content_text: render(toText) }),
  };
}

/** Level 3: one element, or a later portion of a long table. */
export async function readElement(
  { docRef, file }: CatalogEntry,
  id: string,
  { format }: DpeQuery,
  context: ReadContext,
): Promise<DPEElementDetail> {
  const { pageCount } = await context.synopsis(file);
  const found = await context.store.element(file, id, { pageCount, ...context });
  if (found === undefined) {
    const details = { doc_ref: docRef, element_id: id };
    throw new SmcpError(ErrorCode.ElementNotFound, `No element '${id}' in '${docRef}'`, { details });
  }
  const element = portionOf(found);
  return {
    element_id: id,
    category: element.category,
    doc_ref: docRef,
    page_index: found.page,
    uri: buildDpeUri({ host: context.host, docRef, element: id }),
    summary: element.summary,
    content: contentOf(element, found.portion?.index),
    metadata: element.metadata ?? {},
    ...(format === 'markdown' && { content_markdown: toMarkdown(element, context.labels) }),
    ...(format === 'text' && { content_text: toText(element) }),
  };
}

/** Renders elements up to a number of characters, and mentions those that follow by their ids. */
function renderPage(elements: readonly StoredElement[], how: (element: StoredElement) => string): string {
  const parts: string[] = [];
  let length = 0;
  for (const [index, element] of elements.entries()) {
    const text = how(element);
    if (text === '') continue;
    length += text.length + 2;
    if (length > PAGE_CHARACTERS && parts.length > 0) {
      const left = elements.slice(index);
      const named = left.slice(0, MAX_NAMED).map(({ category, id }) => `${category} ${id}`);
      const more = left.length > named.length ? ' …' : '';
      parts.push(`(${left.length} further elements are too long to show here: ${named.join(', ')}${more})`);
      break;
    }
    parts.push(text);
  }
  return parts.join('\n\n');
}

/** A later portion of a table is a table with the same columns and its own rows. */
function portionOf({ element, portion }: FoundElement): StoredElement {
  if (portion === undefined) return element;
  const first = element.overflow?.starts[portion.index - 1] ?? 0;
  const summary = `Rows ${first + 1} to ${first + portion.rows.length} of ${element.content.total_rows}`;
  return { ...element, summary, content: { ...element.content, rows: portion.rows, row_offset: first } };
}

/** Content in the form of the wire: cells as plain values, and the id under which a long table continues. */
function contentOf({ id, content, overflow }: StoredElement, portion = 0): Record<string, unknown> {
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
