import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ElementCategory } from '@a2c-smcp/protocol';
import { afterAll, beforeAll, expect } from 'vitest';
import { DocumentsClient, examples, temporaryFolder } from '../documents/client.ts';
import { verifies } from './verifies.ts';

const host = 'com.example.docs';
const workbook = `dpe://${host}/sales.xlsx`;
const handbook = `dpe://${host}/handbook.md`;

let client: DocumentsClient;

beforeAll(async () => {
  client = await DocumentsClient.open([examples, '--authority', host]);
});
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
});

verifies('mcp-server.capability', () => {
  expect(client.mcp.getServerCapabilities()?.resources).toMatchObject({ subscribe: true, listChanged: true });
});

verifies('documents.catalogue', async () => {
  const { documents, total_count } = await client.catalog(`dpe://${host}`);
  expect(total_count).toBe(documents.length);
  expect(documents).toHaveLength(11);
  for (const document of documents) expect(document).not.toHaveProperty('server');
  const file = join(examples, 'sales.xlsx');
  expect(documents.find(({ doc_ref }) => doc_ref === 'sales.xlsx')).toEqual({
    doc_ref: 'sales.xlsx',
    uri: workbook,
    file_uri: `file://${file}`,
    file_type: 'xlsx',
    title: 'Coffee sales 2026',
    page_count: 3,
    keywords: ['sales', 'coffee', '2026', 'sales.xlsx'],
    summary: '3 sheets: Sales, Shops, Notes',
    last_modified: new Date(Math.trunc(statSync(file).mtimeMs)).toISOString(),
  });
});

verifies(
  'documents.catalogue',
  async () => {
    const { resources } = await client.mcp.listResources();
    const { documents } = await client.catalog(`dpe://${host}`);
    expect(resources.map(({ uri }) => uri)).toEqual(documents.map(({ uri }) => uri));
    for (const [index, resource] of resources.entries()) {
      const { title, summary, page_count, file_type, file_uri, keywords, last_modified } = documents[index]!;
      expect(resource).toMatchObject({
        name: title,
        description: summary,
        annotations: { lastModified: last_modified },
        _meta: { page_count, file_type, file_uri, ...(keywords && { keywords }) },
      });
      expect(resource.size).toBeGreaterThan(0);
    }
  },
  'the list of resources says the same without a read',
);

verifies(
  'documents.catalogue',
  async () => {
    const all = await client.catalog(`dpe://${host}`);
    const some = await client.catalog(`dpe://${host}?offset=2&limit=3`);
    expect(some).toEqual({ documents: all.documents.slice(2, 5), total_count: 11 });
  },
  'a part of it, for those who ask for one',
);

verifies('documents.document', async () => {
  const metadata = await client.document(workbook);
  expect(metadata).toMatchObject({
    doc_ref: 'sales.xlsx',
    file_type: 'xlsx',
    title: 'Coffee sales 2026',
    page_count: 3,
  });
  expect(metadata).not.toHaveProperty('pages');

  const { pages, ...facts } = await client.document(`${workbook}?depth=pages`);
  expect(facts).toEqual({ ...metadata, page_offset: 0, page_limit: 20, page_total: 3 });
  const hash = expect.any(String);
  expect(pages).toEqual([
    { page_index: 0, title: 'Sales', element_count: 10, uri: `${workbook}/pages/0`, doc_ref: 'sales.xlsx', hash },
    { page_index: 1, title: 'Shops', element_count: 2, uri: `${workbook}/pages/1`, doc_ref: 'sales.xlsx', hash },
    { page_index: 2, title: 'Notes', element_count: 1, uri: `${workbook}/pages/2`, doc_ref: 'sales.xlsx', hash },
  ]);
});

verifies(
  'documents.document',
  async () => {
    const second = await client.document(`${workbook}?depth=pages&offset=1&limit=1`);
    expect(second).toMatchObject({ page_offset: 1, page_limit: 1, page_total: 3 });
    expect(second.pages?.map(({ title }) => title)).toEqual(['Shops']);
    const beyond = await client.document(`${workbook}?depth=pages&offset=3`);
    expect(beyond).toMatchObject({ pages: [], page_offset: 3 });
  },
  'with offset and limit',
);

