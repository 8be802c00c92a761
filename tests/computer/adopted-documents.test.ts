import { join } from 'node:path';
import type { ResourceProblem } from '@a2c-smcp/computer';
import { type DPEDocumentSummary, ErrorCode, type MCPServerConfig } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { root } from '../packages.ts';
import { eventually, type Office, openOffice, stateOf } from './office.ts';
import { eras, publishing } from './publishing.ts';

const PLAN = 'file:///notes/plan.md';

/** A server with resources of any scheme, some of which are shown as documents. */
function adopting(documents: string[], script: object = {}, era: (typeof eras)[number] = 'legacy'): MCPServerConfig {
  const resources = [
    { uri: PLAN, name: 'plan.md', mimeType: 'text/markdown', description: 'What to do' },
    { uri: 'file:///notes/sales.csv', name: 'sales', title: 'Sales' },
    { uri: 'file:///notes/logo.png', name: 'logo', mimeType: 'image/png' },
    { uri: 'ticket://7', name: 'A ticket' },
  ];
  const csv = Buffer.from('shop,cups\nHarbour,9\n').toString('base64');
  const contents = {
    [PLAN]: '# The plan\n\nBuy beans',
    'file:///notes/sales.csv': [{ uri: 'file:///notes/sales.csv', blob: csv }],
    'ticket://hidden': '<h1>A hidden ticket</h1>',
  };
  return { ...publishing({ resources, contents, ...script }, { era }), documents };
}

async function finder(office: Office): Promise<DPEDocumentSummary[]> {
  return (await office.ask('client:get_finder')).documents ?? [];
}

async function read(office: Office, uri: string): Promise<Record<string, unknown>> {
  const { contents } = await office.ask('client:get_dpe', { uri });
  return JSON.parse(String(contents[0]?.text));
}

async function textOf(office: Office, uri: string): Promise<unknown> {
  return (await read(office, `${uri}/pages/0?format=text`)).content_text;
}

