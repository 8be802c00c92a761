import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDocumentsServer, DocumentLibrary } from '@a2c-smcp/documents';
import { RawPeer } from '@a2c-smcp/testing';
import { type Client, ResourceNotFoundError } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { publishing } from '../computer/publishing.ts';
import { temporaryFolder } from '../documents/client.ts';
import { eventually } from '../eventually.ts';
import { ERAS, type Era, openBridged, textIn, toolNames, WAYS, type Way } from './bridged.ts';

const kinds = ERAS.flatMap(era => WAYS.map((way): [Era, Way] => [era, way]));
const app = (script: object = { windows: 2 }) => ({ servers: { app: publishing(script) } });
const [status, other] = ['a2c://desk/window/com.example.app/0', 'a2c://desk/window/com.example.app/1'];

/** A folder with two documents, and a Computer that offers them. */
async function openShelf() {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, 'plan.md'), '# The plan\n\nBuild the bridge.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n');
  writeFileSync(join(folder.path, 'notes.txt'), 'Some notes\n');
  const library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path], watch: true });
  return {
    computer: { localServers: { docs: createDocumentsServer(library) } },
    write: (name: string, text: string) => writeFileSync(join(folder.path, name), text),
    async [Symbol.asyncDispose]() {
      await library.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Waits until the Computer's windows or documents are there. */
async function listed(client: Client, count: number): Promise<string[]> {
  let uris: string[] = [];
  await eventually(async () => {
    uris = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).toHaveLength(count);
  });
  return uris;
}

describe.each(kinds)('resources for a client of the %s era by %s', (era, way) => {
  test(`windows are listed and read (${era}, ${way})`, async () => {
    await using office = await openBridged({ desk: app() });
    const client = await office.connect(era, way);
    expect(await listed(client, 3)).toEqual(['a2c://desk/desktop', status, other]);
    const { contents } = await client.readResource({ uri: status });
    expect(contents).toEqual([{ uri: status, mimeType: 'text/plain', text: 'text of window://com.example.app/0' }]);
    const all = await client.readResource({ uri: 'a2c://desk/desktop' });
    expect(JSON.stringify(all)).toContain('text of window://com.example.app/1');
  });

  test(`only the changed window is announced (${era}, ${way})`, async () => {
    await using office = await openBridged({ desk: app() });
    const client = await office.connect(era, way);
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
    await listed(client, 3);
    await subscribe(client, era, [status, other]);
    const write = (text: string) =>
      client.callTool({ name: 'write', arguments: { uri: 'window://com.example.app/0', text } });
    await write('one');
    await eventually(() => expect(updated).toEqual([status]));
    await write('two');
    await eventually(() => expect(updated).toEqual([status, status]));
    expect(textIn(await client.callTool({ name: 'desktop' }))).toContain('two');
  });

  test(`a new window changes the list (${era}, ${way})`, async () => {
    await using office = await openBridged({ desk: app() });
    const client = await office.connect(era, way);
    let changes = 0;
    client.setNotificationHandler('notifications/resources/list_changed', () => void changes++);
    await listed(client, 3);
    if (era === 'modern') await client.listen({ resourcesListChanged: true });
    const before = changes;
    const resources = [{ uri: 'window://com.example.app/new', name: 'new' }];
    await client.callTool({ name: 'publish', arguments: { resources } });
    await eventually(() => expect(changes).toBeGreaterThan(before));
    expect(await listed(client, 2)).toContain('a2c://desk/window/com.example.app/new');
  });

  test(`a changed document is announced (${era}, ${way})`, async () => {
    await using shelf = await openShelf();
    await using office = await openBridged({ desk: shelf.computer });
    const client = await office.connect(era, way);
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
    await listed(client, 3);
    const uri = 'a2c://desk/dpe/documents/plan.md';
    // The first read fills the index of the library, which changes what it lists.
    await client.readResource({ uri });
    await subscribe(client, era, [uri]);
    shelf.write('plan.md', '# Another plan\n');
    await eventually(() => expect(updated).toContain(uri));
    expect(new Set(updated)).toEqual(new Set([uri]));
    expect(JSON.stringify(await client.readResource({ uri }))).toContain('Another plan');
  });
});

describe('documents', () => {
  test('a document that is named as changed is announced, although its summary is the same', async () => {
    const uri = 'dpe://com.example.app/a';
    const body = JSON.stringify({ title: 'A', page_count: 1 });
    const resources = [{ uri, name: 'A', _meta: { page_count: 1 } }];
    await using office = await openBridged({ desk: app({ resources, contents: { [uri]: body } }) });
    const client = await office.connect('legacy');
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
    await listed(client, 2);
    await subscribe(client, 'legacy', ['a2c://desk/dpe/com.example.app/a']);
    for (const count of [1, 2]) {
      await client.callTool({ name: 'notify', arguments: { uri: `${uri}/pages/0` } });
      await eventually(() => expect(updated).toEqual(Array(count).fill('a2c://desk/dpe/com.example.app/a')));
    }
  });

  test('a document, its pages and its elements are read as resources', async () => {
    await using shelf = await openShelf();
    await using office = await openBridged({ desk: shelf.computer });
    const client = await office.connect('legacy');
    const uris = await listed(client, 3);
    expect(uris.toSorted()).toEqual([
      'a2c://desk/desktop',
      'a2c://desk/dpe/documents/notes.txt',
      'a2c://desk/dpe/documents/plan.md',
    ]);
    const uri = 'a2c://desk/dpe/documents/plan.md';
    const read = async (suffix: string) => (await client.readResource({ uri: uri + suffix })).contents[0];
    expect(await read('')).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringContaining('Build the bridge'),
    });
    expect(await read('/pages/0')).toMatchObject({ text: expect.stringContaining('Build the bridge') });
    const page = await read('/pages/0?format=json');
    const { elements } = JSON.parse((page as { text: string }).text);
    const { element_id } = elements.find(({ category }: { category: string }) => category === 'table');
    expect(await read(`/elements/${element_id}`)).toMatchObject({ mimeType: 'application/json' });
    await expect(read('/pages/9')).rejects.toThrow(ResourceNotFoundError);
    await expect(read('/chapters/9')).rejects.toThrow(ResourceNotFoundError);
  });

  test('times that are none do not hide the list from a client', async () => {
    await using office = await openBridged({});
    await using computer = await RawPeer.join(office.url, 'computer', 'odd', 'test');
    const times = [
      'yesterday',
      '',
      '5',
      '9999-99-99',
      '9999-12-31T23:59:59-09:00',
      '2026-01-31',
      '2026-01-31T08:30+01:00',
    ];
    const document = { file_uri: 'file:///a', file_type: 'txt', title: 'A', page_count: 1, server: 's' };
    computer.reply('client:get_tools', ({ req_id }) => ({ tools: [], req_id }));
    computer.reply('client:get_desktop', ({ req_id }) => ({ desktops: [], req_id }));
    computer.reply('client:get_finder', ({ req_id }) => ({
      documents: times.map((last_modified, index) => ({
        ...{ ...document, doc_ref: `d${index}`, uri: `dpe://h/d${index}`, last_modified },
      })),
      total_count: times.length,
      req_id,
    }));
    const client = await office.connect('legacy');
    await eventually(async () => expect((await client.listResources()).resources).toHaveLength(times.length + 1));
    const { resources } = await client.listResources();
    expect(resources.flatMap(({ annotations }) => annotations?.lastModified ?? [])).toEqual([
      ...['2026-01-31T00:00:00.000Z', '2026-01-31T07:30:00.000Z'],
    ]);
  });

  test('templates have completions from the documents', async () => {
    await using shelf = await openShelf();
    await using office = await openBridged({ desk: shelf.computer });
    const client = await office.connect('legacy');
    await listed(client, 3);
    const { resourceTemplates } = await client.listResourceTemplates();
    const page = resourceTemplates.find(({ name }) => name === 'page')?.uriTemplate ?? '';
    const complete = async (name: string, value: string, known: Record<string, string> = {}) => {
      const ref = { type: 'ref/resource' as const, uri: page };
      const answer = await client.complete({ ref, argument: { name, value }, context: { arguments: known } });
      return answer.completion.values;
    };
    expect(await complete('computer', 'd')).toEqual(['desk']);
    expect(await complete('host', '', { computer: 'desk' })).toEqual(['documents']);
    expect(await complete('document', 'PL', { computer: 'desk', host: 'documents' })).toEqual(['plan.md']);
    const known = { computer: 'desk', host: 'documents', document: 'plan.md' };
    await eventually(async () => expect(await complete('page', '', known)).toEqual(['0']));
    expect((await complete('element', '', known)).length).toBeGreaterThan(1);
    expect(await complete('document', '', { computer: 'elsewhere' })).toEqual([]);
  });

  test('clients that know tools only find and read documents', async () => {
    await using shelf = await openShelf();
    const plain = app({ resources: [{ uri: 'dpe://plain/doc', name: 'A plan', _meta: { page_count: 1 } }] });
    await using office = await openBridged({ desk: shelf.computer, empty: {}, plain });
    const client = await office.connect('legacy');
    const call = async (name: string, args: object) => textIn(await client.callTool({ name, arguments: { ...args } }));
    await eventually(async () => expect(await call('find_documents', {})).toContain('plan.md'));
    let found = '';
    await eventually(async () => {
      found = await call('find_documents', { query: '"build the" plan', computer: null });
      expect(found).toMatch(/^Pages that mention these words:\n- .*, page 0.* \(md, computer 'desk'\)\n/);
    });
    expect(found).toMatch(/\n {2}a2c:\/\/desk\/dpe\/documents\/plan\.md\/pages\/0\n {2}.*Build the bridge/);
    expect(found).not.toContain('notes');
    // A Computer that cannot search is asked for titles.
    expect(found).toContain("Computer 'plain': 1 documents with such titles\n- A plan");
    expect(found).toContain("Computer 'plain' was not searched inside: MCP server 'app' was not searched");
    expect(found).not.toContain("'empty'");
    const none = await call('find_documents', { query: 'plan', computer: 'empty' });
    expect(none).toBe("No page mentions these words.\n\nComputer 'empty': 0 documents with such titles");
    expect(await call('find_documents', { query: 'bridge', computer: 'desk', offset: 1 })).toMatch(/^No further page/);
    expect(await call('find_documents', { query: 'bridge', computer: 'desk', file_type: 'pdf' })).toMatch(/^No page/);
    const uri = 'a2c://desk/dpe/documents/plan.md';
    expect(await call('read_document', { uri })).toContain('Build the bridge');
    expect(await call('read_document', { uri, page: '0' })).toContain('Build the bridge');
    expect(await call('read_document', { uri: 'dpe://documents/plan.md', computer: 'desk', page: 0 })).toContain(
      'bridge',
    );
    expect(await call('read_document', { uri: 'dpe://documents/plan.md' })).toContain('Name the computer: there are');
    expect(await call('read_document', { uri, page: 7 })).toContain('7');
    expect(await call('read_document', { uri: 'file:///etc/passwd', computer: 'desk' })).toContain('Invalid DPE URI');
    expect(await call('read_document', { uri: 'a2c://desk/desktop' })).toContain("use the tool 'desktop'");
    expect(await call('find_documents', { offset: 'many' })).toContain('whole number');
  });
});

