import type { IdentifiedElement } from '../content/element.ts';
import type { DocumentHeader, LocatedFile } from '../formats/reader.ts';

/** A file at one moment. Another time or size makes it another file. */
export interface FileVersion extends LocatedFile {
  /** Milliseconds since 1970. */
  modified: number;
}

/** A page on its way from where it was parsed, serialised once and for all. */
export interface PagePayload {
  title: string;
  /** What opening the document told, which may be more than its header did. */
  document: DocumentHeader;
  elementIds: string[];
  /** The elements as JSON. */
  elements: Uint8Array;
  /** Later portions of long tables, and elements that are too large for the page, as JSON by their ids. */
  details: [id: string, json: Uint8Array][];
}

/** An element as it is stored: of a long table's later portions only the number is here. */
export type StoredElement = Omit<IdentifiedElement, 'overflow'> & {
  overflow?: { size: number; count: number };
  /** Its content is among the details of the page. */
  isOmitted?: true;
};

export interface ParseOptions {
  /** Called with the share that is done, from 0 to 1. */
  onProgress?: ((share: number) => void) | undefined;
  /** Gives the page up. A parser that does not end soon after is terminated. */
  signal?: AbortSignal | undefined;
}

/** Where documents are parsed. */
export interface Sessions {
  /** What the catalogue says of a file; it is opened only if its header does not tell. */
  header(file: FileVersion): Promise<DocumentHeader>;
  page(file: FileVersion, index: number, options?: ParseOptions): Promise<PagePayload>;
  /** The page that an element's id names, for formats whose ids do. */
  pageOfScope(file: FileVersion, scope: string): Promise<number | undefined>;
  close(): Promise<void>;
}

/** Names a version of a file, as a key. */
export function versionKey({ path, size, modified }: FileVersion): string {
  return `${path}\n${size}\n${modified}`;
}
