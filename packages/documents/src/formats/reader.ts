import type { IdentifiedElement, Page } from '../content/element.ts';
import type { FileSource } from '../file/file-source.ts';
import type { FileLocation } from '../file/location.ts';
import { UnreadableError } from '../file/unreadable-error.ts';

export { UnreadableError };

/** What a document says of itself. Whatever is missing is filled in from the file's name. */
export interface DocumentFacts {
  title?: string;
  keywords?: string[];
  summary?: string;
}

/** What the catalogue says of a document. */
export interface DocumentHeader extends DocumentFacts {
  pageCount: number;
  /** Set when the file cannot be read; its pages then say so. */
  problem?: string;
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

/**
 * Looks at a file just long enough for the catalogue: it reads and computes a bounded amount, however large the file
 * is, and counts the pages that opening the file finds. Nothing means that only opening the file can tell.
 */
export type HeaderReader = (source: FileSource, file: FileFacts) => Promise<DocumentHeader | undefined>;

/** One family of files. */
export type OpenReader = (file: LocatedFile) => Promise<OpenDocument>;

/** What is known of a file before it is opened. */
export interface FileFacts {
  /** Without its extension. */
  name: string;
  /** Lower-case extension without the dot. */
  type: string;
  /** Bytes. */
  size: number;
}

export interface LocatedFile extends FileFacts, FileLocation {}

/** What a reader is told; the details of an unexpected failure stay here. */
export function problemOf(error: unknown): string {
  return error instanceof UnreadableError
    ? error.message
    : 'The file is damaged or uses something that is not understood';
}

/** What the catalogue says of a file that cannot be read. */
export function problemHeader(problem: string, pageCount = 1): DocumentHeader {
  return { pageCount, problem, summary: `This file cannot be read. ${problem}` };
}