describe('resources of several Computers', () => {
  test('equal URIs of two Computers are told apart', async () => {
    await using office = await openBridged({ desk: app({ windows: 1 }), 'büro 2': app({ windows: 1, body: 'Büro' }) });
    const client = await office.connect('legacy');
    const uris = await listed(client, 4);
    expect(uris).toContain('a2c://b%C3%BCro%202/window/com.example.app/0');
    const { contents } = await client.readResource({ uri: 'a2c://b%C3%BCro%202/window/com.example.app/0' });
    expect(contents[0]).toMatchObject({ text: 'Büro' });
  });

  test('a Computer that is hidden cannot be read', async () => {
    await using office = await openBridged({ desk: app(), secret: app() }, { computers: ['desk'] });
    const client = await office.connect('legacy');
    await listed(client, 3);
    await expect(client.readResource({ uri: 'a2c://secret/desktop' })).rejects.toThrow(ResourceNotFoundError);
    const shown = await client.callTool({ name: 'desktop', arguments: { computer: 'secret' } });
    expect(shown.isError).toBe(true);
    expect(textIn(await client.callTool({ name: 'desktop' }))).not.toContain('secret');
  });

  test('a long list has pages', async () => {
    await using office = await openBridged({
      desk: app({ documents: 730, pages: 1 }),
      tower: app({ documents: 20, pages: 1 }),
    });
    const client = await office.connect('legacy');
    await eventually(async () => expect((await toolNames(client)).length).toBeGreaterThan(8));
    const seen = new Set<string>();
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await client.request(
        { method: 'resources/list', params: cursor === undefined ? {} : { cursor } },
        { timeout: 20_000 },
      );
      for (const { uri } of page.resources) seen.add(uri);
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(seen.size).toBe(752);
    expect(pages).toBe(2);
  });

  test.each(['', 'AAAA', '!!!', 'x'.repeat(100_000)])('the cursor %# of a stranger is refused', async cursor => {
    await using office = await openBridged({ desk: app() });
    const client = await office.connect('legacy');
    const request = client.request({ method: 'resources/list', params: { cursor } });
    await expect(request).rejects.toMatchObject({ code: -32602 });
  });

  test.each([
    'a2c://',
    'a2c://desk',
    'a2c://desk/dpe',
    'a2c://%E0/desktop',
    'file:///etc/passwd',
    `a2c://desk/${'x/'.repeat(9000)}`,
  ])('the URI %# that names nothing is not found', async uri => {
    await using office = await openBridged({ desk: app() });
    const client = await office.connect('legacy');
    await expect(client.readResource({ uri })).rejects.toThrow(ResourceNotFoundError);
  });
});

function subscribe(client: Client, era: Era, uris: string[]): Promise<unknown> {
  if (era === 'modern') return client.listen({ resourceSubscriptions: uris });
  return Promise.all(uris.map(uri => client.subscribeResource({ uri })));
}
