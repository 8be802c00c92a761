import { DPEDocument, DPEPage } from '@a2c-smcp/protocol';
import { type DocumentSource, documents, finderError, readDocuments, windows } from '@a2c-smcp/publish';
import { heading, table } from '@a2c-smcp/publish/content';
import { recordingLogger } from '@a2c-smcp/testing';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { eras, serve } from './served.ts';

const host = 'com.example.library';
const uri = `dpe://${host}/report`;
const rows = Array.from({ length: 450 }, (_, index) => [index, `row ${index}`]);

const reports = {
  list: () => [
    { ref: 'report', title: 'Report', type: 'pdf', keywords: ['sales'], modified: new Date(0) },
    { ref: 'a/b c', title: 'Second' },
  ],
  open: ({ ref }) =>
    ref === 'report'
      ? [
          'Sales went up.',
          { title: 'Numbers', elements: [heading(1, 'Rows'), table(['n', 'name'], rows), 'That is all.'] },
        ]
      : [{ elements: [{ id: 'mine', category: 'code', content: { text: 'let x;', language: 'js' } }] }],
} satisfies DocumentSource;

function library(source: DocumentSource = reports) {
  const server = new McpServer({ name: 'library', version: '1' });
  return { server, published: documents(server, source, { host }) };
}

test('the hash of a page changes with its elements and with the rows that it does not show', async () => {
  const hashes = async (last: string) => {
    const pages = ['Sales went up.', { elements: [table(['n', 'name'], [...rows, [450, last]])] }];
    const source = { list: () => [{ ref: 'report', title: 'Report' }], open: () => pages };
    const index = DPEDocument.parse(await readDocuments(source, `${uri}?depth=pages`, { host }));
    const page = DPEPage.parse(await readDocuments(source, `${uri}/pages/1?format=text`, { host }));
    expect(page.hash).toBe(index.pages?.[1]?.hash);
    return index.pages?.map(({ hash }) => hash) ?? [];
  };
  const [before, after] = [await hashes('a'), await hashes('b')];
  expect(before[0]).toBe(after[0]);
  expect(before[1]).not.toBe(after[1]);
  expect(before).toEqual(await hashes('a'));
});

describe.each(eras)('documents for a client of the %s era', era => {
  test('an array of pages is read on all four levels', async () => {
    await using served = await serve(() => library().server, era);
    const { resources } = await served.client.listResources();
    expect(resources).toMatchObject([
      { uri, title: 'Report', annotations: { lastModified: '1970-01-01T00:00:00.000Z' }, _meta: { file_type: 'pdf' } },
      { uri: `dpe://${host}/a%2Fb%20c`, title: 'Second' },
    ]);
    expect(await served.read(`dpe://${host}?limit=1`)).toMatchObject({
      documents: [{ doc_ref: 'report', page_count: 0 }],
      total_count: 2,
    });
    expect(await served.read(uri)).toMatchObject({ title: 'Report', page_count: 2, keywords: ['sales'] });
    expect(await served.read(`${uri}?depth=pages&offset=1`)).toMatchObject({
      pages: [{ page_index: 1, title: 'Numbers', element_count: 3 }],
      page_total: 2,
    });
    expect(await served.read(`${uri}/pages/0?format=markdown`)).toMatchObject({
      title: 'Page 1',
      content_markdown: 'Sales went up.',
      elements: [{ category: 'text', summary: 'Sales went up.' }],
    });
    expect(await served.read(`${uri}/pages/1?categories=heading&format=text`)).toMatchObject({
      element_count: 1,
      content_text: 'Rows',
    });
    expect(await served.read(`dpe://${host}/a%2Fb%20c/elements/mine?format=markdown`)).toMatchObject({
      category: 'code',
      page_index: 0,
      content_markdown: '```js\nlet x;\n```',
    });
  });

  test('a long table goes on in further elements', async () => {
    await using served = await serve(() => library().server, era);
    const page = await served.read(`${uri}/pages/1?categories=table`);
    const [{ element_id, content }] = (page as { elements: [{ element_id: string; content: Record<string, unknown> }] })
      .elements;
    expect(content).toMatchObject({ total_rows: 450, continued_in: `${element_id}~1` });
    const last = await served.read(`${uri}/elements/${element_id}~2`);
    expect(last).toMatchObject({ content: { row_offset: 400, rows: rows.slice(400) } });
    expect((last as { content: object }).content).not.toHaveProperty('continued_in');
  });

  test('each of the four errors has its code and details', async () => {
    await using served = await serve(() => library().server, era);
    const fails = (path: string) => expect(served.read(path)).rejects;
    await fails(`dpe://${host}/none`).toMatchObject({ code: 4201, data: { doc_ref: 'none' } });
    await fails('dpe://elsewhere/x').toMatchObject({ code: 4201 });
    await fails(`${uri}/pages/2`).toMatchObject({ code: 4202, data: { page_index: 2, page_count: 2 } });
    await fails(`${uri}/elements/none`).toMatchObject({ code: 4203, data: { element_id: 'none' } });
    await fails(`${uri}/pages/x`).toMatchObject({ code: 4204, data: { uri: `${uri}/pages/x` } });
  });

  test('changes of documents, and of their number, reach a client that watches a page or the catalogue', async () => {
    const { server, published } = library();
    await using served = await serve(() => server, era);
    const page = era === 'modern' ? uri : `${uri}/pages/0`;
    await served.watch(page, `dpe://${host}`);
    published.changed('report');
    await eventually(() => expect(served.notified.toSorted()).toEqual([`dpe://${host}`, page]));
    served.notified.length = 0;
    published.changed();
    await eventually(() => expect(served.notified.toSorted()).toEqual([`dpe://${host}`, 'list']));
  });

  test('arguments of templates are completed', async () => {
    await using served = await serve(() => library().server, era);
    const { resourceTemplates } = await served.client.listResourceTemplates();
    const [page, element] = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    const complete = async (template: string | undefined, name: string, value: string, known = {}) => {
      const ref = { type: 'ref/resource' as const, uri: template ?? '' };
      const { completion } = await served.client.complete({
        ref,
        argument: { name, value },
        context: { arguments: known },
      });
      return completion.values;
    };
    expect(await complete(page, 'doc_ref', 'RE')).toEqual(['report']);
    expect(await complete(page, 'page_index', '', { doc_ref: 'report' })).toEqual(['0', '1']);
    expect(await complete(element, 'element_id', 'heading', { doc_ref: 'report', page_index: '1' })).toHaveLength(1);
    expect(await complete('file:///{path}', 'path', '')).toEqual([]);
  });
});

