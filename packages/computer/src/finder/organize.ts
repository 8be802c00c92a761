import { type DPEDocumentSummary, type DPEHit, ErrorCode, parseDpeUri, SmcpError } from '@a2c-smcp/protocol';
import { byLastUse } from '../resources/view.ts';
import type { ResourceProblem } from '../warnings.ts';
import { Shelf } from './shelf.ts';

const MAX_PAGE_SIZE = 100;

/** The query of `GetFinderReq`, with the names of the wire. `FinderQuery` is its form in our API. */
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
  /** Of a search for `content`, those of the hits. */
  documents: DPEDocumentSummary[];
  /** Matches before paging: documents, or hits. */
  totalCount: number;
  /** The pages that mention `content`, best first. */
  hits?: DPEHit[];
  /** Documents that were not searched yet, so that a later search may find more. */
  pending?: number;
  /** The MCP servers with documents that were not searched: they cannot, may not, or did not in time. */
  unsearched?: string[];
}

/**
 * Filters, orders and pages documents. Servers come in order of last use, then by name; within a server the newest
 * document comes first and undated ones last. Throws 400 when `offset` or `limit` is not a whole number, 0 or more.
 *
 * @param history names of the servers whose tools were called, oldest first
 */
export function organizeFinder(
  documents: readonly DPEDocumentSummary[],
  { file_type: fileType, ...query }: DocumentQuery = {},
  history?: readonly string[],
): FinderPage {
  const byServer = new Map<string, DPEDocumentSummary[]>();
  for (const document of documents) {
    if (!isDpeUri(document.uri)) continue;
    const neighbours = byServer.get(document.server);
    if (neighbours) neighbours.push(document);
    else byServer.set(document.server, [document]);
  }
  const shelves = [...byServer].map(([server, itsDocuments]) => new Shelf(server, itsDocuments));
  return organizeShelves(shelves, { ...query, fileType }, history);
}

/** Which documents to show of the catalogue. */
export interface FinderQuery {
  /** Documents that mention any of these in their title, keywords or summary. */
  keywords?: readonly string[] | undefined;
  /** As in `xlsx`. */
  fileType?: string | undefined;
  /** Words that pages mention; those in quotes must follow each other. Then pages are found, not documents. */
  content?: string | undefined;
  /** @default 0 */
  offset?: number | undefined;
  /** More than 100 counts as 100. @default 20 */
  limit?: number | undefined;
  /** Called with everything that is left out or ignored, and why. The log has each problem once. */
  onProblem?: (problem: ResourceProblem) => void;
}

/** As `organizeFinder`, for documents that are in order within each server. */
export function organizeShelves(
  shelves: readonly Shelf[],
  { keywords = [], fileType = '', offset = 0, limit = 20 }: FinderQuery,
  history: readonly string[] = [],
): FinderPage {
  const size = checkPaging({ offset, limit });
  const compareServers = byLastUse(history);
  const matches = shelves
    .toSorted((a, b) => compareServers(a.server, b.server))
    .map(shelf => shelf.matching({ keywords, fileType }));
  return {
    documents: cut(matches, offset, size),
    totalCount: matches.reduce((sum, { length }) => sum + length, 0),
  };
}

/** A part of all lists, as if they were one. */
function cut<T>(lists: readonly (readonly T[])[], offset: number, limit: number): T[] {
  const taken: T[] = [];
  let skip = offset;
  for (const list of lists) {
    taken.push(...list.slice(skip, skip + limit - taken.length));
    skip = Math.max(0, skip - list.length);
  }
  return taken;
}

/** The number of matches on a page. Throws 400 when `offset` or `limit` is not a whole number, 0 or more. */
export function checkPaging(paging: { offset: number; limit: number }): number {
  for (const [name, value] of Object.entries(paging)) {
    if (Number.isInteger(value) && value >= 0) continue;
    throw new SmcpError(ErrorCode.BadRequest, `'${name}' must be a whole number, 0 or more`);
  }
  return Math.min(paging.limit, MAX_PAGE_SIZE);
}

function isDpeUri(uri: string): boolean {
  try {
    parseDpeUri(uri);
    return true;
  } catch {
    return false;
  }
}
