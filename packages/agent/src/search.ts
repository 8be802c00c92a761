import type { DPEDocumentSummary, DPEHit } from '@a2c-smcp/protocol';
import type { FinderPage } from './events.ts';
import type { FinderOptions } from './options.ts';

/** Milliseconds; a Computer takes less, unless the connection is slow. */
const SEARCH_TIMEOUT_MS = 20_000;

export interface SearchOptions extends Omit<FinderOptions, 'content' | 'offset'> {
  /** @default all Computers of the office */
  computers?: readonly string[];
}

/** A page that mentions the words of a search. */
export interface FoundPage {
  computer: string;
  document: DPEDocumentSummary;
  hit: DPEHit;
}

/** The pages that several Computers found. */
export interface SearchResult {
  /** The best first. */
  found: FoundPage[];
  /** Documents that were not searched yet, so that a later search may find more. */
  pending: number;
  /** Computers, or MCP servers of them, that were not searched, and why. */
  unsearched: { computer: string; reason: string }[];
}

/** Searches on all Computers at once, and ranks their hits together. One that is slow or fails harms no other. */
export async function searchComputers(
  getFinder: (computer: string, options: FinderOptions) => Promise<FinderPage>,
  content: string,
  { computers = [], limit = 20, timeout = SEARCH_TIMEOUT_MS, ...options }: SearchOptions,
): Promise<SearchResult> {
  const answers = await Promise.all(
    computers.map(async computer => {
      try {
        return answered(computer, await getFinder(computer, { ...options, content, limit, timeout }));
      } catch (error) {
        options.signal?.throwIfAborted();
        return unanswered(computer, error instanceof Error ? error.message : String(error));
      }
    }),
  );
  const found = answers.flatMap(answer => answer.found).toSorted((a, b) => b.hit.score - a.hit.score);
  return {
    found: found.slice(0, limit),
    pending: answers.reduce((sum, { pending }) => sum + pending, 0),
    unsearched: answers.flatMap(({ unsearched }) => unsearched),
  };
}

function answered(computer: string, page: FinderPage): SearchResult {
  const { documents, hits, pending = 0, unsearched = [] } = page;
  if (!hits) return unanswered(computer, 'It cannot search inside documents');
  const byName = new Map(documents.map(document => [nameOf(document), document]));
  const found = hits.flatMap(hit => {
    const document = byName.get(nameOf(hit));
    return document ? [{ computer, document, hit }] : [];
  });
  const reasons = unsearched.map(server => ({ computer, reason: `MCP server '${server}' was not searched` }));
  return { found, pending, unsearched: reasons };
}

function unanswered(computer: string, reason: string): SearchResult {
  return { found: [], pending: 0, unsearched: [{ computer, reason }] };
}

function nameOf({ server, doc_ref }: DPEDocumentSummary | DPEHit): string {
  return `${server}\n${doc_ref}`;
}
