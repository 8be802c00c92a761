import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleDocuments } from '../documents/bundle.ts';
import { DocumentsClient, temporaryFolder } from '../documents/client.ts';
import { workedMs } from './documents-clock.ts';
import { costlyFiles, pdf, rejectingFiles, slowDocx } from './documents-files.ts';

/** Milliseconds that the server may work until a sound document is read, with what it does for others meanwhile. */
const CONTROL_MS = 3000;

const folder = temporaryFolder();
const path = (name: string) => join(folder.path, name);
let main: string;
let client: DocumentsClient;

beforeAll(async () => {
  for (const [name, make] of Object.entries(costlyFiles)) writeFileSync(path(name), make());
  writeFileSync(path('control.txt'), 'sound\n');
  main = await bundleDocuments();
  client = await DocumentsClient.open(main, [folder.path]);
}, 60_000);
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Reads `control.txt`, changed each time so that no cache answers, until `work` ends. Returns the most work for one. */
async function serveControl(server: DocumentsClient, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let most = 0;
  for (let turn = 1; !isDone; turn += 1) {
    const text = `sound ${turn}`;
    writeFileSync(path('control.txt'), text);
    const begin = workedMs(server.pid);
    const { elements } = await server.page('dpe://documents/control.txt/pages/0');
    most = Math.max(most, workedMs(server.pid) - begin);
    expect(elements[0]?.content.text).toMatch(/^sound/);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  await done;
  return most;
}

/** Remarks on the pages of some files; the others are read in full. */
const remarks: Record<string, RegExp> = {
  'comments.pdf': /not a complete PDF/,
  'tags.docx': /is damaged/,
  'properties.docx': /is damaged/,
  'less-than.docx': /is damaged/,
  'styles.docx': /is damaged/,
  'tabs.md': /as it is written: a paragraph is longer than/,
  'forms.pdf': /too complex.*1,000,000 drawing operators/,
  'twice-deflated.pdf': /too complex/,
  'once-deflated.pdf': /too complex/,
  'saves.pdf': /too complex/,
  'footnotes.md': /as it is written: a paragraph is longer than/,
  'underlined.md': /as it is written: a paragraph is longer than/,
  'wide-table.md': /as it is written: a paragraph is longer than/,
  'front-matter.md': /as it is written: a paragraph is longer than/,
  'references.md': /as it is written: it is longer than/,
  'quotes.md': /as it is written: it nests more than 100 levels/,
  'lists.md': /as it is written: it nests more than 100 levels/,
  'columns.xlsx': /16384 columns, of which the first 1000 are shown/,
  'table.html': /100000 columns, of which the first 1000 are shown/,
  'levels.eml': /nests its parts too deeply/,
  'repeated.ods': /repeats more cells than is safe/,
  'records.json': /50000 different fields, each as JSON/,
  'records.jsonl': /different fields, each as JSON/,
};

describe('a costly document', () => {
  test('costly documents are listed without delay for the others', async () => {
    const listing = client.mcp.listResources();
    expect(await serveControl(client, listing)).toBeLessThan(CONTROL_MS);
    const { resources } = await listing;
    expect(resources).toHaveLength(Object.keys(costlyFiles).length + 1);
    expect(resources.filter(({ description = '' }) => /took longer|too much memory/.test(description))).toEqual([]);
  });

  test.each(Object.keys(costlyFiles))('%s is read, or shows the reason, while others are served', async name => {
    const reading = client.page(`dpe://documents/${name}/pages/0`);
    const most = await serveControl(client, reading);
    const { elements } = await reading;
    expect(most).toBeLessThan(CONTROL_MS);
    const said = elements.map(({ summary }) => summary).join('\n');
    expect(said).toMatch(remarks[name] ?? /^(?!.*cannot be read)/);
    expect(said).not.toMatch(/took longer|too much memory/);
  });
});

describe('a document that leaves a rejection unhandled', () => {
  test.each(Object.entries(rejectingFiles))(
    '%s fails alone with its unhandled rejection, and the process lives',
    async (name, make) => {
      writeFileSync(path(name), make());
      for (const page of [0, 0]) {
        const { elements } = await client.page(`dpe://documents/${name}/pages/${page}`);
        expect(elements).toMatchObject([{ category: 'annotation', summary: expect.stringMatching(/cannot be read/) }]);
        expect(await serveControl(client, Promise.resolve())).toBeLessThan(CONTROL_MS);
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
  expect(await serveControl(client, Promise.resolve())).toBeLessThan(CONTROL_MS);
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

describe('a document that takes longer than the time limit', () => {
  test('a document above the time limit fails alone, others are served, and it is not retried for a while', async () => {
    using other = temporaryFolder();
    const slow = slowDocx();
    const names = ['a.docx', 'b.docx', 'c.docx', 'd.docx'];
    for (const name of names) writeFileSync(join(other.path, name), slow);
    writeFileSync(join(other.path, 'control.txt'), 'sound\n');
    await using server = await DocumentsClient.open(main, ['--parse-timeout', '2', other.path]);
    const pageOf = async (name: string) => (await server.page(`dpe://documents/${name}/pages/0`)).elements;
    expect((await server.mcp.listResources()).resources).toHaveLength(5);
    const sound = [{ content: { text: expect.stringMatching(/^sound/) } }];
    const tooSlow = [{ summary: expect.stringMatching(/took longer than 2 seconds/) }];
    const ended: string[] = [];
    const reads = names.map(async name => {
      const elements = await pageOf(name);
      ended.push(name);
      return elements;
    });
    expect(await pageOf('control.txt')).toMatchObject(sound);
    const waitedFor = [...ended];
    for (const elements of await Promise.all(reads)) expect(elements).toMatchObject(tooSlow);
    expect(waitedFor.length, 'slow documents that the sound one waited for').toBeLessThan(3);
    const times: number[] = [];
    for (const name of names) {
      const begin = performance.now();
      expect(await pageOf(name)).toMatchObject(tooSlow);
      times.push(performance.now() - begin);
    }
    expect(Math.min(...times), 'milliseconds, of which another attempt takes 2,000').toBeLessThan(2000);
    expect(await pageOf('control.txt')).toMatchObject(sound);
  }, 60_000);
});
