import { fieldsOf, isObject, parseJson } from '@a2c-smcp/core';
import { type DPEDocumentSummary, parseDpeUri, type Resource } from '@a2c-smcp/protocol';
import type { Problem } from '../warnings.ts';

/** The metadata of a document as its list entry has it. */
export interface DocumentTraits {
  /** Absent when it is not a document. */
  docRef?: string;
  /** Absent when the document must be read to be summarised. */
  summary?: DPEDocumentSummary;
  problems: Problem[];
}

/**
 * Reads a document's metadata. Only level 1 URIs are documents; catalogues, pages and elements are listed for other
 * purposes. A page count of 0 is that of a document whose pages its MCP server has not counted yet.
 */
export function describeDocument(resource: Resource, server: string): DocumentTraits {
  const address = readAddress(resource.uri);
  if (!address)
    return { problems: [{ code: 'document-uri-invalid', message: 'A document is left out: its URI is not valid' }] };
  const { level, docRef } = address;
  if (level !== 1 || docRef === undefined) return { problems: [] };
  const { page_count } = fieldsOf(resource._meta);
  if (!isPageCount(page_count)) return { docRef, problems: [] };
  return { docRef, summary: summarize({ resource, server, docRef, facts: {} }), problems: [] };
}

/** The summary of a document whose level 1 was read. What the body does not say is taken from the resource. */
export function describeBody(
  contents: readonly unknown[],
  resource: Resource,
  { server, docRef }: { server: string; docRef: string },
): { summary: DPEDocumentSummary; problems: Problem[] } {
  const facts = readBody(contents);
  const hasPageCount = isPageCount(facts.page_count) || isPageCount(fieldsOf(resource._meta).page_count);
  return {
    summary: summarize({ resource, server, docRef, facts }),
    problems: hasPageCount
      ? []
      : [{ code: 'document-page-count', message: 'A document has no page count; it counts as 0' }],
  };
}

interface Sources {
  resource: Resource;
  server: string;
  docRef: string;
  /** Of the document's own body, when it was read. */
  facts: Record<string, unknown>;
}

function summarize({ resource, server, docRef, facts }: Sources): DPEDocumentSummary {
  const meta = fieldsOf(resource._meta);
  const { lastModified } = fieldsOf(resource.annotations);
  const keywords = stringsOf(facts.keywords) ?? stringsOf(meta.keywords);
  const summary = firstString(facts.summary, resource.description);
  const modified = firstString(facts.last_modified, lastModified);
  return {
    doc_ref: firstString(facts.doc_ref) ?? docRef,
    uri: resource.uri,
    file_uri: firstString(facts.file_uri, meta.file_uri) ?? '',
    file_type: firstString(facts.file_type, meta.file_type) ?? '',
    title: firstString(facts.title, resource.name, resource.title) ?? docRef,
    page_count: [facts.page_count, meta.page_count].find(isPageCount) ?? 0,
    ...(keywords ? { keywords } : {}),
    ...(summary === undefined ? {} : { summary }),
    server,
    ...(modified === undefined ? {} : { last_modified: modified }),
  };
}

function readAddress(uri: string): { level: number; docRef?: string } | undefined {
  try {
    return parseDpeUri(uri);
  } catch {
    return undefined;
  }
}

/** The JSON object in the first text; throws when there is none. */
function readBody(contents: readonly unknown[]): Record<string, unknown> {
  const text = contents.map(content => fieldsOf(content).text).find(text => typeof text === 'string');
  if (text === undefined) throw new Error('It has no text');
  const body = parseJson(text);
  if (!isObject(body)) throw new Error('Its text is no JSON object');
  return body;
}

function isPageCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function firstString(...candidates: unknown[]): string | undefined {
  return candidates.find(candidate => typeof candidate === 'string');
}

function stringsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : undefined;
}
