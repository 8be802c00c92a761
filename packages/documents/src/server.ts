import { type Logger, silentLogger, VERSION } from '@a2c-smcp/core';
import { parseDpeUri } from '@a2c-smcp/protocol';
import { documents, guardRequest } from '@a2c-smcp/publish';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { DocumentLibrary } from './library.ts';
import { callSearchTool, searchTool } from './search-tool.ts';

const IDENTITY = { name: 'a2c-smcp-documents', version: VERSION };
const INSTRUCTIONS =
  'Documents are dpe:// resources. Read a document with ?depth=pages to see its pages, a page with ?format=markdown ' +
  'to read it, and an element by its id for details. Long tables go on in the element named by continued_in. The tool ' +
  'search_documents finds pages by their words.';

export interface DocumentsServerOptions {
  /** True if it announces changes itself. A server that answers a single request does not. @default true */
  announce?: boolean | undefined;
  logger?: Logger | undefined;
}

/** Serves a library to the client at standard input and output, in the revision the client speaks. */
export function serveDocuments(
  library: DocumentLibrary,
  { logger = silentLogger }: { logger?: Logger | undefined } = {},
): StdioServerHandle {
  return serveStdio(() => createDocumentsServer(library, { logger }), {
    onerror: error => logger.warn('The connection failed', { error }),
  });
}

/**
 * An MCP server over a library, for one connection. It declares and announces changes if the library watches its
 * folders: a client that relies on announcements would never see changes that nothing detects.
 */
export function createDocumentsServer(
  library: DocumentLibrary,
  { announce = true, logger = silentLogger }: DocumentsServerOptions = {},
): Server {
  const { host, language, source, isWatching: subscribe } = library;
  const server = new Server(IDENTITY, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  const published = documents(server, source, { host, language, subscribe, logger });
  server.setRequestHandler('tools/list', () => ({ tools: [searchTool] }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    if (params.name !== searchTool.name) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No tool '${params.name}'`);
    }
    return guardRequest(() => callSearchTool(library, params.arguments ?? {}, signal), { logger, signal });
  });
  if (subscribe && announce) {
    const stop = library.onChange(({ listChanged, updated }) => {
      if (updated.length > 0) published.changed(...updated.map(uri => parseDpeUri(uri).docRef ?? ''));
      if (listChanged) published.changed();
    });
    const { onclose } = server;
    server.onclose = () => {
      stop();
      onclose?.();
    };
  }
  return server;
}
