import { fieldsOf, formIn, isObject, queryTerms } from '@a2c-smcp/core';
import {
  type DPEDocumentSummary,
  type DPEHit,
  documentUri,
  ErrorCode,
  parseDpeUri,
  RESOURCE_TIMEOUT_MS,
  type Resource,
  SmcpError,
} from '@a2c-smcp/protocol';
import { describeError } from '../describe-error.ts';
import type { ResourceCatalog } from '../resources/catalog.ts';
import type { ServerResources } from '../resources/server-resources.ts';
import { byLastUse } from '../resources/view.ts';
import { checkPaging, type FinderPage, type FinderQuery } from './organize.ts';
import type { Shelf } from './shelf.ts';

/** Hits of one MCP server that are taken. */
const MAX_HITS = 50;
const MAX_WORDS_LENGTH = 1000;
const MAX_TITLE_LENGTH = 300;
const MAX_PASSAGE_LENGTH = 1000;
/** As in reciprocal rank fusion: a hit that has so many better ones in its MCP server counts half. */
const HALVING_RANK = 60;

const UNSEARCHED = 'The documents of an MCP server were not searched';

/** A server and the documents that it lists. */
export interface ServerList {
  source: ServerResources;
  resources: readonly Resource[];
}

/** Arguments of a tool that searches documents. */
export interface SearchArguments extends Record<string, unknown> {
  query: string;
  limit: number;
  file_type?: string;
}

/**
 * Has an MCP server search its documents. Undefined if it has no tool for it; rejects if the tool may not be called or
 * fails.
 */
export type SearchServer = (
  server: string,
  params: SearchArguments,
  signal: AbortSignal,
) => Promise<Record<string, unknown>> | undefined;

/** The answer of one MCP server, unchecked; without hits if it gave none. */
export interface ServerHits {
  server: string;
  hits?: readonly unknown[];
  pending?: unknown;
}

/** Has all servers with documents search at once. One that is slow or fails delays and harms no other. */
export async function searchServers(
  { warnings }: ResourceCatalog,
  lists: readonly ServerList[],
  { content = '', fileType, search }: FinderQuery & { search: SearchServer },
): Promise<ServerHits[]> {
  if (content.length > MAX_WORDS_LENGTH) {
    throw new SmcpError(ErrorCode.BadRequest, `'content' must have at most ${MAX_WORDS_LENGTH} characters`);
  }
  const params = { query: content, limit: MAX_HITS, ...(fileType && { file_type: fileType }) };
  const ask = async (server: string): Promise<ServerHits> => {
    const cause = { mcp_server: server };
    try {
      const result = await search(server, params, AbortSignal.timeout(RESOURCE_TIMEOUT_MS));
      if (result === undefined) return { server };
      const { hits, pending } = fieldsOf(result.structuredContent);
      if (result.isError === true || !Array.isArray(hits)) throw new Error('Its answer has no hits');
      warnings.settle(UNSEARCHED, cause);
      return { server, hits, pending };
    } catch (error) {
      warnings.warn(UNSEARCHED, cause, { reason: describeError(error) });
      return { server };
    }
  };
  const publishing = lists.filter(({ resources }) => resources.length > 0);
  return Promise.all(publishing.map(({ source }) => ask(source.server)));
}

/**
 * Merges the hits of several servers. Their own scores depend on what else each of them has, so that a hit counts by the
 * share of the words that its passage and its titles mention, and by its place among the hits of its server. Only pages of
 * documents that the server lists, and that match the query otherwise, are hits.
 */
export function organizeHits(
  shelves: readonly Shelf[],
  found: readonly ServerHits[],
  { content = '', keywords = [], fileType = '', offset = 0, limit = 20 }: FinderQuery,
  history: readonly string[],
): FinderPage {
  const size = checkPaging({ offset, limit });
  const terms = queryTerms(plain(content));
  const compareServers = byLastUse(history);
  const byServer = new Map(found.map(answer => [answer.server, answer]));
  const hits = shelves
    .toSorted((a, b) => compareServers(a.server, b.server))
    .flatMap(shelf => {
      const isFiltered = keywords.length > 0 || fileType !== '';
      const wanted = isFiltered ? new Set(shelf.matching({ keywords, fileType })) : undefined;
      const documentOf = (uri: string) => {
        const document = shelf.get(uri);
        return document && wanted?.has(document) !== false ? document : undefined;
      };
      return readHits(byServer.get(shelf.server)?.hits ?? [], documentOf).map(({ hit, document }, rank) => {
        const text = plain([document.doc_ref, document.title, hit.title, hit.passage].join('\n'));
        return { hit: { ...hit, score: scoreOf(text, terms, rank) }, document };
      });
    })
    .toSorted((a, b) => b.hit.score - a.hit.score);
  const page = hits.slice(offset, offset + size);
  return {
    documents: [...new Set(page.map(({ document }) => document))].map(document => ({ ...document })),
    totalCount: hits.length,
    hits: page.map(({ hit }) => hit),
    pending: found.reduce((sum, { pending }) => sum + countOf(pending), 0),
    unsearched: found.flatMap(({ server, hits: given }) => (given ? [] : [server])),
  };
}

interface Hit {
  hit: DPEHit;
  document: DPEDocumentSummary;
}

/** Reads the hits of one server, each page once. Everything but the title and the passage comes from the Computer. */
function readHits(raw: readonly unknown[], documentOf: (uri: string) => DPEDocumentSummary | undefined): Hit[] {
  const hits = new Map<string, Hit>();
  for (const entry of raw.slice(0, MAX_HITS)) {
    const address = isObject(entry) ? addressOf(entry.uri) : undefined;
    const document = address && documentOf(address.document);
    if (!isObject(entry) || !address || !document) continue;
    const { page } = address;
    const uri = `${document.uri}/pages/${page}`;
    if (hits.has(uri)) continue;
    const title = lineOf(entry.title, MAX_TITLE_LENGTH);
    const passage = lineOf(entry.passage, MAX_PASSAGE_LENGTH);
    const { doc_ref, server } = document;
    hits.set(uri, { hit: { uri, doc_ref, page_index: page, title, passage, score: 0, server }, document });
  }
  return [...hits.values()];
}

/** The document and the page of a URI; undefined if it is none of a page. */
function addressOf(uri: unknown): { document: string; page: number } | undefined {
  if (typeof uri !== 'string') return undefined;
  try {
    const { page } = parseDpeUri(uri);
    return page === undefined ? undefined : { document: documentUri(uri), page };
  } catch {
    return undefined;
  }
}

/** From 0 to 1. A page that has all words in other forms counts as one with half a word. */
function scoreOf(text: string, terms: readonly string[], rank: number): number {
  const mentioned = terms.filter(term => text.includes(formIn(text, term))).length;
  const share = Math.max(mentioned, 0.5) / Math.max(terms.length, 1);
  return Math.round(((share * HALVING_RANK) / (HALVING_RANK + rank)) * 1000) / 1000;
}

/** Without accents and letter case, which the words of a search leave open. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function lineOf(text: unknown, length: number): string {
  if (typeof text !== 'string') return '';
  // Never half of a surrogate pair.
  const start = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
  return start.replace(/\s+/g, ' ').trim();
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
