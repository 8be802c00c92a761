import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DocumentLibrary } from '@a2c-smcp/documents';
import { DPEDocument } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { examples, listOpened, temporaryFolder } from './client.ts';
import { hugeTypes, textTypes, writeHugeFile } from './huge-files.ts';

/** Bytes that this process read so far, where the system reports it. */
function bytesRead(): number | undefined {
  const io = '/proc/self/io';
  return existsSync(io) ? Number(/rchar: (\d+)/.exec(readFileSync(io, 'utf8'))?.[1]) : undefined;
}

test('a listing of 10,000 huge files does not wait until they were opened, and a page is read meanwhile', {
  timeout: 60_000,
}, async ({ annotate }) => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'many'));
  for (const type of hugeTypes) writeHugeFile(join(folder.path, `original.${type}`), type);
  for (let number = hugeTypes.length; number < 10_000; number += 1) {
    // Most are texts, as in most folders.
    const type = number % 10 === 0 ? hugeTypes[(number / 10) % hugeTypes.length] : textTypes[number % textTypes.length];
    linkSync(join(folder.path, `original.${type}`), join(folder.path, `many/${number}.${type}`));
  }
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
  const start = performance.now();
  const shares: number[] = [];
  const listing = library.list({ onProgress: share => shares.push(share) });
  const page = await library.read('dpe://documents/original.txt/pages/0');
  const { documents, total } = await listing;
  annotate(`listed in ${Math.round(performance.now() - start)} ms`);
  expect(page).toMatchObject({ title: 'Lines 1–2' });
  expect(total).toBe(10_000);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1) ?? 0).toBeLessThan(1);
  const unknown = documents.filter(({ description }) => description.page_count === 0);
  expect(unknown.length).toBeGreaterThan(0);
  for (const { entry, description } of unknown) {
    expect(description).toMatchObject({ title: entry.file.name, file_type: entry.file.type });
    expect(description).not.toHaveProperty('summary');
  }
});

test('a huge document of each type is described by its reader, and after a restart by the index', {
  timeout: 60_000,
}, async () => {
  using folder = temporaryFolder();
  using cache = temporaryFolder();
  const indexFile = join(cache.path, 'deep/index.json');
  for (const type of hugeTypes) {
    writeHugeFile(join(folder.path, `original.${type}`), type);
    utimesSync(join(folder.path, `original.${type}`), 1000, 1000);
  }
  const listAll = async () => {
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path], indexFile });
    const before = bytesRead() ?? 0;
    const documents = await listOpened(library);
    return { documents, read: (bytesRead() ?? 0) - before };
  };
  const first = await listAll();
  const second = await listAll();
  expect(second.documents).toEqual(first.documents);
  expect(second.read).toBeLessThan(100_000);
  const pages = Object.fromEntries(
    first.documents.map(({ description: { file_type, page_count } }) => [file_type, page_count]),
  );
  expect(pages).toEqual({
    ...{ txt: 131_072, log: 131_072, py: 131_072, json: 131_072, jsonl: 65_536, csv: 1, md: 2, html: 1572 },
    ...{ pdf: 2, docx: 4, xlsx: 3, pptx: 4 },
  });
  const titles = new Set(first.documents.map(({ description }) => description.title));
  expect([...titles]).toEqual(expect.arrayContaining(['Annual report 2026', 'A long handbook', 'A long page']));
});

test('a damaged index file is replaced, and an intact one is used', async () => {
  using cache = temporaryFolder();
  using folder = temporaryFolder();
  const indexFile = join(cache.path, 'index.json');
  writeFileSync(join(folder.path, 'a.md'), '# First\n');
  utimesSync(join(folder.path, 'a.md'), 1000, 1000);
  writeFileSync(indexFile, 'nonsense');
  const titles = async () => {
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path], indexFile });
    return (await listOpened(library)).map(({ description }) => description.title);
  };
  expect(await titles()).toEqual(['First']);
  expect(readdirSync(cache.path)).toEqual(['index.json']);
  const saved = readFileSync(indexFile, 'utf8');
  writeFileSync(indexFile, saved.replace('First', 'Indexed'));
  expect(await titles()).toEqual(['Indexed']);
  writeFileSync(join(folder.path, 'a.md'), '# Changed\n');
  expect(await titles()).toEqual(['Changed']);
});

test('a cancelled listing rejects', async () => {
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [examples] });
  const abort = new AbortController();
  const listing = library.list({ signal: abort.signal, onProgress: () => abort.abort() });
  await expect(listing).rejects.toMatchObject({ name: 'AbortError' });
});

test('a file that cannot be opened is listed with the reason, and announced when it was read after all', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'b.md');
  const write = () => {
    writeFileSync(path, '# Back\n');
    utimesSync(path, 1000, 1000);
  };
  writeFileSync(join(folder.path, 'a.md'), '# A\n');
  write();
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
  const changes: unknown[] = [];
  library.onChange(change => changes.push(change));
  const descriptionOf = async () => (await library.list({ offset: 1 })).documents[0]?.description;
  rmSync(path);
  await eventually(async () => expect(await descriptionOf()).toMatchObject({ page_count: 1, title: 'b' }));
  expect(await descriptionOf()).toMatchObject({ summary: expect.stringMatching(/cannot be read/) });
  write();
  changes.splice(0);
  expect(await library.read('dpe://documents/b.md')).toMatchObject({ title: 'Back' });
  expect(await descriptionOf()).toMatchObject({ title: 'Back', page_count: 1 });
  const corrected = { listChanged: true, updated: ['dpe://documents/b.md'] };
  await eventually(() => expect(changes).toContainEqual(corrected));
});

