import { finished } from 'node:stream/promises';
import { Client } from '@modelcontextprotocol/client';
import type { McpServer, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { streamTransport } from '../streams.ts';

export const eras = ['legacy', 'modern'] as const;
export type Era = (typeof eras)[number];

export interface Served extends AsyncDisposable {
  client: Client;
  /** The notifications of the client: URIs, and `list`. */
  notified: string[];
  /** Subscribes in the way of the era. */
  watch(...uris: string[]): Promise<void>;
  /** The text of a resource, parsed if it is JSON. */
  read(uri: string): Promise<unknown>;
}

/** A client of an era at a server that speaks as over standard input and output. */
export async function serve(factory: () => Server | McpServer, era: Era): Promise<Served> {
  const options = era === 'modern' ? { versionNegotiation: { mode: 'auto' as const } } : {};
  const client = new Client({ name: 'test', version: '1' }, options);
  const notified: string[] = [];
  client.setNotificationHandler('notifications/resources/list_changed', () => void notified.push('list'));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void notified.push(params.uri));
  await client.connect(
    streamTransport(async ({ input, output }) => {
      const handle = serveStdio(factory, { transport: new StdioServerTransport(input, output) });
      await finished(input, { writable: false });
      await handle.close();
    }),
  );
  return {
    client,
    notified,
    async watch(...uris) {
      if (era === 'modern') await client.listen({ resourceSubscriptions: uris, resourcesListChanged: true });
      else for (const uri of uris) await client.subscribeResource({ uri });
    },
    async read(uri) {
      const { contents } = await client.readResource({ uri });
      const [content] = contents;
      const text = content && 'text' in content ? content.text : '';
      return content?.mimeType === 'application/json' ? JSON.parse(text) : text;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