describe('adopted documents', () => {
  test('resources that match a pattern are ordinary documents of their server, read level by level', async () => {
    const config = adopting(['file:///notes/*', 'ticket://hidden']);
    await using office = await openOffice({ servers: { app: config } });
    const found = await finder(office);
    expect(found.map(({ title, file_type, page_count, file_uri }) => [title, file_type, page_count, file_uri])).toEqual(
      [
        ['The plan', 'md', 1, PLAN],
        ['Sales', 'csv', 1, 'file:///notes/sales.csv'],
        ['hidden', 'txt', 1, 'ticket://hidden'],
      ],
    );
    expect(found[0]).toMatchObject({ server: 'app', summary: 'What to do', keywords: [PLAN] });
    const [plan = '', sales = ''] = found.map(({ uri }) => uri);
    expect(plan).toMatch(/^dpe:\/\/local\.app\/plan\.md-[0-9a-f]{10}$/);
    expect(await textOf(office, plan)).toContain('Buy beans');
    const { elements } = (await read(office, `${sales}/pages/0`)) as { elements: { element_id: string }[] };
    const element = await read(office, `${sales}/elements/${elements[0]?.element_id}`);
    expect(element).toMatchObject({ category: 'table', content: { rows: [['Harbour', 9]] } });
    await expect(read(office, `${plan}/pages/1`)).rejects.toMatchObject({ code: ErrorCode.PageOutOfRange });
    await expect(read(office, 'dpe://local.app/none')).rejects.toMatchObject({ code: ErrorCode.DocumentNotFound });
    const { documents } = await read(office, 'dpe://local.app');
    expect(documents).toHaveLength(3);
    // Beside them everything is as it was.
    const { resources } = await office.ask('client:get_resources', { mcp_server: 'app' });
    expect(resources.map(({ uri }) => uri)).toEqual([
      ...found.map(({ uri }) => uri),
      PLAN,
      ...resources.slice(4).map(({ uri }) => uri),
    ]);
    expect((await office.ask('client:read_resource', { uri: `${plan}/pages/0` })).contents).toHaveLength(1);
    expect((await office.ask('client:get_config')).servers.app).not.toHaveProperty('documents');
  });

  test.each(eras)('a document follows the updates of its resource and of the list, in the %s era', async era => {
    await using office = await openOffice({ servers: { app: adopting(['file:///*'], {}, era) } });
    let told = 0;
    office.agent.channel.on('notify:update_finder', () => void told++);
    const [{ uri = '' } = {}] = await finder(office);
    expect(await textOf(office, uri)).toContain('Buy beans');
    await office.callTool('write', { uri: PLAN, text: '# Another plan' });
    await eventually(async () => expect((await finder(office))[0]).toMatchObject({ uri, title: 'Another plan' }));
    expect(await textOf(office, uri)).toContain('Another plan');
    await eventually(() => expect(told).toBeGreaterThan(0));
    const resources = [{ uri: 'file:///new.txt', name: 'new' }];
    await office.callTool('publish', { resources });
    await eventually(async () => {
      expect(await finder(office)).toMatchObject([{ title: 'new', file_uri: 'file:///new.txt' }]);
    });
  });

  test('a resource whose updates are not announced is read again after a call, and its change is announced', async () => {
    const config = adopting([PLAN], { capability: {} });
    await using office = await openOffice({ servers: { app: config } });
    let told = 0;
    office.agent.channel.on('notify:update_finder', () => void told++);
    const [{ uri = '' } = {}] = await finder(office);
    expect(await textOf(office, uri)).toContain('Buy beans');
    await office.callTool('silently', { uri: PLAN, text: '# Secretly other' });
    expect(await textOf(office, uri)).toContain('Secretly other');
    await eventually(() => expect(told).toBeGreaterThan(0));
    expect(await finder(office)).toMatchObject([{ title: 'Secretly other' }]);
  });

  test('the number, size and time of documents are bounded, and the others are read', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ uri: `note://${index}`, name: String(index) }));
    const resources = [
      { uri: 'file:///large.txt', name: 'large', size: 99 * 1024 * 1024 },
      { uri: 'file:///slow.txt', name: 'slow' },
      { uri: 'file:///gone.txt', name: 'gone' },
      { uri: 'dpe://local.app/usurper', name: 'usurper', _meta: { page_count: 1 } },
      ...many,
    ];
    const fail = { 'file:///gone.txt': { code: -32002, message: 'no such thing' } };
    const hang = ['file:///slow.txt'];
    const config = adopting(['file:///*', 'note://*', 'dpe://*', 'wiki://*'], { resources, fail, hang });
    await using office = await openOffice({ servers: { app: config } });
    const problems: ResourceProblem[] = [];
    const page = await office.computer.finder({ limit: 100, onProblem: problem => problems.push(problem) });
    // Of 256, the one that is gone is left out.
    expect(page.totalCount).toBe(255);
    const [large, slow] = page.documents;
    expect(await textOf(office, large?.uri ?? '')).toContain('It has 99.0 MiB');
    expect(slow).toMatchObject({ title: 'slow.txt', page_count: 0 });
    expect(problems.map(({ code, uri }) => [code, uri]).toSorted()).toEqual([
      ['adopted-none', 'dpe://*'],
      ['adopted-none', 'wiki://*'],
      ['adopted-too-many', undefined],
      ['document-unreadable', expect.stringContaining('gone.txt')],
    ]);
    expect(page.documents.map(({ uri }) => uri)).not.toContain('dpe://local.app/usurper');
  }, 60_000);

  test('documents and windows are adopted of one server, and return with it when it was lost', async () => {
    const config = { ...adopting([PLAN]), windows: { plan: { resource: PLAN } } };
    await using office = await openOffice({ servers: { app: config } });
    await eventually(async () => {
      const { desktops } = await office.ask('client:get_desktop');
      expect(desktops).toEqual(['window://local.app/plan\n\n# The plan\n\nBuy beans']);
      expect(await finder(office)).toMatchObject([{ title: 'The plan' }]);
    });
    const [{ uri = '' } = {}] = await finder(office);
    await office.callTool('exit').catch(() => {});
    await eventually(async () => expect(await textOf(office, uri)).toContain('Buy beans'));
    expect(stateOf(office.computer, 'app')).toBe('ready');
  });

  test('resources of the official everything server are documents; one without resources only says that none match', async () => {
    const program = (name: string, ...args: string[]) => ({
      command: process.execPath,
      args: [join(root, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
    });
    const everything: MCPServerConfig = {
      name: 'everything',
      type: 'stdio',
      server_parameters: program('everything'),
      documents: ['demo://resource/static/*', 'demo://resource/dynamic/text/1'],
    };
    const files: MCPServerConfig = { ...everything, name: 'files', server_parameters: program('filesystem', root) };
    await using office = await openOffice({ servers: { everything, files: { ...files, documents: ['file://*'] } } });
    let problems: ResourceProblem[] = [];
    let documents: DPEDocumentSummary[] = [];
    await eventually(async () => {
      problems = [];
      ({ documents } = await office.computer.finder({ onProblem: problem => problems.push(problem) }));
      const titles = documents.map(({ title, page_count }) => [title, page_count]);
      expect(titles).toContainEqual(['Everything Server - Features', expect.any(Number)]);
      expect(titles).toContainEqual(['1', 1]);
    });
    const text = documents.find(({ title }) => title === '1')?.uri ?? '';
    expect(await textOf(office, text)).toContain('Resource 1');
    expect(problems).toMatchObject([{ server: 'files', code: 'adopted-none', uri: 'file://*' }]);
    expect(office.computer.tools.length).toBeGreaterThan(20);
  });
});
