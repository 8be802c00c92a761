import type { DPEDocumentSummary } from '@a2c-smcp/protocol';
import { compare } from '../resources/view.ts';
import { SearchText } from './search-text.ts';

/** Which documents of a shelf. */
export interface ShelfQuery {
  /** Documents that mention any of these. None means every document. */
  keywords: readonly string[];
  /** Empty means every type. */
  fileType: string;
}

/**
 * The documents of one server, put in order once for any number of queries: the newest first, undated ones last, equal
 * ones as they were given.
 */
export class Shelf {
  readonly server: string;
  readonly #documents: readonly DPEDocumentSummary[];
  #text?: SearchText;
  #byUri?: ReadonlyMap<string, DPEDocumentSummary>;

  constructor(server: string, documents: readonly DPEDocumentSummary[]) {
    this.server = server;
    this.#documents = newestFirst(documents);
  }

  /** The documents that match, in their order. */
  matching({ keywords, fileType }: ShelfQuery): readonly DPEDocumentSummary[] {
    const mentioning = keywords.length === 0 ? this.#documents : this.#mentioning(keywords);
    return fileType === '' ? mentioning : mentioning.filter(({ file_type }) => file_type === fileType);
  }

  /** The document with this URI. */
  get(uri: string): DPEDocumentSummary | undefined {
    this.#byUri ??= new Map(this.#documents.map(document => [document.uri, document]));
    return this.#byUri.get(uri);
  }

  #mentioning(keywords: readonly string[]): readonly DPEDocumentSummary[] {
    this.#text ??= new SearchText(this.#documents);
    return this.#text.find(keywords).flatMap(place => this.#documents[place] ?? []);
  }
}

/** The sort key of a document, computed once and not at every comparison. */
interface DatedDocument {
  document: DPEDocumentSummary;
  /** Empty when the document has no date. */
  modified: string;
  /** Absent when the date cannot be read. */
  time: number | undefined;
}

function newestFirst(documents: readonly DPEDocumentSummary[]): readonly DPEDocumentSummary[] {
  return documents
    .map((document): DatedDocument => {
      const { last_modified: modified = '' } = document;
      return { document, modified, time: timeOf(modified) };
    })
    .sort(compareAge)
    .map(({ document }) => document);
}

function compareAge(a: DatedDocument, b: DatedDocument): number {
  if (a.time !== undefined && b.time !== undefined) return b.time - a.time;
  // Strings from here on, and the empty one is the smallest: documents without a date come last.
  return compare(b.modified, a.modified);
}

const ISO_8601 =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<minutes>\d\d:\d\d)(?<seconds>:\d\d)?(?:[.,](?<fraction>\d+))?(?<zone>Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * An ISO 8601 date or date and time as milliseconds since 1970, with fractions of them. Without a zone it is UTC, so
 * that no order depends on where a machine stands. Undefined when it is something else.
 */
function timeOf(text: string): number | undefined {
  const { date, minutes = '00:00', seconds = ':00', fraction = '0', zone = 'Z' } = ISO_8601.exec(text)?.groups ?? {};
  if (date === undefined) return undefined;
  const time = Date.parse(`${date}T${minutes}${seconds}${zone.toUpperCase()}`) + Number(`0.${fraction}`) * 1000;
  return Number.isNaN(time) ? undefined : time;
}
