import { type DPEDocumentSummary, ErrorCode, parseDpeUri, SmcpError } from '@a2c-smcp/protocol';
import { byLastUse, compare } from '../views/server-order.ts';
import { timeOf } from './time.ts';

/** More documents than this are never in one page. */
const LARGEST_PAGE = 100;

/** Which documents to show. */
export interface DocumentQuery {
  /** A document that mentions any of these in its title, keywords or summary. None means every document. */
  keywords?: readonly string[];
  /** Empty means every type. */
  file_type?: string;
  /** @default 0 */
  offset?: number;
  /** More than 100 counts as 100. @default 20 */
  limit?: number;
}

export interface FinderPage {
  documents: DPEDocumentSummary[];
  /** Matches before paging. */
  totalCount: number;
}

/**
 * Filters, orders and pages documents. Servers come in order of last use, then by name; within a server the newest
 * document comes first and undated ones last. Throws 400 when `offset` or `limit` is no whole number, 0 or more.
 *
 * @param history names of the servers whose tools were called, oldest first
 */
export function organizeFinder(
  documents: readonly DPEDocumentSummary[],
  { keywords = [], file_type = '', offset = 0, limit = 20 }: DocumentQuery = {},
  history: readonly string[] = [],
): FinderPage {
  checkWhole({ offset, limit });
  const wanted = keywords.map(keyword => keyword.toLowerCase());
  const matches = documents.filter(
    document =>
      (file_type === '' || document.file_type === file_type) &&
      (wanted.length === 0 || mentionsAny(document, wanted)) &&
      isDpeUri(document.uri),
  );
  const ordered = inOrder(matches, byLastUse(history));
  return { documents: ordered.slice(offset, offset + Math.min(limit, LARGEST_PAGE)), totalCount: ordered.length };
}

function checkWhole(numbers: Record<string, number>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (Number.isInteger(value) && value >= 0) continue;
    throw new SmcpError(ErrorCode.BadRequest, `'${name}' must be a whole number, 0 or more`);
  }
}

/** Each field is searched for itself: a keyword never matches across the end of one and the start of the next. */
function mentionsAny({ title, keywords = [], summary = '' }: DPEDocumentSummary, wanted: readonly string[]): boolean {
  const isIn = (field: string) => {
    const text = field.toLowerCase();
    return wanted.some(keyword => text.includes(keyword));
  };
  return isIn(title) || isIn(keywords.join(' ')) || isIn(summary);
}

function isDpeUri(uri: string): boolean {
  try {
    parseDpeUri(uri);
    return true;
  } catch {
    return false;
  }
}

/** What decides a document's place, worked out once and not at every comparison. */
interface Place {
  document: DPEDocumentSummary;
  server: number;
  /** Empty when it does not say when it was modified. */
  modified: string;
  /** Absent when that is no point in time. */
  time: number | undefined;
}

function inOrder(
  documents: readonly DPEDocumentSummary[],
  compareServers: (a: string, b: string) => number,
): DPEDocumentSummary[] {
  const servers = [...new Set(documents.map(({ server }) => server))].toSorted(compareServers);
  const rank = new Map(servers.map((server, index) => [server, index]));
  return documents
    .map((document): Place => {
      const { server, last_modified: modified = '' } = document;
      return { document, server: rank.get(server) ?? servers.length, modified, time: timeOf(modified) };
    })
    .toSorted((a, b) => a.server - b.server || newestFirst(a, b))
    .map(({ document }) => document);
}

function newestFirst(a: Place, b: Place): number {
  if (a.time !== undefined && b.time !== undefined) return b.time - a.time;
  // Strings from here on, and the empty one is the smallest: documents without a date come last.
  return compare(b.modified, a.modified);
}
