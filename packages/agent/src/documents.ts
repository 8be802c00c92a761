import {
  DPEDocument,
  type DPEDocumentSummary,
  DPEElementDetail,
  DPEPage,
  describeProblem,
  ErrorCode,
  parseDpeUri,
  type ResourceContents,
  SmcpError,
} from '@a2c-smcp/protocol';
import type { FinderPage } from './office/events.ts';

/** How the pages of a document are rendered. */
export type PageFormat = 'json' | 'markdown' | 'text';

/** The URI of the document that a `dpe://` URI of any level belongs to, written as it was. */
export function documentUri(uri: string): string {
  const { docRef } = parseDpeUri(uri);
  if (docRef === undefined) {
    throw new SmcpError(ErrorCode.InvalidDpeUri, `DPE URI '${uri}' names no document`, { details: { uri } });
  }
  const [address = ''] = uri.split(/[?#]/);
  return address.split('/').slice(0, 4).join('/');
}

/** The same URI with parameters. Those without a value are left out. */
export function withQuery(uri: string, query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const parameters = given.map(([key, value]) => `${key}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`);
  const complete = parameters.length > 0 ? `${uri}?${parameters.join('&')}` : uri;
  parseDpeUri(complete);
  return complete;
}

/** Reads the JSON of a Level 1 resource. */
export function readDocumentBody(contents: readonly ResourceContents[], uri: string): DPEDocument {
  return parse(DPEDocument, contents, uri);
}

/** Reads the JSON of a Level 3 resource. */
export function readElementBody(contents: readonly ResourceContents[], uri: string): DPEElementDetail {
  return parse(DPEElementDetail, contents, uri);
}

/** Reads a Level 2 resource: JSON, or a body that is the rendering itself. */
export function readPageBody(contents: readonly ResourceContents[], uri: string, format: PageFormat): DPEPage {
  const text = textOf(contents, uri);
  if (format === 'json' || isJsonObject(text)) return parse(DPEPage, contents, uri);
  const { docRef = '', page = 0 } = parseDpeUri(uri);
  const rendering = format === 'markdown' ? { content_markdown: text } : { content_text: text };
  return { page_index: page, title: '', doc_ref: docRef, uri, elements: [], element_count: 0, ...rendering };
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

/** Walks through the first `count` pages of a document. While the caller looks at one, the next is on its way. */
export async function* walkPages(
  count: number,
  fetch: (page: number, signal: AbortSignal) => Promise<DPEPage>,
): AsyncGenerator<DPEPage, void, undefined> {
  const stop = new AbortController();
  try {
    let next = count > 0 ? fetch(0, stop.signal) : undefined;
    for (let page = 1; next; page++) {
      const current = await next;
      next = page < count ? fetch(page, stop.signal) : undefined;
      // Whoever goes on awaits it above; whoever stops here does not want to hear of it.
      next?.catch(() => {});
      yield current;
    }
  } finally {
    stop.abort();
  }
}

interface Schema<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: Parameters<typeof describeProblem>[0] };
}

function parse<T>(schema: Schema<T>, contents: readonly ResourceContents[], uri: string): T {
  const text = textOf(contents, uri);
  if (!isJsonObject(text)) throw malformed(uri, 'its body is no JSON object');
  const parsed = schema.safeParse(JSON.parse(text));
  if (!parsed.success) throw malformed(uri, describeProblem(parsed.error));
  return parsed.data;
}

function textOf(contents: readonly ResourceContents[], uri: string): string {
  const text = contents.find(content => typeof content.text === 'string')?.text;
  if (typeof text !== 'string') throw malformed(uri, 'it has no text');
  return text;
}

function isJsonObject(text: string): boolean {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function malformed(uri: string, problem: string): SmcpError {
  return new SmcpError(ErrorCode.Internal, `Malformed document '${uri}': ${problem}`, { details: { uri } });
}