verifies('documents.page', async () => {
  const page = await client.page(`${workbook}/pages/0`);
  expect(page).toMatchObject({ page_index: 0, title: 'Sales', doc_ref: 'sales.xlsx', uri: `${workbook}/pages/0` });
  expect(page.element_count).toBe(page.elements.length);
  expect(Object.keys(page.elements[0]!).toSorted()).toEqual(['category', 'content', 'element_id', 'summary']);

  const some = await client.page(`${workbook}/pages/0?categories=chart,formula`);
  expect(some.element_count).toBe(7);
  expect(new Set(some.elements.map(({ category }) => category))).toEqual(new Set(['chart', 'formula']));
});

verifies('documents.element', async () => {
  const { elements } = await client.page(`${workbook}/pages/0`);
  const { element_id, content, summary } = elements.find(({ category }) => category === 'table')!;
  expect(await client.element(`${workbook}/elements/${element_id}`)).toEqual({
    element_id,
    category: 'table',
    doc_ref: 'sales.xlsx',
    page_index: 0,
    uri: `${workbook}/elements/${element_id}`,
    summary,
    content,
    metadata: { sheet: 'Sales', range: 'A3:F7', number_formats: expect.objectContaining({ F: '#,##0' }) },
  });
});

verifies('documents.content', async () => {
  const shapes: Record<string, string[]> = {
    heading: ['level', 'text'],
    text: ['text'],
    table: ['headers', 'rows', 'total_columns', 'total_rows'],
    chart: ['chart_type', 'data_summary', 'title'],
    list: ['items', 'ordered'],
    link: ['text', 'url'],
    formula: ['expression'],
  };
  const seen = new Set<string>();
  for (const { category, content } of await everyElement()) {
    ElementCategory.parse(category);
    seen.add(category);
    // An extension: the marks of a list that are not bullets, or numbers from 1.
    const fields = Object.keys(content).filter(field => field !== 'marks');
    if (shapes[category]) expect(fields.toSorted()).toEqual(shapes[category]);
    if (category === 'code') expect(content).toHaveProperty('text');
    if (category === 'image') expect('url' in content || 'description' in content).toBe(true);
  }
  expect([...Object.keys(shapes), 'code', 'image'].filter(category => !seen.has(category))).toEqual([]);
});

