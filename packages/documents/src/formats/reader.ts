import type { IdentifiedElement, Page } from '../content/element.ts';

/** What a document says of itself. Whatever is missing is filled in from the file's name. */
export interface DocumentFacts {
  title?: string;
  keywords?: string[];
  summary?: string;
}

export interface PageOptions {
  /** Called now and then while a page takes long, with the share that is done, from 0 to 1. */
  onProgress?: (share: number) => void;
}

/** A document in reading. Opening it costs little; each page is parsed when it is asked for. */
export interface OpenDocument {
  readonly facts: DocumentFacts;
  readonly pageCount: number;
  /** @param index below `pageCount` */
  page(index: number, options?: PageOptions): Promise<Page<IdentifiedElement>>;
  /** The page whose elements carry this scope in their ids, for formats with lasting names of pages. */
  pageOfScope?(scope: string): number | undefined;
  close(): Promise<void>;
}

/** One family of files. */
export type OpenReader = (path: string, file: FileFacts) => Promise<OpenDocument>;

/** What is known of a file before it is opened. */
export interface FileFacts {
  /** Without its extension. */
  name: string;
  /** Lower-case extension without the dot. */
  type: string;
  /** Bytes. */
  size: number;
}

/** Why a file cannot be read, as a sentence for a person. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}
