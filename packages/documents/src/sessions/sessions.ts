import type { MessagePort } from 'node:worker_threads';
import type { Picture } from '@a2c-smcp/publish';
import type { IdentifiedElement, TableOverflow } from '@a2c-smcp/publish/content';
import type { FileVersion } from '../file.ts';
import type { Synopsis } from '../formats/reader.ts';

/** A parsed page on its way out of the worker, serialised once. */
export interface PagePayload {
  index: number;
  title: string;
  /** Differs whenever the page does. Places of elements in the file are no part of it: they change with other pages. */
  hash: string;
  elementIds: string[];
  /** The elements as JSON. */
  elements: Uint8Array;
  /** Later portions of long tables, and elements that are too large for the page, as JSON by their ids. */
  details: [id: string, json: Uint8Array][];
}

/** An opened document with some of its pages. */
export interface PagesPayload {
  synopsis: Synopsis;
  /** The requested page first, unless it is behind the last; then those that follow and were parsed with it. */
  pages: PagePayload[];
}

/** An element as it is stored: of a long table's later portions only the number is here, and its id is made. */
export type StoredElement = Omit<IdentifiedElement, 'overflow' | 'identity'> & {
  overflow?: Omit<TableOverflow, 'portions'>;
  /** Its content is among the details of the page. */
  isOmitted?: true;
};

/** The words of some pages, for the search index. */
export interface TextPayload {
  pages: { page: number; title: string; text: string }[];
  synopsis?: Synopsis;
  /** The page to go on with; undefined behind the last. */
  next?: number | undefined;
}

export interface AheadOptions {
  /** Bytes of pages to hand over beside the requested one, if they are parsed anyway. @default 0 */
  aheadBytes?: number | undefined;
}

export interface ParseOptions {
  /** Called with the share that is done, from 0 to 1. */
  onProgress?: ((share: number) => void) | undefined;
  /** Cancels parsing. A parser that does not end soon after is terminated. */
  signal?: AbortSignal | undefined;
}

export interface SynopsisOptions extends AheadOptions {
  signal?: AbortSignal | undefined;
  /** Runs after everything else, and does not keep the document open. @default false */
  isBackground?: boolean | undefined;
}

/** Opens and parses documents. */
export interface Sessions {
  /** The synopsis, and the first pages as far as `aheadBytes` reach. */
  synopsis(file: FileVersion, options?: SynopsisOptions): Promise<PagesPayload>;
  /** One page, and those after it as far as `aheadBytes` reach. */
  page(file: FileVersion, index: number, options?: ParseOptions & AheadOptions): Promise<PagesPayload>;
  /** The page that the scope of an element's id names, for formats with scopes. */
  pageOfScope(file: FileVersion, scope: string): Promise<number | undefined>;
  /** The words of pages from `from` on, as many as are read within a short time. Runs after everything else. */
  texts(file: FileVersion, from: number): Promise<TextPayload>;
  /** The picture that a part of the file holds. */
  picture(file: FileVersion, part: string): Promise<Picture | undefined>;
  close(): Promise<void>;
}

/** The settings of a worker. */
export interface WorkerOptions {
  /** A port at which pictures are read, if text recognition is on. */
  recogniser?: MessagePort;
}

/** A request to a worker, which has one in flight at a time. */
export type Question = { file: FileVersion } & (
  | { ask: 'synopsis'; isBackground: boolean; aheadBytes?: number | undefined }
  | { ask: 'page'; index: number; aheadBytes?: number | undefined }
  | { ask: 'pageOfScope'; scope: string }
  | { ask: 'texts'; from: number }
  | { ask: 'picture'; part: string }
);

/** The messages of a worker: one when it has started; then, for each request, any number of progress messages and an end. */
export type WorkerReply =
  | 'ready'
  | { progress: number }
  | { answer: PagesPayload | TextPayload | Picture | number | undefined }
  | { failure: string };