verifies('documents.markdown', async () => {
  const page = async (uri: string) => (await client.page(`${uri}?format=markdown`)).content_markdown;
  expect(await page(`${handbook}/pages/1`)).toMatch(/^## Opening\n\n1\. Switch on/);
  expect(await page(`${handbook}/pages/2`)).toContain('| Espresso | 18 g | none |');
  expect(await page(`${handbook}/pages/3`)).toContain('```sh\ntill open --float 150\ntill close --count\n```');
  expect(await page(`${handbook}/pages/3`)).toContain('![The beam](beam.png)');
  expect(await page(`${handbook}/pages/3`)).toContain('[annotation: 1: Not before six.]');
  const sales = await page(`${workbook}/pages/0`);
  expect(sales).toContain('[chart: Cups by quarter]\nHarbour: Q1 2026 8200');
  expect(sales).toContain('$ B7 = SUM(B4:B6) $');
  expect(await page(`${workbook}/pages/1`)).toContain('[Harbour](https://example.com/shops/harbour)');
  expect(await page(`dpe://${host}/report.docx/pages/1`)).toContain('[image: A lighthouse beam over dark water]');
});

verifies(
  'documents.markdown',
  async () => {
    await using chinese = await DocumentsClient.open([examples, '--language', 'zh']);
    const { content_markdown } = await chinese.page('dpe://documents/sales.xlsx/pages/0?format=markdown');
    expect(content_markdown).toContain('[图表: Cups by quarter]');
  },
  'with the Chinese labels of charts and pictures',
);

verifies('documents.format', async () => {
  const plain = await client.page(`${workbook}/pages/1`);
  const markdown = await client.page(`${workbook}/pages/1?format=markdown`);
  const text = await client.page(`${workbook}/pages/1?format=text`);
  expect(markdown).toEqual({
    ...plain,
    content_markdown: expect.stringContaining('| Harbour | 2019-04-12 | €3.20 | 62% |'),
  });
  expect(text).toEqual({ ...plain, content_text: expect.stringContaining('Harbour\t2019-04-12\t€3.20\t62%') });
  expect(plain.elements[0]?.content.rows).toContainEqual(['Harbour', '2019-04-12', 3.2, 0.62]);
});

verifies(
  'documents.format',
  async () => {
    for (const uri of [`dpe://${host}`, workbook, `${workbook}?depth=pages`]) {
      const separator = uri.includes('?') ? '&' : '?';
      expect(await client.json(`${uri}${separator}format=markdown`)).toHaveProperty('content_markdown');
      expect(await client.json(`${uri}${separator}format=text`)).toHaveProperty('content_text');
    }
  },
  'at every level',
);

verifies('documents.errors', async () => {
  const failure = (uri: string) => client.json(uri).catch((error: unknown) => error);
  expect(await failure(`dpe://${host}/nothing.pdf`)).toMatchObject({ code: 4201, data: { doc_ref: 'nothing.pdf' } });
  expect(await failure('dpe://somebody.else/a')).toMatchObject({ code: 4201, data: { host: 'somebody.else' } });
  expect(await failure(`${workbook}/pages/3`)).toMatchObject({ code: 4202, data: { page_index: 3, page_count: 3 } });
  expect(await failure(`${workbook}/elements/none`)).toMatchObject({ code: 4203, data: { element_id: 'none' } });
  expect(await failure(`${workbook}/elements/s9.table-1`)).toMatchObject({ code: 4203 });
  expect(await failure(`${workbook}?limit=0`)).toMatchObject({ code: 4204, data: { uri: `${workbook}?limit=0` } });
});

verifies('documents.read-only', async () => {
  using folder = temporaryFolder({ from: examples });
  const before = readFileSync(join(folder.path, 'report.docx'));
  const { mtimeMs } = statSync(join(folder.path, 'report.docx'));
  await using own = await DocumentsClient.open([folder.path]);
  const first = await own.page('dpe://documents/report.docx/pages/1');
  expect(await own.page('dpe://documents/report.docx/pages/1')).toEqual(first);
  expect(readFileSync(join(folder.path, 'report.docx'))).toEqual(before);
  expect(statSync(join(folder.path, 'report.docx')).mtimeMs).toBe(mtimeMs);
});

verifies('documents.templates', async () => {
  const { resourceTemplates } = await client.mcp.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    `dpe://${host}/{doc_ref}/pages/{page_index}`,
    `dpe://${host}/{doc_ref}/elements/{element_id}`,
  ]);
  const complete = async (name: string, value: string, known: Record<string, string> = {}) => {
    const ref = { type: 'ref/resource' as const, uri: resourceTemplates[name === 'element_id' ? 1 : 0]!.uriTemplate };
    const { completion } = await client.mcp.complete({ ref, argument: { name, value }, context: { arguments: known } });
    return completion;
  };
  expect(await complete('doc_ref', 's')).toEqual({
    values: ['sales.xlsx', 'shops.csv', 'slides.pptx'],
    total: 3,
    hasMore: false,
  });
  expect(await complete('page_index', '', { doc_ref: 'sales.xlsx' })).toMatchObject({ values: ['0', '1', '2'] });
  expect(await complete('page_index', '')).toMatchObject({ values: [] });
  const ids = await complete('element_id', 's2.', { doc_ref: 'sales.xlsx' });
  expect(ids.values).toEqual([expect.stringMatching(/^s2\.table-/), expect.stringMatching(/^s2\.link-/)]);
  expect(await complete('element_id', '', { doc_ref: 'sales.xlsx', page_index: '2' })).toMatchObject({ total: 1 });
});

async function everyElement() {
  const { documents } = await client.catalog(`dpe://${host}`);
  const pages = documents.flatMap(({ uri, page_count }) =>
    Array.from({ length: page_count }, (_, index) => `${uri}/pages/${index}`),
  );
  return (await Promise.all(pages.map(uri => client.page(uri)))).flatMap(({ elements }) => elements);
}
