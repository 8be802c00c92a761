import type { Readable, Writable } from 'node:stream';
import { guardLogger, type Logger } from '@a2c-smcp/core';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Office } from '../office.ts';
import { DirectCalls } from './direct-calls.ts';
import { officeServer } from './mcp-server.ts';
import { StreamTransport } from './stream-transport.ts';

export interface StdioOptions {
  input: Readable;
  output: Writable;
  logger?: Logger | undefined;
}

/** A client at a pair of streams. */
export interface StdioConnection {
  /** Resolves when the client has disconnected. */
  closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves an office to the client at two streams, in the revision that the client speaks. */
export function serveStreams(office: Office, { input, output, ...options }: StdioOptions): StdioConnection {
  const logger = guardLogger(options.logger);
  const transport = new StreamTransport(input, output);
  const calls = new DirectCalls(office, transport);
  let server: Server | undefined;
  transport.intercept(message => calls.take(message, server));
  const createServer = () => {
    server = officeServer(office, { logger });
    return server;
  };
  const handle = serveStdio(createServer, {
    transport,
    onerror: error => logger.warn('A message of the client could not be handled', { error }),
  });
  const { onclose, onmessage } = transport;
  let release: (() => void) | undefined;
  transport.onmessage = message => {
    // The SDK answers this one itself; the office must know that a client listens.
    if ('method' in message && message.method === 'subscriptions/listen') release ??= office.watch();
    onmessage?.(message);
  };
  const closed = new Promise<void>(resolve => {
    transport.onclose = () => {
      calls.close();
      onclose?.();
      release?.();
      resolve();
    };
  });
  return { closed, close: () => handle.close() };
}
