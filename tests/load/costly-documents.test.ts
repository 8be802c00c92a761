import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DocumentsClient, temporaryFolder } from '../documents/client.ts';
import { CONTROL_MS, serveControl } from '../hostile/documents-control.ts';
import { costlyFiles, slowDocx } from '../hostile/documents-files.ts';

const folder = temporaryFolder();
const path = (name: string) => join(folder.path, name);
let client: DocumentsClient;

beforeAll(async () => {
  for (const [name, make] of Object.entries(costlyFiles)) writeFileSync(path(name), make());
  writeFileSync(path('control.txt'), 'sound\n');
  client = await DocumentsClient.open([folder.path]);
}, 60_000);
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

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
  'references.md': /as it is written: it is longer than/,
  'quotes.md': /as it is written: it nests more than 100 levels/,
  'lists.md': /as it is written: it nests more than 100 levels/,
  'columns.xlsx': /16384 columns, of which the first 727 are shown/,
  'table.html': /100000 columns, of which the first 426 are shown/,
  'spans.html': /span more than 1,000,000 places/,
  'levels.eml': /nests its parts too deeply/,
  'repeated.ods': /repeats more cells than is safe/,
  'records.json': /50000 different fields, each as JSON/,
  'records.jsonl': /different fields, each as JSON/,
};

describe('a costly document', () => {
  test('costly documents are listed without delay for the others', async () => {
    const listing = client.mcp.listResources();
    expect(await serveControl(client, folder.path, listing)).toBeLessThan(CONTROL_MS);
    const { resources } = await listing;
    expect(resources).toHaveLength(Object.keys(costlyFiles).length + 1);
    expect(resources.filter(({ description = '' }) => /took longer|too much memory/.test(description))).toEqual([]);
  });

  test.each(Object.keys(costlyFiles))('%s is read, or shows the reason, while others are served', async name => {
    const reading = client.page(`dpe://documents/${name}/pages/0`);
    const most = await serveControl(client, folder.path, reading);
    const { elements } = await reading;
    expect(most).toBeLessThan(CONTROL_MS);
    const said = elements.map(({ summary }) => summary).join('\n');
    expect(said).toMatch(remarks[name] ?? /^(?!.*cannot be read)/);
    expect(said).not.toMatch(/took longer|too much memory/);
  });
});

describe('a document that takes longer than the time limit', () => {
  test('a document above the time limit fails alone, others are served, and it is not retried for a while', async () => {
    using other = temporaryFolder();
    const slow = slowDocx();
    const names = ['a.docx', 'b.docx', 'c.docx', 'd.docx'];
    for (const name of names) writeFileSync(join(other.path, name), slow);
    writeFileSync(join(other.path, 'control.txt'), 'sound\n');
    await using server = await DocumentsClient.open(['--parse-timeout', '2', other.path]);
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
