import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocumentLibrary } from '@a2c-smcp/documents';
import { DPEDocument } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { examples, temporaryFolder } from './client.ts';
import { hugeTypes, textTypes, writeHugeFile } from './huge-files.ts';

/** Bytes that this process read so far, where the system tells. */
function bytesRead(): number | undefined {
  const io = '/proc/self/io';
  return existsSync(io) ? Number(/rchar: (\d+)/.exec(readFileSync(io, 'utf8'))?.[1]) : undefined;
}

test('10,000 huge files are listed without being opened fully, and the second time from memory', {
  timeout: 60_000,
}, async ({ annotate }) => {
  using folder = temporaryFolder();
  using cache = temporaryFolder();
  const indexFile = join(cache.path, 'deep/index.json');
  mkdirSync(join(folder.path, 'many'));
  for (const type of hugeTypes) writeHugeFile(join(folder.path, `original.${type}`), type);
  for (let number = hugeTypes.length; number < 10_000; number += 1) {
    // Most are texts, as in most folders.
    const type = number % 10 === 0 ? hugeTypes[(number / 10) % hugeTypes.length] : textTypes[number % textTypes.length];
    linkSync(join(folder.path, `original.${type}`), join(folder.path, `many/${number}.${type}`));
  }
  const listAll = async () => {
    await using library = await DocumentLibrary.open({ folders: [folder.path], indexFile });
    const [start, before] = [performance.now(), bytesRead() ?? 0];
    const shares: number[] = [];
    const listing = library.list({ onProgress: share => shares.push(share) });
    await library.read('dpe://documents/original.txt/pages/0');
    const meanwhile = shares.length;
    const { documents, total } = await listing;
    const took = Math.round(performance.now() - start);
    return { documents, total, took, read: (bytesRead() ?? 0) - before, shares, meanwhile };
  };
  const first = await listAll();
  const second = await listAll();
  const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
  annotate(`listed in ${first.took} ms, ${megabytes(first.read)} MB read; again in ${second.took} ms`);
  expect(first.total).toBe(10_000);
  expect(first.shares).toEqual(first.shares.toSorted((a, b) => a - b));
  expect(first.shares.at(-1)).toBe(1);
  expect(first.meanwhile, 'others are answered meanwhile').toBeLessThan(1000);
  expect(first.read / first.total).toBeLessThan(128 * 1024);
  expect(second.read).toBeLessThan(1_000_000);
  expect(second.documents).toEqual(first.documents);
  const pages = Object.fromEntries(
    first.documents.map(({ description: { file_type, page_count } }) => [file_type, page_count]),
  );
  expect(pages).toEqual({
    ...{ txt: 131_072, log: 131_072, py: 131_072, json: 131_072, jsonl: 16_384, csv: 1, md: 960, html: 240 },
    ...{ pdf: 2, docx: 4, xlsx: 3, pptx: 4 },
  });
  const titles = new Set(first.documents.map(({ description }) => description.title));
  expect([...titles]).toEqual(expect.arrayContaining(['Annual report 2026', 'A long handbook', 'A long page']));
});

test('the index file is begun anew when it is damaged, and forgets nothing when it is not', async () => {
  using cache = temporaryFolder();
  using folder = temporaryFolder();
  const indexFile = join(cache.path, 'index.json');
  writeFileSync(join(folder.path, 'a.md'), '# First\n');
  writeFileSync(indexFile, 'nonsense');
  const titles = async () => {
    await using library = await DocumentLibrary.open({ folders: [folder.path], indexFile });
    return (await library.list()).documents.map(({ description }) => description.title);
  };
  expect(await titles()).toEqual(['First']);
  expect(readdirSync(cache.path)).toEqual(['index.json']);
  const remembered = readFileSync(indexFile, 'utf8');
  writeFileSync(indexFile, remembered.replace('First', 'Remembered'));
  expect(await titles()).toEqual(['Remembered']);
  writeFileSync(join(folder.path, 'a.md'), '# Changed\n');
  expect(await titles()).toEqual(['Changed']);
});

test('a listing that nobody waits for any more ends', async () => {
  await using library = await DocumentLibrary.open({ folders: [examples] });
  const abort = new AbortController();
  const listing = library.list({ signal: abort.signal, onProgress: () => abort.abort() });
  await expect(listing).rejects.toMatchObject({ name: 'AbortError' });
});

