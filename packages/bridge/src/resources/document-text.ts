import type { DPEDocument, DPEDocumentSummary, DPEPage, FoundPage, PageFormat } from '@a2c-smcp/agent';
import { ErrorCode, SmcpError } from '@a2c-smcp/agent';
import { parseDpeUri } from '@a2c-smcp/protocol';
import type { OfficeAgent } from '../office-agent.ts';
import { officeUri } from './office-uri.ts';

/** Pages in the overview of a document. */
const PAGES_SHOWN = 50;

/** A text for a model or a person. */
export interface DocumentText {
  text: string;
  mimeType: string;
}

interface Wanted {
  computer: string;
  /** A `dpe://` URI of level 1 to 3. */
  uri: string;
  signal: AbortSignal;
}

/** A document, page or element as text: Markdown unless the URI asks for another format. */
export async function readDocumentText(agent: OfficeAgent, wanted: Wanted): Promise<DocumentText> {
  const { computer, uri, signal } = wanted;
  const { level, page = 0, element = '', query } = parseDpeUri(uri);
  if (level === 3) return json(await agent.readElement(computer, uri, element, { signal }));
  if (level === 2) {
    const { format = 'markdown', categories } = query;
    const read = await agent.readPage(computer, uri, page, { format, signal, ...(categories && { categories }) });
    return pageText(read, format);
  }
  if (level === 0) {
    throw new SmcpError(ErrorCode.InvalidDpeUri, `DPE URI '${uri}' names no document`, { details: { uri } });
  }
  const { offset = 0, limit = PAGES_SHOWN, format } = query;
  const document = await agent.readPages(computer, uri, { offset, limit, signal });
  if (format === 'json') return json(document);
  const overview = documentOverview(computer, document);
  if (document.page_count !== 1 || offset > 0) return { text: overview, mimeType: 'text/markdown' };
  const only = await agent.readPage(computer, uri, 0, { format: 'markdown', signal });
  return { text: `${overview}\n\n---\n\n${pageText(only, 'markdown').text}`, mimeType: 'text/markdown' };
}

/** A document of a catalogue in two or three lines. */
export function summaryLines(computer: string, document: DPEDocumentSummary): string {
  const { uri, title, summary } = document;
  const lines = [`- ${oneLine(title || uri)} (${factsOf(document)})`, `  ${officeUri(computer, uri)}`];
  if (summary) lines.push(`  ${oneLine(summary)}`);
  return lines.join('\n');
}

/** A page that a search found, in three lines. */
export function hitLines({ computer, document, hit }: FoundPage): string {
  const title = oneLine(document.title || document.uri);
  const page = hit.title === '' || hit.title === document.title ? '' : `: ${oneLine(hit.title)}`;
  const head = `- ${title}, page ${hit.page_index}${page} (${document.file_type || 'document'}, computer '${computer}')`;
  return [head, `  ${officeUri(computer, hit.uri)}`, `  ${oneLine(hit.passage)}`].join('\n');
}

function documentOverview(computer: string, document: DPEDocument): string {
  const { uri, title, keywords = [], summary, pages = [], page_offset = 0, page_total, page_count } = document;
  const lines = [`# ${oneLine(title || uri)}`, '', `${factsOf(document)}, on computer '${computer}'`];
  if (keywords.length > 0) lines.push(`Keywords: ${oneLine(keywords.join(', '))}`);
  if (summary) lines.push('', summary);
  if (pages.length > 0) lines.push('', '## Pages', '');
  for (const page of pages) lines.push(`- ${page.page_index}: ${oneLine(page.title)} ${officeUri(computer, page.uri)}`);
  const next = page_offset + pages.length;
  const total = page_total ?? page_count;
  if (next < total) lines.push('', `${total - next} more pages: add ?offset=${next} to the URI`);
  return lines.join('\n');
}

function factsOf({ file_type, page_count, last_modified }: DPEDocument | DPEDocumentSummary): string {
  const pages = page_count === 0 ? [] : [`${page_count} ${page_count === 1 ? 'page' : 'pages'}`];
  const changed = last_modified ? [`changed ${last_modified}`] : [];
  return [file_type || 'document', ...pages, ...changed].join(', ');
}

/** MCP servers need not know the formats; their pages then have elements only. */
function pageText(page: DPEPage, format: PageFormat): DocumentText {
  const { content_markdown, content_text } = page;
  if (format === 'markdown' && content_markdown !== undefined)
    return { text: content_markdown, mimeType: 'text/markdown' };
  if (format === 'text' && content_text !== undefined) return { text: content_text, mimeType: 'text/plain' };
  return json(page);
}

function json(value: unknown): DocumentText {
  return { text: JSON.stringify(value, null, 1), mimeType: 'application/json' };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
