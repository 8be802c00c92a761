import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DocumentsClient, temporaryFolder } from '../documents/client.ts';
import { CONTROL_MS, serveControl } from './documents-control.ts';
import { pdf, rejectingFiles } from './documents-files.ts';

const folder = temporaryFolder();
const path = (name: string) => join(folder.path, name);
let client: DocumentsClient;

beforeAll(async () => {
  writeFileSync(path('control.txt'), 'sound\n');
  client = await DocumentsClient.open([folder.path]);
}, 60_000);
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe('a document that leaves a rejection unhandled', () => {
  test.each(Object.entries(rejectingFiles))(
    '%s fails alone with its unhandled rejection, and the process lives',
    async (name, make) => {
      writeFileSync(path(name), make());
      for (const page of [0, 0]) {
        const { elements } = await client.page(`dpe://documents/${name}/pages/${page}`);
        expect(elements).toMatchObject([{ category: 'annotation', summary: expect.stringMatching(/cannot be read/) }]);
        expect(await serveControl(client, folder.path, Promise.resolve())).toBeLessThan(CONTROL_MS);
      }
      expect((await client.page('dpe://documents/control.txt/pages/0')).elements).toHaveLength(1);
    },
  );
});

test('a document that claims two thousand million pages is searched for an element like any other', async () => {
  const pages = '<< /Type /Pages /Count 2000000000 /Kids [3 0 R] >>';
  writeFileSync(
    path('claims.pdf'),
    pdf(['<< /Type /Catalog /Pages 2 0 R >>', pages, '<< /Type /Page /Parent 2 0 R >>']),
  );
  const uri = 'dpe://documents/claims.pdf';
  const { page_count } = await client.document(uri);
  expect(page_count).toBeLessThanOrEqual(100_000);
  const completion = client.mcp.complete({
    ref: { type: 'ref/resource', uri: 'dpe://documents/{doc_ref}/pages/{page_index}' },
    argument: { name: 'page_index', value: '' },
    context: { arguments: { doc_ref: 'claims.pdf' } },
  });
  expect((await completion).completion.values.length).toBeLessThanOrEqual(100);
  const search = new AbortController();
  const searching = client.mcp.readResource({ uri: `${uri}/elements/none` }, { signal: search.signal }).catch(() => {});
  expect((await client.page('dpe://documents/control.txt/pages/0')).elements).toHaveLength(1);
  search.abort();
  await searching;
  expect(await serveControl(client, folder.path, Promise.resolve())).toBeLessThan(CONTROL_MS);
});

describe('a page that is too large for one message', () => {
  const records = (characters: number) =>
    JSON.stringify(Array.from({ length: 2 }, (_, row) => ({ a: row === 0 ? 'x'.repeat(characters) : 'end' })));

  test('a page above the message limit shows summaries, and its elements are read by their ids', async () => {
    writeFileSync(path('large.json'), records(3_000_000));
    const { elements } = await client.page('dpe://documents/large.json/pages/0');
    expect(elements).toMatchObject([{ category: 'table', content: { omitted: expect.stringMatching(/by its id/) } }]);
    const { content } = await client.element(`dpe://documents/large.json/elements/${elements[0]?.element_id}`);
    expect(content).toMatchObject({ total_rows: 2, continued_in: expect.any(String) });
    expect(JSON.stringify(content.rows).length).toBeGreaterThan(3_000_000);
  });

  test('an element above the message limit is refused, and the connection lives', async () => {
    writeFileSync(path('larger.json'), records(9_000_000));
    const { elements } = await client.page('dpe://documents/larger.json/pages/0');
    const reading = client.element(`dpe://documents/larger.json/elements/${elements[0]?.element_id}`);
    await expect(reading).rejects.toMatchObject({ code: 413 });
    expect((await client.page('dpe://documents/control.txt/pages/0')).elements).toHaveLength(1);
  });
});