test('a long list comes in pages, beside windows of the same server', async () => {
  const list = () => Array.from({ length: 1200 }, (_, index) => ({ ref: `${index}`, title: `Document ${index}` }));
  const server = new McpServer({ name: 'library', version: '1' });
  windows(server, { host }).open(['status']).set('idle');
  documents(server, { list, open: () => [] }, { host });
  await using served = await serve(() => server, 'legacy');
  const sizes: number[] = [];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const page = await served.client.request({ method: 'resources/list', params });
    sizes.push(page.resources.length);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(sizes).toEqual([501, 500, 200]);
  expect(await served.read(`dpe://${host}/7`)).toMatchObject({ page_count: 0 });
});

test('without a promise to announce changes, subscribing is not declared', async () => {
  const server = new McpServer({ name: 'library', version: '1' });
  documents(server, reports, { host, subscribe: false });
  await using served = await serve(() => server, 'legacy');
  expect(served.client.getServerCapabilities()?.resources).toEqual({});
});

test('an error of the source goes to the client, or only to the logger if there is one', async () => {
  const open = () => {
    throw new Error('the disk is on fire');
  };
  const logger = recordingLogger();
  for (const [options, message] of [
    [{}, 'the disk is on fire'],
    [{ logger }, 'Internal error'],
  ] as const) {
    const server = new McpServer({ name: 'library', version: '1' });
    documents(server, { ...reports, open }, { host, ...options });
    await using served = await serve(() => server, 'legacy');
    await expect(served.read(uri)).rejects.toThrow(message);
  }
  expect(logger.lines).toMatchObject([{ level: 'error', fields: { error: { message: 'the disk is on fire' } } }]);
});

test('finderError makes the four errors for servers that answer reads themselves', () => {
  expect(finderError.documentNotFound(uri)).toMatchObject({ code: 4201, data: { doc_ref: 'report' } });
  expect(finderError.pageOutOfRange(`${uri}/pages/9`, 2)).toMatchObject({
    code: 4202,
    data: { page_index: 9, page_count: 2 },
  });
  expect(finderError.elementNotFound(`${uri}/elements/x`)).toMatchObject({ code: 4203, data: { element_id: 'x' } });
  expect(finderError.invalidUri('dpe:')).toMatchObject({ code: 4204, data: { uri: 'dpe:' } });
  expect(finderError.documentNotFound('nonsense')).toMatchObject({ code: 4204 });
});
