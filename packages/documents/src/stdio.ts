import { type Logger, silentLogger } from '@a2c-smcp/core';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { DocumentLibrary } from './library.ts';
import { createDocumentsServer } from './server.ts';

/** Serves a library to the client at standard input and output, in the revision the client speaks. */
export function serveDocuments(
  library: DocumentLibrary,
  { logger = silentLogger }: { logger?: Logger | undefined } = {},
): StdioServerHandle {
  return serveStdio(
    ({ era }) => createDocumentsServer(library, { updates: era === 'modern' ? 'all' : 'subscribed', logger }),
    {
      onerror: error => logger.warn('connection error', { error }),
    },
  );
}
