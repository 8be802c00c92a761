import type { DPEDocumentSummary } from '@a2c-smcp/protocol';
import { compare } from '../views/server-order.ts';
import { SearchText } from './search-text.ts';
import { timeOf } from './time.ts';

/** Which documents of a shelf. */
export interface ShelfQuery {
  /** Documents that mention any of these. None means every document. */
  keywords: readonly string[];
  /** Empty means every type. */
  file_type: string;
}

/**
 * The documents of one server, put in order once for any number of queries: the newest first, undated ones last, equal
 * ones as they were given.
 */
export class Shelf {
  readonly server: string;
  readonly #documents: readonly DPEDocumentSummary[];
  #text?: SearchText;

  constructor(server: string, documents: readonly DPEDocumentSummary[]) {
    this.server = server;
    this.#documents = newestFirst(documents);
  }

  /** The documents that match, in their order. */
  matching({ keywords, file_type }: ShelfQuery): readonly DPEDocumentSummary[] {
    const mentioning = keywords.length === 0 ? this.#documents : this.#mentioning(keywords);
    return file_type === '' ? mentioning : mentioning.filter(document => document.file_type === file_type);
  }

  #mentioning(keywords: readonly string[]): readonly DPEDocumentSummary[] {
    this.#text ??= new SearchText(this.#documents);
    return this.#text.find(keywords).flatMap(place => this.#documents[place] ?? []);
  }
}

/** What decides a document's place, worked out once and not at every comparison. */
interface Place {
  document: DPEDocumentSummary;
  /** Empty when it does not say when it was modified. */
  modified: string;
  /** Absent when that is no point in time. */
  time: number | undefined;
}

function newestFirst(documents: readonly DPEDocumentSummary[]): readonly DPEDocumentSummary[] {
  return documents
    .map((document): Place => {
      const { last_modified: modified = '' } = document;
      return { document, modified, time: timeOf(modified) };
    })
    .sort(compareAge)
    .map(({ document }) => document);
}

function compareAge(a: Place, b: Place): number {
  if (a.time !== undefined && b.time !== undefined) return b.time - a.time;
  // Strings from here on, and the empty one is the smallest: documents without a date come last.
  return compare(b.modified, a.modified);
}