test('a library that does not watch detects changes at the next request', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'a.md'), '# First\n');
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
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

test('a watched change is announced within half a second, also one of a .gitignore', { retry: 2 }, async ({
  annotate,
}) => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'sub'));
  writeFileSync(join(folder.path, 'a.md'), '# First\n');
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path], watch: true });
  const nextChange = () => new Promise(resolve => library.onChange(resolve));
  const start = performance.now();
  writeFileSync(join(folder.path, 'sub/b.md'), '# Second\n');
  expect(await nextChange()).toEqual({ listChanged: true, updated: [] });
  const delay = performance.now() - start;
  annotate(`announced after ${Math.round(delay)} ms`);
  expect(delay).toBeLessThan(500);
  writeFileSync(join(folder.path, '.gitignore'), 'sub/\n');
  expect(await nextChange()).toEqual({ listChanged: true, updated: [] });
  expect(library.docRefs).toEqual(['a.md']);
});

test('watched folders that are made, filled, moved, replaced and deleted are seen with all that is in them', async () => {
  using folder = temporaryFolder();
  using outside = temporaryFolder();
  const path = (name: string) => join(folder.path, name);
  const refs = (...names: string[]) => eventually(() => expect(library.docRefs).toEqual(names.toSorted()));
  const make = (below: string, names: string[]) => {
    mkdirSync(join(below, 'deep'), { recursive: true });
    for (const name of names) writeFileSync(join(below, name), `# ${name}\n`);
  };
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path], watch: true });
  make(path('new'), ['a.md', 'deep/b.md']);
  await refs('new/a.md', 'new/deep/b.md');
  writeFileSync(path('new/deep/c.md'), '# Later\n');
  await refs('new/a.md', 'new/deep/b.md', 'new/deep/c.md');
  renameSync(path('new'), path('moved'));
  await refs('moved/a.md', 'moved/deep/b.md', 'moved/deep/c.md');
  make(outside.path, ['d.md', 'deep/e.md']);
  rmSync(path('moved'), { recursive: true });
  renameSync(outside.path, path('moved'));
  await refs('moved/d.md', 'moved/deep/e.md');
  writeFileSync(path('moved/deep/f.md'), '# In the folder that came instead\n');
  await refs('moved/d.md', 'moved/deep/e.md', 'moved/deep/f.md');
  renameSync(path('moved'), outside.path);
  await refs();
  writeFileSync(path('moved'), 'a file without an extension');
  make(path('last'), ['g.md']);
  await refs('last/g.md');
  rmSync(folder.path, { recursive: true });
  await refs();
});

test('a file with another time is another version', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.md');
  writeFileSync(path, '# One\n');
  utimesSync(path, 1000, 1000);
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
  await listOpened(library);
  writeFileSync(path, '# Two\n');
  utimesSync(path, 2000, 2000);
  const documents = await listOpened(library);
  expect(documents[0]?.description).toMatchObject({ title: 'Two', last_modified: '1970-01-01T00:33:20.000Z' });
});

test('a change that leaves the time and the size of a file is seen while its clock may not have advanced', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.md');
  writeFileSync(path, '# One\n');
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
  // A full second: a clock without fractions, which may not have advanced for two seconds.
  const now = Math.ceil(Date.now() / 1000);
  for (const text of ['One', 'Two', 'Six', 'Ten']) {
    writeFileSync(path, `# ${text}\n`);
    utimesSync(path, now, now);
    expect(await library.read('dpe://documents/a.md')).toMatchObject({ title: text });
    expect(JSON.stringify(await library.read('dpe://documents/a.md/pages/0'))).toContain(text);
  }
});

test('documents of several folders have different references, and odd names are addresses', async () => {
  using folder = temporaryFolder();
  for (const name of ['one', 'two', 'deep/one']) mkdirSync(join(folder.path, name), { recursive: true });
  writeFileSync(join(folder.path, 'one/a b#ü?.md'), '# One\n');
  writeFileSync(join(folder.path, 'two/a.md'), '# Two\n');
  writeFileSync(join(folder.path, 'deep/one/a.md'), '# Deep\n');
  const folders = ['one', 'two', 'deep/one'].map(name => join(folder.path, name));
  await using library = await DocumentLibrary.open({ host: 'documents', folders });
  expect(library.docRefs).toEqual(['one-2/a.md', 'one/a b#ü?.md', 'two/a.md']);
  for (const { description } of (await library.list()).documents) {
    expect(await library.read(description.uri)).toMatchObject({ doc_ref: description.doc_ref });
  }
});

test('a missing folder and an invalid host are refused', async () => {
  await expect(DocumentLibrary.open({ folders: ['/no/such/folder'] })).rejects.toThrow('/no/such/folder');
  await expect(DocumentLibrary.open({ folders: [join(examples, 'till.py')] })).rejects.toThrow('not a folder');
  await expect(DocumentLibrary.open({ folders: [examples], host: 'a b' })).rejects.toMatchObject({ code: 4204 });
});
