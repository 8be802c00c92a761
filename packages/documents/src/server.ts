import { type Logger, silentLogger, VERSION } from '@a2c-smcp/core';
import { DPEElementDetail, ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import {
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import { complete } from './complete.ts';
import type { ListedDocument } from './describe.ts';
import type { DocumentLibrary, ReadOptions } from './library.ts';
import { callSearchTool, searchTool } from './search-tool.ts';

const IDENTITY = { name: 'a2c-smcp-documents', version: VERSION };
/** Documents in one answer: some 300 kB of JSON at most, which fits the messages of an office. */
const LIST_PAGE_SIZE = 500;
/** The MCP SDK's clients accept 10 MiB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const INSTRUCTIONS =
  'Documents are dpe:// resources. Read a document with ?depth=pages to see its pages, a page with ?format=markdown ' +
  'to read it, and an element by its id for details. Long tables go on in the element named by continued_in. The tool ' +
  'search_documents finds pages by their words.';

export interface DocumentsServerOptions {
  /**
   * Which updates are sent: those of subscribed URIs, as MCP had it until 2025; all of them, where the transport filters
   * them by what the client listens to; or none, for a server that answers a single request. @default 'subscribed'
   */
  updates?: 'subscribed' | 'all' | 'none' | undefined;
  logger?: Logger | undefined;
}

/** Serves a library to the client at standard input and output, in the revision the client speaks. */
export function serveDocuments(
  library: DocumentLibrary,
  { logger = silentLogger }: { logger?: Logger | undefined } = {},
): StdioServerHandle {
  return serveStdio(
    ({ era }) => createDocumentsServer(library, { updates: era === 'modern' ? 'all' : 'subscribed', logger }),
    {
      onerror: error => logger.warn('The connection failed', { error }),
    },
  );
}

/**
 * An MCP server over a library, for one connection. It declares and announces changes if the library watches its
 * folders: a client that relies on announcements would never see changes that nothing detects.
 */
export function createDocumentsServer(
  library: DocumentLibrary,
  { updates = 'subscribed', logger = silentLogger }: DocumentsServerOptions = {},
): Server {
  const watched = library.isWatching;
  const server = new Server(IDENTITY, {
    capabilities: { resources: watched ? { subscribe: true, listChanged: true } : {}, completions: {}, tools: {} },
    instructions: INSTRUCTIONS,
  });
  const subscriptions = new Set<string>();

  server.setRequestHandler('resources/list', async ({ params }, context) => {
    const offset = parseCursor(params?.cursor);
    const { documents, total } = await library.list({ offset, limit: LIST_PAGE_SIZE, ...readOptions(context) });
    const next = offset + documents.length;
    return { resources: documents.map(toResource), ...(next < total && { nextCursor: String(next) }) };
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: templates(library.host) }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const options = readOptions(context);
    return guard(() => readContents(library, uri, options), logger, options.signal);
  });
  server.setRequestHandler('tools/list', () => ({ tools: [searchTool] }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    if (params.name !== searchTool.name) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No tool '${params.name}'`);
    }
    const { signal } = context.mcpReq;
    return guard(() => callSearchTool(library, params.arguments ?? {}, signal), logger, signal);
  });
  if (watched) {
    server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
      subscriptions.add(uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      subscriptions.delete(uri);
      return {};
    });
  }
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument, context } }) => {
    if (ref.type !== 'ref/resource') return { completion: { values: [] } };
    const completion = await guard(() => complete(library, argument, context?.arguments), logger);
    return { completion: { ...completion } };
  });

  if (watched && updates !== 'none') {
    const catalogue = `dpe://${library.host}`;
    server.onclose = library.onChange(change => {
      const uris = [...change.updated, catalogue];
      const wanted = [...subscriptions].filter(uri => concerns(uri, change.updated, catalogue));
      announce(server, change.listChanged, updates === 'all' ? uris : wanted).catch(error => {
        logger.debug('A change could not be announced', { error });
      });
    });
  }
  return server;
}

async function announce(server: Server, listChanged: boolean, uris: readonly string[]): Promise<void> {
  if (listChanged) await server.sendResourceListChanged();
  for (const uri of uris) await server.sendResourceUpdated({ uri });
}

/** A change of a document changes its pages and elements too, and every change changes the catalogue. */
function concerns(uri: string, updated: readonly string[], catalogue: string): boolean {
  const [address = ''] = uri.split('?', 1);
  if (address === catalogue || address === `${catalogue}/`) return true;
  return updated.some(document => address === document || address.startsWith(`${document}/`));
}

/** Without `page_count` while it is unknown: a Computer then reads Level 1 of the document. */
function toResource({ entry, description }: ListedDocument): Resource {
  const { uri, title, summary, page_count, file_type, keywords, file_uri, last_modified } = description;
  return {
    uri,
    name: title,
    title,
    ...(summary !== undefined && { description: summary }),
    mimeType: entry.mimeType,
    size: entry.file.size,
    ...(last_modified !== undefined && { annotations: { lastModified: last_modified } }),
    _meta: { ...(page_count > 0 && { page_count }), file_type, file_uri, ...(keywords !== undefined && { keywords }) },
  };
}

function templates(host: string) {
  const document = `dpe://${host}/{doc_ref}`;
  return [
    {
      uriTemplate: `${document}/pages/{page_index}`,
      name: 'page',
      title: 'A page of a document',
      description:
        'Pages count from 0. Add ?format=markdown to read it, ?categories=table,chart for some of its elements.',
      mimeType: 'application/json',
    },
    {
      uriTemplate: `${document}/elements/{element_id}`,
      name: 'element',
      title: 'An element of a document',
      description: 'In full, with where it stands in the file. Ids are on the pages.',
      mimeType: 'application/json',
    },
  ];
}

function readOptions({ mcpReq: { signal, _meta, notify } }: ServerContext) {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { signal };
  let reported = 0;
  const onProgress = (share: number) => {
    const progress = Math.floor(share * 100);
    if (progress <= reported) return;
    reported = progress;
    notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } }).catch(() => {});
  };
  return { signal, onProgress };
}

