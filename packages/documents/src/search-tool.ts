import { buildDpeUri, ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import type { DocumentLibrary } from './library.ts';

const MAX_HITS = 50;

/** The tool that finds pages by their words, as MCP lists it. */
export const searchTool = {
  name: 'search_documents',
  title: 'Search in documents',
  description:
    'Finds pages of documents by their words. Returns the best pages with a passage and the dpe:// address to read. ' +
    'Words in "quotes" must follow each other.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      query: { type: 'string', description: 'The words to look for' },
      limit: { type: 'integer', minimum: 1, maximum: MAX_HITS, description: 'The most pages to return; 10 by default' },
      file_type: { type: 'string', description: 'Only documents of this type, as in pdf' },
    },
    required: ['query'],
  },
  outputSchema: {
    type: 'object' as const,
    properties: {
      hits: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            uri: { type: 'string' },
            doc_ref: { type: 'string' },
            page_index: { type: 'integer' },
            title: { type: 'string' },
            passage: { type: 'string' },
            score: { type: 'number' },
          },
          required: ['uri', 'doc_ref', 'page_index', 'title', 'passage', 'score'],
        },
      },
      pending: { type: 'integer', description: 'Documents that were not read yet; a later search may find more' },
    },
    required: ['hits', 'pending'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  // By this a Computer knows that the tool searches the documents of its MCP server.
  _meta: { document_search: true },
};

/** Calls the tool. Throws `SmcpError` for arguments that it does not accept. */
export async function callSearchTool(library: DocumentLibrary, args: Record<string, unknown>, signal?: AbortSignal) {
  const { query, limit = 10, file_type: fileType } = args;
  if (typeof query !== 'string' || query.trim() === '') {
    throw new SmcpError(ErrorCode.BadRequest, "'query' must be a text with at least one word");
  }
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1) {
    throw new SmcpError(ErrorCode.BadRequest, `'limit' must be a number from 1 to ${MAX_HITS}`);
  }
  if (fileType !== undefined && typeof fileType !== 'string') {
    throw new SmcpError(ErrorCode.BadRequest, "'file_type' must be a text");
  }
  const options = { limit: Math.min(limit, MAX_HITS), fileType, signal };
  const { hits: found, pending } = await library.search(query, options);
  const hits = found.map(({ entry: { docRef }, page, title, passage, score }) => ({
    uri: buildDpeUri({ host: library.host, docRef, page }),
    doc_ref: docRef,
    page_index: page,
    title,
    passage,
    score,
  }));
  const text = [
    hits.length === 0 ? 'No page mentions these words.' : '',
    ...hits.map(({ uri, doc_ref, title, passage }) => `- [${doc_ref}: ${title}](${uri})\n  ${passage}`),
    pending === 0 ? '' : `${pending} documents were not read yet; search again later to include them.`,
  ];
  return {
    content: [{ type: 'text' as const, text: text.filter(Boolean).join('\n') }],
    structuredContent: { hits, pending },
  };
}
