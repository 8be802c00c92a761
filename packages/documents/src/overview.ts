import type { DPEPageSummary } from '@a2c-smcp/protocol';
import type { DocumentDescription } from './describe.ts';

/** The catalogue as a list of links. */
export function catalogMarkdown(documents: readonly DocumentDescription[], total: number): string {
  const lines = documents.map(({ title, uri, file_type, page_count, summary }) => {
    const facts = `${file_type}, ${pages(page_count)}`;
    return `- [${title}](${uri}) (${facts})${summary === undefined ? '' : `: ${summary}`}`;
  });
  const count = `${total} ${total === 1 ? 'document' : 'documents'}`;
  const heading = documents.length === total ? `# ${count}` : `# ${documents.length} of ${count}`;
  return [heading, lines.join('\n')].filter(Boolean).join('\n\n');
}

/** A document with what is known of it and, if given, its pages. */
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

function pages(count: number): string {
  return `${count} ${count === 1 ? 'page' : 'pages'}`;
}
