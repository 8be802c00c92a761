import type { Picture } from '@a2c-smcp/publish';
import type { IdentifiedElement, Page } from '@a2c-smcp/publish/content';
import { type FileVersion, UnreadableError } from '../file.ts';

/** Title, keywords and summary that a document carries itself. The name of the file stands in for a missing title. */
export interface DocumentFacts {
  title?: string;
  keywords?: string[];
  summary?: string;
}

/** Everything that the catalogue shows of an opened document beside its file. */
export interface Synopsis extends DocumentFacts {
  pageCount: number;
  /** Set when the file cannot be read; its pages then show the reason. */
  problem?: string;
}

export interface PageOptions {
  /** Called now and then while a page takes long, with the share that is done, from 0 to 1. */
  onProgress?: ((share: number) => void) | undefined;
}

/** A page, and the picture in which its words may be, if it has one. */
export interface ReadPage extends Page<IdentifiedElement> {
  /** The `part` of the picture that holds the words of the page: a scan, a photo, a screenshot. */
  scan?: string;
}

/** Bytes of a text whose pages are parsed in a moment. */
export const SMALL_TEXT_BYTES = 32 * 1024;

/** An open document. Pages are parsed on request where the format allows it. */
export interface OpenDocument {
  readonly facts: DocumentFacts;
  readonly pageCount: number;
  /** Set if all pages are parsed when the document is opened, or in less time than a message between threads takes. */
  readonly isWhole?: boolean;
  /** @param index below `pageCount` */
  page(index: number, options?: PageOptions): Promise<ReadPage>;
  /** The page whose elements carry this scope in their ids, for formats with lasting names of pages. */
  pageOfScope?(scope: string): number | undefined;
  close(): Promise<void>;
}

/** Opens the files of one format. Throws an `UnreadableError` with the reason where it knows one. */
export type OpenReader = (file: FileVersion) => Promise<OpenDocument>;

/** Reads a picture of a file by the `part` in the metadata of its element; undefined if it cannot be shown. */
export type PictureReader = (file: FileVersion, part: string) => Promise<Picture | undefined>;

/** The reason that is shown for a failure; details of an unexpected one are withheld. */
export function problemOf(error: unknown): string {
  return error instanceof UnreadableError
    ? error.message
    : 'The file is damaged or uses something that is not understood';
}

/** The synopsis of a file that cannot be read. */
export function problemSynopsis(problem: string): Synopsis {
  return { pageCount: 1, problem, summary: `This file cannot be read. ${problem}` };
}
