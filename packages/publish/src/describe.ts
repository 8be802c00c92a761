import { buildDpeUri, type DPECatalog, type DPEPageSummary } from '@a2c-smcp/protocol';
import type { Resource } from '@modelcontextprotocol/server';
import { shorten } from './content/element.ts';
import type { DocumentInfo } from './source.ts';

/** Limits the share of one document in the catalogue, which is read in whole. */
const MAX_KEYWORDS = 100;
/** Types that are not documents. */
const MAX_TYPES = 20;

/** A document in the catalogue. */
export type DocumentDescription = DPECatalog['documents'][number];

/** A document in the form of the wire. Its `page_count` is 0 while it is unknown. */
export function describeDocument(info: DocumentInfo, host: string): DocumentDescription {
  const { ref, title, type = '', fileUri = '', pageCount = 0, keywords, summary, modified } = info;
  return {
    doc_ref: ref,
    uri: buildDpeUri({ host, docRef: ref }),
    file_uri: fileUri,
    file_type: type,
    title: shorten(title, 200) || ref,
    page_count: pageCount,
    ...(keywords !== undefined && { keywords: keywords.slice(0, MAX_KEYWORDS).map(keyword => shorten(keyword, 300)) }),
    ...(summary !== undefined && { summary: shorten(summary, 300) }),
    ...(modified !== undefined && { last_modified: typeof modified === 'string' ? modified : modified.toISOString() }),
  };
}

/** Without `page_count` if it is unknown: a Computer then reads Level 1 of the document. */
export function toResource(info: DocumentInfo, host: string): Resource {
  const { mimeType, size, pageCount } = info;
  const { uri, title, summary, file_type, keywords, file_uri, last_modified } = describeDocument(info, host);
  const counted = pageCount === undefined ? {} : { page_count: pageCount };
  return {
    uri,
    name: title,
    title,
    ...(summary !== undefined && { description: summary }),
    ...(mimeType !== undefined && { mimeType }),
    ...(size !== undefined && { size }),
    ...(last_modified !== undefined && { annotations: { lastModified: last_modified } }),
    _meta: { ...counted, file_type, file_uri, ...(keywords !== undefined && { keywords }) },
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
