import { fieldsOf, isObject, type Json, readJson } from '@a2c-smcp/core';
import {
  DPEDocument,
  type DPEDocumentSummary,
  DPEElementDetail,
  DPEPage,
  describeProblem,
  documentUri,
  ErrorCode,
  parseDpeUri,
  type ResourceContents,
  SmcpError,
} from '@a2c-smcp/protocol';
import type { FinderPage } from './events.ts';

/** The renderings of a page. */
export type PageFormat = 'json' | 'markdown' | 'text';

/** The same URI with parameters. Those without a value are left out. */
export function withQuery(uri: string, query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const parameters = given.map(([key, value]) => `${key}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`);
  const complete = parameters.length > 0 ? `${uri}?${parameters.join('&')}` : uri;
  parseDpeUri(complete);
  return complete;
}

interface Schema<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: Parameters<typeof describeProblem>[0] };
}

/**
 * Reads a Level 1 resource. Fields that repeat its address or are unknown may be missing or null: they are filled in,
 * file type and file URI with the empty string.
 */
export function readDocumentBody(contents: readonly ResourceContents[], uri: string): DPEDocument {
  const { pages, ...given } = jsonOf(bodyOf(contents, uri), uri);
  const { docRef = '' } = parseDpeUri(uri);
  const address = documentUri(uri);
  const facts = { doc_ref: docRef, uri: address, file_uri: '', file_type: '', title: docRef, ...given };
  return check(DPEDocument, Array.isArray(pages) ? { ...facts, pages: pages.map(summary(address)) } : facts, uri);
}

/** Reads a Level 2 resource: JSON, which is completed as a document is, or a body that is the rendering itself. */
export function readPageBody(contents: readonly ResourceContents[], uri: string, format: PageFormat): DPEPage {
  const body = bodyOf(contents, uri);
  const { docRef = '', page = 0 } = parseDpeUri(uri);
  const [address = ''] = uri.split(/[?#]/);
  const known = { page_index: page, title: '', doc_ref: docRef, uri: address };
  if (format !== 'json' && !isObject(readJson(body))) {
    const rendering = format === 'markdown' ? { content_markdown: body } : { content_text: body };
    return { ...known, elements: [], element_count: 0, ...rendering };
  }
  const { elements: given = [], ...fields } = jsonOf(body, uri);
  const elements = Array.isArray(given) ? given.map(withoutNulls) : given;
  const element_count = Array.isArray(given) ? given.length : 0;
  return check(DPEPage, { ...known, element_count, ...fields, elements }, uri);
}

/** Reads a Level 3 resource. */
export function readElementBody(contents: readonly ResourceContents[], uri: string): DPEElementDetail {
  return check(DPEElementDetail, jsonOf(bodyOf(contents, uri), uri), uri);
}

/** Walks through a catalogue page by page. */
export async function* walkCatalogue(
  fetch: (offset: number) => Promise<FinderPage>,
): AsyncGenerator<DPEDocumentSummary, void, undefined> {
  for (let offset = 0; ; ) {
    const { documents, totalCount } = await fetch(offset);
    yield* documents;
    offset += documents.length;
    if (documents.length === 0 || offset >= totalCount) return;
  }
}

/** Pages in one answer with the index of a document. */
const MAX_INDEX_PAGES = 100;

/** A page as it was read before, or its entry in the index. */
export interface KnownPage {
  page_index: number;
  hash?: string | undefined;
}

/** The numbers of all pages, from one on. */
export async function* everyPage(count: number, from = 0): AsyncGenerator<number, void, undefined> {
  for (let page = from; page < count; page++) yield page;
}

/** The numbers of those pages whose hash in the index is another than the known one, or that have none. */
export async function* changedPages(
  known: Iterable<KnownPage>,
  readIndex: (part: { offset: number; limit: number }) => Promise<DPEDocument>,
): AsyncGenerator<number, void, undefined> {
  const before = new Map([...known].map(({ page_index, hash }) => [page_index, hash]));
  for (let offset = 0; ; ) {
    const { pages = [], page_count } = await readIndex({ offset, limit: MAX_INDEX_PAGES });
    for (const { page_index, hash } of pages) {
      if (hash === undefined || hash !== before.get(page_index)) yield page_index;
    }
    offset += pages.length;
    // MCP servers need not know the index.
    if (pages.length === 0) yield* everyPage(page_count, offset);
    if (pages.length === 0 || offset >= page_count) return;
  }
}

/** Walks through pages of a document and prefetches one page. */
export async function* walkPages(
  pages: AsyncGenerator<number, void, undefined>,
  fetch: (page: number, signal: AbortSignal) => Promise<DPEPage>,
): AsyncGenerator<DPEPage, void, undefined> {
  const stop = new AbortController();
  const begin = async () => {
    const { value } = await pages.next();
    return value === undefined ? undefined : fetch(value, stop.signal);
  };
  try {
    let next = begin();
    for (;;) {
      const current = await next;
      if (!current) return;
      next = begin();
      // The prefetch may never be awaited; avoid an unhandled rejection.
      next.catch(() => {});
      yield current;
    }
  } finally {
    stop.abort();
  }
}

/** Completes an entry in the index of pages of a document. */
function summary(document: string): (page: unknown) => Json {
  return page => {
    const fields = withoutNulls(page);
    return { title: '', uri: `${document}/pages/${fields.page_index}`, ...fields };
  };
}

function check<T>(schema: Schema<T>, json: Json, uri: string): T {
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw malformed(uri, describeProblem(parsed.error));
  return parsed.data;
}

function jsonOf(body: string, uri: string): Json {
  const json = readJson(body);
  if (!isObject(json)) throw malformed(uri, 'its body is no JSON object');
  return withoutNulls(json);
}

/** Some languages write null for a field that is missing. */
function withoutNulls(value: unknown): Json {
  return Object.fromEntries(Object.entries(fieldsOf(value)).filter(([, field]) => field !== null));
}

function bodyOf(contents: readonly ResourceContents[], uri: string): string {
  const text = contents.find(content => typeof content.text === 'string')?.text;
  if (typeof text !== 'string') throw malformed(uri, 'it has no text');
  return text;
}

function malformed(uri: string, problem: string): SmcpError {
  return new SmcpError(ErrorCode.Internal, `Malformed document '${uri}': ${problem}`, { details: { uri } });
}