function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,9}$/.test(cursor)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor');
  return Number(cursor);
}

/** The answer as JSON, and the picture of an image element beside it. */
async function readContents(library: DocumentLibrary, uri: string, options: ReadOptions) {
  const answer = await library.read(uri, options);
  const text = { uri, mimeType: 'application/json', text: answerText(answer) };
  const picture = 'element_id' in answer ? await library.picture(DPEElementDetail.parse(answer)) : undefined;
  if (picture === undefined) return { contents: [text] };
  const blob = Buffer.from(picture.bytes).toString('base64');
  return { contents: [text, { uri, mimeType: picture.mimeType, blob }] };
}

/** Refuses an answer that clients would not accept: they close the connection then. */
function answerText(answer: unknown): string {
  const text = JSON.stringify(answer);
  // The message holds it as a JSON string, in which each quote takes two characters.
  if (text.length * 8 > MAX_ANSWER_BYTES && Buffer.byteLength(JSON.stringify(text)) > MAX_ANSWER_BYTES) {
    const message = `The answer is larger than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB; read less of it, without 'format'`;
    throw new SmcpError(ErrorCode.TooLarge, message);
  }
  return text;
}

/** An `SmcpError` becomes a JSON-RPC error with its code; an unknown error is logged, and its details are withheld. */
async function guard<T>(action: () => Promise<T>, logger: Logger, signal?: AbortSignal): Promise<T> {
  try {
    return await action();
  } catch (error) {
    // A cancelled request is not answered.
    if (signal?.aborted) throw error;
    if (error instanceof SmcpError) throw new ProtocolError(error.code, error.message, error.details);
    logger.error('A request failed', { error });
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
  }
}
