import { pathToFileURL } from 'node:url';
import type { DPECatalog, DPEPageSummary } from '@a2c-smcp/protocol';
import type { CatalogEntry } from './catalog/catalog.ts';
import { shorten } from './content/element.ts';
import type { Synopsis } from './formats/reader.ts';

/** Limits the share of one file in the catalogue, which is read in whole. */
const MAX_KEYWORDS = 50;
/** Extensions of files that are not shown. */
const MAX_TYPES = 20;

/** A document in the catalogue. */
export type DocumentDescription = DPECatalog['documents'][number];

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
 * Describes a document by its file and its synopsis. A document without a title is named like its file; one without a
 * synopsis was not opened yet, and its `page_count` is 0. The path of the file is a keyword, so that a search finds it by
 * its name or its folder.
 */
export function describe({ docRef, uri, file }: CatalogEntry, synopsis?: Synopsis): DocumentDescription {
  const { title = file.name, keywords = [], summary, pageCount = 0 } = synopsis ?? {};
  return {
    doc_ref: docRef,
    uri,
    file_uri: pathToFileURL(file.path).href,
    file_type: file.type,
    title: shorten(title, 200) || file.name,
    page_count: pageCount,
    keywords: [...keywords.slice(0, MAX_KEYWORDS).map(keyword => shorten(keyword, 100)), shorten(docRef, 300)],
    ...(summary !== undefined && { summary: shorten(summary, 300) }),
    last_modified: new Date(file.modified).toISOString(),
  };
}

/** The catalogue as a list of links. */
export function catalogMarkdown(
  documents: readonly DocumentDescription[],
  total: number,
  leftOut: Record<string, number> = {},
): string {
  const lines = documents.map(({ title, uri, file_type, page_count, summary }) => {
    const facts = [file_type, pages(page_count)].filter(Boolean).join(', ');
    return `- [${title}](${uri}) (${facts})${summary === undefined ? '' : `: ${summary}`}`;
  });
  const count = `${total} ${total === 1 ? 'document' : 'documents'}`;
  const heading = documents.length === total ? `# ${count}` : `# ${documents.length} of ${count}`;
  const types = Object.entries(leftOut).map(
    ([type, number]) => `${number} ${type === '' ? 'without extension' : type}`,
  );
  const left =
    types.length === 0 ? '' : `Not shown, because no reader knows them: ${types.slice(0, MAX_TYPES).join(', ')}`;
  return [heading, lines.join('\n'), left].filter(Boolean).join('\n\n');
}

/** The description of a document and, if given, its pages. */
export function documentMarkdown(document: DocumentDescription, index: readonly DPEPageSummary[] = []): string {
  const { title, file_type, page_count, last_modified, keywords = [], summary } = document;
  const facts = [file_type, pages(page_count), last_modified && `modified ${last_modified.slice(0, 10)}`].filter(
    Boolean,
  );
  const lines = index.map(({ page_index, title: pageTitle, uri, element_count }) => {
    return `- ${page_index}: [${pageTitle}](${uri}), ${element_count} ${element_count === 1 ? 'element' : 'elements'}`;
  });
  return [
    `# ${title}`,
    facts.join(', '),
    keywords.length > 0 ? `Keywords: ${keywords.join(', ')}` : '',
    summary ?? '',
    lines.join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Empty while the count is unknown. */
function pages(count: number): string {
  if (count === 0) return '';
  return `${count} ${count === 1 ? 'page' : 'pages'}`;
}
