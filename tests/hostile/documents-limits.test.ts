import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@a2c-smcp/core';
import type { DocumentLibrary } from '@a2c-smcp/documents';
import { DPEPage } from '@a2c-smcp/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LocalSessions } from '../../packages/documents/src/sessions/local.ts';
import { builtLibrary, temporaryFolder } from '../documents/client.ts';
import { eventually } from '../eventually.ts';
import { workedMs } from './documents-clock.ts';
import { docx, slowDocx } from './documents-files.ts';

const folder = temporaryFolder();
const path = (name: string) => join(folder.path, name);
let documents: Awaited<ReturnType<typeof builtLibrary>>;

beforeAll(async () => {
  writeFileSync(path('control.txt'), 'sound\n');
  writeFileSync(path('slow.docx'), slowDocx());
  documents = await builtLibrary();
}, 60_000);
afterAll(() => folder[Symbol.dispose]());

async function summariesOf(library: DocumentLibrary, name: string, page = 0): Promise<string> {
  const { elements } = DPEPage.parse(await library.read(`dpe://documents/${name}/pages/${page}`));
  return elements.map(({ summary }) => summary).join('\n');
}

/** The threads of this process, where the system reports them. */
function threads(): number {
  return existsSync('/proc/self/task') ? readdirSync('/proc/self/task').length : 0;
}

describe('limits of parsing', () => {
  test('a document that needs too much memory fails alone, and others are read after it', async () => {
    writeFileSync(path('hungry.docx'), docx(`<w:p>${'<w:r><w:t>a</w:t></w:r>'.repeat(200_000)}</w:p>`));
    await using library = await documents.DocumentLibrary.open({
      host: 'documents',
      folders: [folder.path],
      parseMemory: 48 * 1024 * 1024,
    });
    const [hungry, control] = await Promise.all([
      summariesOf(library, 'hungry.docx'),
      summariesOf(library, 'control.txt'),
    ]);
    expect(hungry).toMatch(/takes too much memory/);
    expect(control).toBe('sound');
    expect(await summariesOf(library, 'control.txt')).toBe('sound');
  });

  test('a page that is not read by the time limit does not delay pages of other documents', async () => {
    await using library = await documents.DocumentLibrary.open({
      host: 'documents',
      folders: [folder.path],
      parseTimeout: 400,
    });
    const reads = Array.from({ length: 6 }, (_, page) => summariesOf(library, 'slow.docx', page));
    expect(await summariesOf(library, 'control.txt')).toBe('sound');
    expect(new Set(await Promise.all(reads))).toEqual(
      new Set(['This page cannot be read. Reading it took longer than 0.4 seconds and was given up']),
    );
  });

  test('a cancelled read rejects at once, and its worker ends', async () => {
    await using library = await documents.DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
    expect(await summariesOf(library, 'control.txt')).toBe('sound');
    const before = threads();
    const begin = workedMs(process.pid);
    const controller = new AbortController();
    const reading = library.read('dpe://documents/slow.docx/pages/0', { signal: controller.signal });
    const refused = expect(reading).rejects.toThrow('enough');
    // By then the page is being parsed.
    await eventually(() => expect(workedMs(process.pid) - begin).toBeGreaterThan(300));
    controller.abort(new Error('enough'));
    await refused;
    await eventually(() => expect(threads()).toBeLessThan(Math.max(before, 1)));
    expect(await summariesOf(library, 'control.txt')).toBe('sound');
  });

  test('a read of two callers continues when one of them cancels', async () => {
    await using library = await documents.DocumentLibrary.open({
      host: 'documents',
      folders: [folder.path],
      parseTimeout: 60_000,
    });
    const controller = new AbortController();
    writeFileSync(path('long.docx'), docx('<w:p><w:r><w:t>words</w:t></w:r></w:p>'.repeat(20_000)));
    const cancelled = library.read('dpe://documents/long.docx/pages/0', { signal: controller.signal });
    const wanted = summariesOf(library, 'long.docx');
    controller.abort(new Error('enough'));
    await expect(cancelled).rejects.toThrow('enough');
    expect(await wanted).toMatch(/^words$/m);
  });

  test('a library closes while it parses', async () => {
    const library = await documents.DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
    const reading = summariesOf(library, 'slow.docx');
    await summariesOf(library, 'control.txt');
    await library.close();
    expect(await reading).toMatch(/closed/);
  });
});

