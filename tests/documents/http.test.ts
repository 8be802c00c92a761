import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { DocumentLibrary, DocumentsHttpServer } from '@a2c-smcp/documents';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { temporaryFolder } from './client.ts';

/** A watched folder behind HTTP. */
async function openHttp() {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, 'a.md'), '# First\n');
  const library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path], watch: true });
  const server = await DocumentsHttpServer.listen({ library });
  return {
    url: server.url,
    path: (name: string) => join(folder.path, name),
    async [Symbol.asyncDispose]() {
      await server.close();
      await library.close();
      folder[Symbol.dispose]();
    },
  };
}

describe.each(['legacy', 'modern'] as const)('over HTTP, a client of the %s era', era => {
  test('an HTTP client lists, reads, fails and is notified of changes', async () => {
    await using http = await openHttp();
    const client = new Client(
      { name: 'test', version: '1' },
      era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {},
    );
    const notified: string[] = [];
    client.setNotificationHandler('notifications/resources/list_changed', () => void notified.push('list'));
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void notified.push(params.uri));
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url)));
    const uri = 'dpe://documents/a.md';
    // The read fills the index, so that the listing announces nothing later.
    const { contents } = await client.readResource({ uri: `${uri}/pages/0?format=markdown` });
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('# First') });
    const { resources } = await client.listResources();
    expect(resources.map(resource => resource.uri)).toEqual([uri]);
    await expect(client.readResource({ uri: `${uri}/pages/1` })).rejects.toMatchObject({ code: 4202 });

    if (era === 'modern') await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true });
    else await client.subscribeResource({ uri });
    writeFileSync(http.path('a.md'), '# First, changed\n');
    await eventually(() => expect(notified).toEqual([uri]));
    writeFileSync(http.path('b.md'), '# Second\n');
    await eventually(() => expect(notified).toEqual([uri, 'list']));
    await client.close();
  });
});

describe('HTTP requests from elsewhere', () => {
  test.each([
    ['a browser on a foreign page', { origin: 'https://evil.example' }, 403],
    ['a client with a foreign host name', { host: 'evil.example' }, 403],
    ['an unknown session', { 'mcp-session-id': 'x' }, 404],
    ['a client that sends no JSON', {}, 400],
  ])('an HTTP request from %s is refused', async (_, headers, status) => {
    await using http = await openHttp();
    expect(await post(http.url, headers, status === 400 ? 'hello' : '{"jsonrpc":"2.0","id":1,"method":"ping"}')).toBe(
      status,
    );
  });

  test('an HTTP request to another path is not found', async () => {
    await using http = await openHttp();
    expect((await fetch(new URL('/', http.url))).status).toBe(404);
  });
});

/** `fetch` does not let a test lie about its host. */
function post(url: string, headers: Record<string, string>, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const accept = 'application/json, text/event-stream';
    const options = { method: 'POST', headers: { 'content-type': 'application/json', accept, ...headers } };
    request(url, options, response => resolve(response.resume().statusCode))
      .on('error', reject)
      .end(body);
  });
}
