import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LocalSessions } from './local.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'a2c-ahead-')));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, text: string) {
  writeFileSync(join(folder, name), text);
  const type = name.split('.').at(-1) ?? '';
  return { path: join(folder, name), folders: [folder], name, type, size: text.length, modified: 1 };
}

const chapters = Array.from({ length: 9 }, (_, index) => `<h2>Chapter ${index}</h2><p>${'word '.repeat(200)}</p>`);
const book = fileOf('book.html', chapters.join('\n'));

test('pages that are parsed with a document are handed over with the requested one, up to a number of bytes', async () => {
  const sessions = new LocalSessions();
  const indexes = async (index: number, aheadBytes?: number) =>
    (await sessions.page(book, index, { aheadBytes })).pages.map(page => page.index);
  expect(await indexes(0)).toEqual([0]);
  expect(await indexes(7, 100_000)).toEqual([7, 8]);
  expect(await indexes(0, 3000)).toEqual([0, 1, 2]);
  expect(await indexes(9, 100_000)).toEqual([]);
  const opened = await sessions.synopsis(book, { aheadBytes: 100_000 });
  expect(opened.pages.map(page => page.index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(opened.pages[3]).toEqual((await sessions.page(book, 3)).pages[0]);
  await sessions.close();
});

test('pages that are parsed on request are not read ahead', async () => {
  const sessions = new LocalSessions();
  const log = fileOf('a.log', 'line\n'.repeat(10_000));
  expect((await sessions.page(log, 0, { aheadBytes: 100_000 })).pages.map(page => page.index)).toEqual([0]);
  await sessions.close();
});
