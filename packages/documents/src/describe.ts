import { pathToFileURL } from 'node:url';
import type { DPECatalog } from '@a2c-smcp/protocol';
import type { DocumentInfo } from '@a2c-smcp/publish';
import { shorten } from '@a2c-smcp/publish/content';
import type { CatalogEntry } from './catalog/catalog.ts';
import type { Synopsis } from './formats/reader.ts';

/** Limits the share of one file in the catalogue, which is read in whole. */
const MAX_KEYWORDS = 50;

/** A document in the catalogue. */
export type DocumentDescription = DPECatalog['documents'][number];

/** A document as the library publishes it. */
export type LibraryDocument = DocumentInfo & { entry: CatalogEntry };

/** A document as the list of resources shows it. */
export interface ListedDocument {
  entry: CatalogEntry;
  description: DocumentDescription;
}

/** Some of the documents. */
export interface DocumentList {
  documents: ListedDocument[];
  /** The number of all documents. */
  total: number;
  /** The number of files that no reader knows, by extension, most first. */
  leftOut: Record<string, number>;
}

/**
 * Describes a document by its file and its synopsis. A document without a title is named like its file; one
 * without a synopsis was not opened yet. The path of the file is a keyword, so that a search finds it by its name or its
 * folder.
 */
export function infoOf({ docRef, file, mimeType }: CatalogEntry, synopsis?: Synopsis): DocumentInfo {
  const { title = file.name, keywords = [], summary, pageCount = 0 } = synopsis ?? {};
  return {
    ref: docRef,
    title: shorten(title, 200) || file.name,
    type: file.type,
    fileUri: pathToFileURL(file.path).href,
    pageCount,
    keywords: [...keywords.slice(0, MAX_KEYWORDS).map(keyword => shorten(keyword, 100)), shorten(docRef, 300)],
    summary,
    modified: new Date(file.modified),
    mimeType,
    size: file.size,
  };
}
