import { isObject, readJson } from '@a2c-smcp/core';
import {
  type DPEDocumentSummary,
  DPEPage,
  describeProblem,
  ErrorCode,
  parseDpeUri,
  type ResourceContents,
  SmcpError,
} from '@a2c-smcp/protocol';
import type { FinderPage } from './events.ts';

/** The renderings of a page. */
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

interface Schema<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: Parameters<typeof describeProblem>[0] };
}

/** Checks the JSON body of a resource against a schema. */
export function readBody<T>(schema: Schema<T>, contents: readonly ResourceContents[], uri: string): T {
  return check(schema, readJson(bodyOf(contents, uri)), uri);
}

/** Reads a Level 2 resource: JSON, or a body that is the rendering itself. */
export function readPageBody(contents: readonly ResourceContents[], uri: string, format: PageFormat): DPEPage {
  const body = bodyOf(contents, uri);
  const json = readJson(body);
  if (format === 'json' || isObject(json)) return check(DPEPage, json, uri);
  const { docRef = '', page = 0 } = parseDpeUri(uri);
  const rendering = format === 'markdown' ? { content_markdown: body } : { content_text: body };
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

/** Walks through the first `count` pages of a document and prefetches one page. */
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
      // The prefetch may never be awaited; avoid an unhandled rejection.
      next?.catch(() => {});
      yield current;
    }
  } finally {
    stop.abort();
  }
}

function check<T>(schema: Schema<T>, json: unknown, uri: string): T {
  if (!isObject(json)) throw malformed(uri, 'its body is no JSON object');
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw malformed(uri, describeProblem(parsed.error));
  return parsed.data;
}

function bodyOf(contents: readonly ResourceContents[], uri: string): string {
  const text = contents.find(content => typeof content.text === 'string')?.text;
  if (typeof text !== 'string') throw malformed(uri, 'it has no text');
  return text;
}

function malformed(uri: string, problem: string): SmcpError {
  return new SmcpError(ErrorCode.Internal, `Malformed document '${uri}': ${problem}`, { details: { uri } });
}