describe('a file that changes while it is read', () => {
  test.each<[what: string, change: () => void]>([
    ['deleted', () => unlinkSync(path('changing.docx'))],
    ['cut off', () => truncateSync(path('changing.docx'), 1000)],
    ['overwritten', () => writeFileSync(path('changing.docx'), 'something else')],
    ['longer', () => writeFileSync(path('changing.docx'), 'more', { flag: 'a' })],
  ])('a file that is %s while it is read affects its own page only', async (_, change) => {
    writeFileSync(path('changing.docx'), docx('<w:p><w:r><w:t>words</w:t></w:r></w:p>'.repeat(15_000)));
    await using library = await documents.DocumentLibrary.open({
      host: 'documents',
      folders: [folder.path],
      parseTimeout: 5000,
    });
    const reading = library.read('dpe://documents/changing.docx/pages/0').catch(error => error);
    await summariesOf(library, 'control.txt');
    change();
    await reading;
    writeFileSync(path('control.txt'), 'sound again\n');
    expect(await summariesOf(library, 'control.txt')).toBe('sound again');
    writeFileSync(path('control.txt'), 'sound\n');
  });

  test.runIf(process.platform !== 'win32')('a file that is a pipe when it is opened blocks no thread', async () => {
    const sessions = new LocalSessions();
    const reads = ['a.txt', 'b.md', 'c.csv', 'd.docx', 'e.pdf', 'f.json', 'g.html', 'h.jsonl'].map(async name => {
      execFileSync('mkfifo', [path(name)]);
      const file = { path: path(name), folders: [folder.path], name, type: name.slice(2), size: 10, modified: 1 };
      const { elements = [] } = (await sessions.page(file, 0)).pages[0] ?? {};
      unlinkSync(path(name));
      return Buffer.from(elements).toString();
    });
    for (const read of reads) expect(await read).toMatch(/cannot be read/);
    await sessions.close();
  });
});

describe('a .gitignore', () => {
  test('a .gitignore of 25,000 rules is applied in part with a warning, and does not delay the listing', async () => {
    using rules = temporaryFolder();
    writeFileSync(join(rules.path, '.gitignore'), `hidden.txt\n${'*a*a*a*b\n'.repeat(25_000)}`);
    for (let n = 0; n < 200; n += 1) writeFileSync(join(rules.path, `${'a'.repeat(n + 1)}.txt`), '');
    writeFileSync(join(rules.path, 'hidden.txt'), '');
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
    const begin = workedMs(process.pid);
    await using library = await documents.DocumentLibrary.open({ host: 'documents', folders: [rules.path], logger });
    for (let turn = 0; turn < 5; turn += 1) expect((await library.list()).total).toBe(200);
    expect(workedMs(process.pid) - begin).toBeLessThan(5000);
    expect(warnings).toEqual(['Rules of a .gitignore are ignored: it has too many']);
  });

  test.runIf(process.platform !== 'win32')('a .gitignore that is a pipe is ignored', async () => {
    using rules = temporaryFolder();
    writeFileSync(join(rules.path, 'a.txt'), '');
    execFileSync('mkfifo', [join(rules.path, '.gitignore')]);
    await using library = await documents.DocumentLibrary.open({ host: 'documents', folders: [rules.path] });
    expect(library.docRefs).toEqual(['a.txt']);
  });
});

test('undefined options of the documents package take their defaults', async () => {
  const options = {
    host: undefined,
    watch: undefined,
    all: undefined,
    indexFile: undefined,
    cacheBytes: undefined,
    parseTimeout: undefined,
    parseMemory: undefined,
    language: undefined,
    logger: undefined,
  };
  using quick = temporaryFolder();
  for (const name of ['control.txt', 'other.txt']) writeFileSync(join(quick.path, name), 'sound\n');
  await using library = await documents.DocumentLibrary.open({ folders: [quick.path], ...options });
  const list = await library.list({ offset: undefined, limit: undefined, signal: undefined, onProgress: undefined });
  expect(list.total).toBeGreaterThan(1);
  const read = { signal: undefined, onProgress: undefined };
  expect(await library.read(`dpe://${library.host}/control.txt/pages/0`, read)).toMatchObject({ element_count: 1 });
  const http = { port: undefined, address: undefined, hostNames: undefined, logger: undefined };
  await using server = await documents.DocumentsHttpServer.listen({ library, ...http });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  const foreign = await fetch(server.url, { method: 'POST', headers: { origin: 'https://evil.example' }, body: '{}' });
  expect(foreign.status, 'a foreign page is refused').toBe(403);
  await documents.createDocumentsServer(library, { announce: undefined, logger: undefined }).close();
});
