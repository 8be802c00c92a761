import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocumentLibrary } from '@a2c-smcp/documents';
import { DPEDocument, DPEElementDetail, DPEPage } from '@a2c-smcp/protocol';
import { read, utils, write } from '@e965/xlsx';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { examples, temporaryFolder } from './client.ts';

/** The ids on a page before and after an edit of the file. */
async function idsAround(name: string, page: number, edit: (path: string) => void, pageAfter = page) {
  using folder = temporaryFolder({ from: examples });
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
  const ids = async (index: number) => {
    const { elements } = DPEPage.parse(await library.read(`dpe://documents/${name}/pages/${index}`));
    return elements.map(({ element_id }) => element_id);
  };
  const before = await ids(page);
  edit(join(folder.path, name));
  const after = await ids(pageAfter);
  const kept = before.filter(id => after.includes(id));
  const found = kept.map(id => library.read(`dpe://documents/${name}/elements/${encodeURIComponent(id)}`));
  const pages = (await Promise.all(found)).map(element => DPEElementDetail.parse(element).page_index);
  return { before, after, pages };
}

verifies('documents.hash', async () => {
  using folder = temporaryFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  const rows = (last: string) =>
    `n,name\n${Array.from({ length: 3000 }, (_, row) => `${row},x`).join('\n')}\n${last}\n`;
  write('a.md', '# One\n\nFirst words.\n\n# Two\n\nOther words.\n');
  write('b.csv', rows('last,1'));
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
  const hashOf = async (name: string, page: number, query = '') =>
    DPEPage.parse(await library.read(`dpe://documents/${name}/pages/${page}${query}`)).hash;
  const before = [await hashOf('a.md', 0), await hashOf('a.md', 1), await hashOf('b.csv', 0)];
  expect(new Set(before).size).toBe(3);
  const { pages } = DPEDocument.parse(await library.read('dpe://documents/a.md?depth=pages'));
  expect(pages?.map(({ hash }) => hash)).toEqual(before.slice(0, 2));
  expect(await hashOf('a.md', 1, '?format=markdown&categories=table')).toBe(before[1]);
  write('a.md', '# One\n\nFirst words.\n\nAnd more of them.\n\n# Two\n\nOther words.\n');
  // A row that the page does not show.
  write('b.csv', rows('last,2'));
  await library.refresh();
  expect(await hashOf('a.md', 0)).not.toBe(before[0]);
  expect(await hashOf('a.md', 1)).toBe(before[1]);
  expect(await hashOf('b.csv', 0)).not.toBe(before[2]);
});

test('ids in Markdown survive an edit elsewhere, even when their page moves', async () => {
  const insert = (path: string) => {
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('## Opening', '## New chapter\n\nWith words.\n\n## Opening'));
  };
  const { before, after, pages } = await idsAround('handbook.md', 2, insert, 3);
  expect(after).toEqual(before);
  expect(new Set(pages)).toEqual(new Set([3]));
});

test('ids in a docx survive an edit elsewhere on the same page', async () => {
  const insert = (path: string) => {
    const parts = unzipSync(readFileSync(path));
    const body = strFromU8(parts['word/document.xml']!);
    const added = '<w:p><w:r><w:t>An added paragraph.</w:t></w:r></w:p>';
    parts['word/document.xml'] = strToU8(body.replace('<w:sectPr', `${added}<w:sectPr`));
    writeFileSync(path, zipSync(parts));
  };
  const { before, after } = await idsAround('report.docx', 3, insert);
  expect(after).toHaveLength(before.length + 1);
  expect(after).toEqual(expect.arrayContaining(before));
});

test('ids in a workbook survive more rows and a sheet before', async () => {
  const insert = (path: string) => {
    const book = read(readFileSync(path));
    utils.sheet_add_aoa(book.Sheets.Shops!, [['Airport', 45_000, 4, 0.1]], { origin: -1 });
    const parts = unzipSync(write(book, { type: 'buffer', bookType: 'xlsx' }));
    // As Excel does when a sheet is moved: the order changes, the numbers stay.
    const sheets = strFromU8(parts['xl/workbook.xml']!);
    const moved = sheets.replace(/(<sheet [^>]*name="Sales"[^>]*\/>)(<sheet [^>]*name="Shops"[^>]*\/>)/, '$2$1');
    expect(moved).not.toBe(sheets);
    parts['xl/workbook.xml'] = strToU8(moved);
    writeFileSync(path, zipSync(parts));
  };
  const { before, after, pages } = await idsAround('sales.xlsx', 1, insert, 0);
  expect(after).toEqual(before);
  expect(new Set(pages)).toEqual(new Set([0]));
});

test('ids in HTML survive a chapter before', async () => {
  const insert = (path: string) => {
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('<h2>', '<h2>New chapter</h2><p>With words.</p><h2>'));
  };
  const { before, after, pages } = await idsAround('menu.html', 2, insert, 3);
  expect(after).toEqual(before);
  expect(new Set(pages)).toEqual(new Set([3]));
});

test('ids in a presentation survive an edit of another slide', async () => {
  const edit = (path: string) => {
    const parts = unzipSync(readFileSync(path));
    const slide = strFromU8(parts['ppt/slides/slide1.xml']!);
    const edited = slide.replace(/<a:t>[^<]+<\/a:t>/, '<a:t>Another title</a:t>');
    expect(edited).not.toBe(slide);
    parts['ppt/slides/slide1.xml'] = strToU8(edited);
    writeFileSync(path, zipSync(parts));
  };
  const { before, after } = await idsAround('slides.pptx', 1, edit);
  expect(after).toEqual(before);
});

test('ids in a text survive an added paragraph', async () => {
  const insert = (path: string) => writeFileSync(path, `A new beginning.\n\n${readFileSync(path, 'utf8')}`);
  const { before, after } = await idsAround('letter.txt', 0, insert);
  expect(after.slice(1)).toEqual(before);
});

test('a text on two pages of a Markdown file has two ids', async () => {
  const repeat = (path: string) => writeFileSync(path, '# One\n\nThe same.\n\n# Two\n\nThe same.\n');
  const { after: first } = await idsAround('handbook.md', 0, repeat);
  const { after: second } = await idsAround('handbook.md', 0, repeat, 1);
  expect(second[1]).toBe(`${first[1]}-2`);
});
