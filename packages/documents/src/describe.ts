import { pathToFileURL } from 'node:url';
import type { DPECatalog } from '@a2c-smcp/protocol';
import type { CatalogEntry } from './catalog/catalog.ts';
import { shorten } from './content/element.ts';
import type { DocumentHeader } from './formats/reader.ts';

/** The catalogue is read in whole, so a file cannot fill it with keywords. */
const MAX_KEYWORDS = 50;

/** What the catalogue says of a document. */
export type DocumentDescription = DPECatalog['documents'][number];

/** A document as the list of resources shows it. */
export interface ListedDocument {
  entry: CatalogEntry;
  description: DocumentDescription;
}

/** Some of the documents. */
export interface DocumentList {
  documents: ListedDocument[];
  /** How many there are altogether. */
  total: number;
}

/** Puts together what the file and its header tell. A document without a title is called like its file. */
export function describe({ docRef, uri, file }: CatalogEntry, header: DocumentHeader): DocumentDescription {
  const { title = file.name, keywords, summary, pageCount } = header;
  return {
    doc_ref: docRef,
    uri,
    file_uri: pathToFileURL(file.path).href,
    file_type: file.type,
    title: shorten(title, 200) || file.name,
    page_count: pageCount,
    ...(keywords !== undefined && { keywords: keywords.slice(0, MAX_KEYWORDS).map(keyword => shorten(keyword, 100)) }),
    ...(summary !== undefined && { summary: shorten(summary, 300) }),
    last_modified: new Date(file.modified).toISOString(),
  };
}