test('a damaged file in which reading finds more than its header told is announced', async () => {
  using folder = temporaryFolder();
  const whole = readFileSync(join(examples, 'invoice.pdf'), 'latin1');
  const padding = `%${' '.repeat(5 * 1024 * 1024)}\n`;
  writeFileSync(join(folder.path, 'a.pdf'), whole.replace(/startxref\s+\d+/, `${padding}startxref\n5`), 'latin1');
  await using library = await DocumentLibrary.open({ folders: [folder.path] });
  const changes: unknown[] = [];
  library.onChange(change => changes.push(change));
  const uri = 'dpe://documents/a.pdf';
  expect(await library.read(uri)).toMatchObject({ page_count: 1, summary: expect.stringContaining('damaged') });
  expect(await library.read(`${uri}/pages/0?format=text`)).toMatchObject({
    content_text: expect.stringMatching(/Invoice/),
  });
  expect(changes).toEqual([{ listChanged: false, updated: [uri] }]);
  expect(await library.read(uri)).toMatchObject({ page_count: 2 });
});

test('without watching, changes are noticed at the next request', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'a.md'), '# First\n');
  await using library = await DocumentLibrary.open({ folders: [folder.path] });
  const changes: unknown[] = [];
  library.onChange(change => changes.push(change));
  const title = async (name: string) => DPEDocument.parse(await library.read(`dpe://documents/${name}`)).title;
  expect(await title('a.md')).toBe('First');
  writeFileSync(join(folder.path, 'a.md'), '# Longer title\n');
  expect(await title('a.md')).toBe('Longer title');
  writeFileSync(join(folder.path, 'b.md'), '# Second\n');
  expect(await title('b.md')).toBe('Second');
  expect(changes).toEqual([{ listChanged: true, updated: ['dpe://documents/a.md'] }]);
  rmSync(join(folder.path, 'a.md'));
  await expect(title('a.md')).rejects.toMatchObject({ code: 4201 });
});

test('a change is told within half a second, also of what is shown', { retry: 2 }, async ({ annotate }) => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'sub'));
  writeFileSync(join(folder.path, 'a.md'), '# First\n');
  await using library = await DocumentLibrary.open({ folders: [folder.path], watch: true });
  const nextChange = () => new Promise(resolve => library.onChange(resolve));
  const start = performance.now();
  writeFileSync(join(folder.path, 'sub/b.md'), '# Second\n');
  expect(await nextChange()).toEqual({ listChanged: true, updated: [] });
  const delay = performance.now() - start;
  annotate(`told after ${Math.round(delay)} ms`);
  expect(delay).toBeLessThan(500);
  writeFileSync(join(folder.path, '.gitignore'), 'sub/\n');
  expect(await nextChange()).toEqual({ listChanged: true, updated: [] });
  expect(library.docRefs).toEqual(['a.md']);
});

test('a file that only became younger is another version', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.md');
  writeFileSync(path, '# One\n');
  utimesSync(path, 1000, 1000);
  await using library = await DocumentLibrary.open({ folders: [folder.path] });
  await library.list();
  writeFileSync(path, '# Two\n');
  utimesSync(path, 2000, 2000);
  const { documents } = await library.list();
  expect(documents[0]?.description).toMatchObject({ title: 'Two', last_modified: '1970-01-01T00:33:20.000Z' });
});

test('several folders keep their documents apart, and odd names are addresses', async () => {
  using folder = temporaryFolder();
  for (const name of ['one', 'two', 'deep/one']) mkdirSync(join(folder.path, name), { recursive: true });
  writeFileSync(join(folder.path, 'one/a b#ü?.md'), '# One\n');
  writeFileSync(join(folder.path, 'two/a.md'), '# Two\n');
  writeFileSync(join(folder.path, 'deep/one/a.md'), '# Deep\n');
  const folders = ['one', 'two', 'deep/one'].map(name => join(folder.path, name));
  await using library = await DocumentLibrary.open({ folders });
  expect(library.docRefs).toEqual(['one-2/a.md', 'one/a b#ü?.md', 'two/a.md']);
  for (const { description } of (await library.list()).documents) {
    expect(await library.read(description.uri)).toMatchObject({ doc_ref: description.doc_ref });
  }
});

test('a folder that is not there, and a host that cannot be one, are refused', async () => {
  await expect(DocumentLibrary.open({ folders: ['/no/such/folder'] })).rejects.toThrow('/no/such/folder');
  await expect(DocumentLibrary.open({ folders: [join(examples, 'till.py')] })).rejects.toThrow('not a folder');
  await expect(DocumentLibrary.open({ folders: [examples], host: 'a b' })).rejects.toMatchObject({ code: 4204 });
});
