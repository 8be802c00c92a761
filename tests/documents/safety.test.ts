import { mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocumentLibrary } from '@a2c-smcp/documents';
import { DPEPage } from '@a2c-smcp/protocol';
import { strToU8, unzipSync, zipSync } from 'fflate';
import PDFDocument from 'pdfkit';
import { describe, expect, test } from 'vitest';
import { examples, listOpened, temporaryFolder } from './client.ts';

async function namesIn(folder: string, options: { all?: boolean } = {}): Promise<string[]> {
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder], ...options });
  return library.docRefs;
}

describe('shown files', () => {
  test('hidden and ignored files are shown only with the option `all`', async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'node_modules/deep'), { recursive: true });
    mkdirSync(join(folder.path, 'sub/.secret'), { recursive: true });
    const files = {
      '.gitignore': 'node_modules/\n*.log\n!keep.log\n',
      'sub/.gitignore': 'draft.*\n',
      'a.md': '',
      'b.log': '',
      'keep.log': '',
      '.hidden.md': '',
      '~$a.docx': '',
      'movie.mp4': '',
      'node_modules/deep/x.md': '',
      'sub/draft.md': '',
      'sub/final.md': '',
      'sub/.secret/y.md': '',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
    expect(await namesIn(folder.path)).toEqual(['a.md', 'keep.log', 'sub/final.md']);
    expect(await namesIn(folder.path, { all: true })).toHaveLength(8);
  });

  test('links are followed inside the folders only, and never in circles', async () => {
    using outside = temporaryFolder();
    using folder = temporaryFolder();
    writeFileSync(join(outside.path, 'private.md'), '# Private\n');
    mkdirSync(join(folder.path, 'real'));
    writeFileSync(join(folder.path, 'real/a.md'), '# A\n');
    symlinkSync(join(outside.path, 'private.md'), join(folder.path, 'leak.md'));
    symlinkSync(outside.path, join(folder.path, 'leak'));
    symlinkSync(join(folder.path, 'real/a.md'), join(folder.path, 'alias.md'));
    symlinkSync(folder.path, join(folder.path, 'real/circle'));
    expect(await namesIn(folder.path)).toEqual(['alias.md', 'real/a.md']);
  });

  test('a document that turns into a link to the outside is not found', async () => {
    using outside = temporaryFolder();
    using folder = temporaryFolder();
    writeFileSync(join(outside.path, 'private.md'), '# Private\n');
    writeFileSync(join(folder.path, 'target.md'), '# Harmless\n');
    symlinkSync(join(folder.path, 'target.md'), join(folder.path, 'a.md'));
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
    await library.read('dpe://documents/a.md');
    unlinkSync(join(folder.path, 'a.md'));
    symlinkSync(join(outside.path, 'private.md'), join(folder.path, 'a.md'));
    await expect(library.read('dpe://documents/a.md')).rejects.toMatchObject({ code: 4201 });
  });

  test('a reference cannot leave the folders', async () => {
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [examples] });
    for (const reference of ['..%2F..%2Fpackage.json', '%2Fetc%2Fpasswd', 'make%2F..%2Freport.docx']) {
      await expect(library.read(`dpe://documents/${reference}`)).rejects.toMatchObject({ code: 4201 });
    }
  });
});

describe('unreadable files', () => {
  const cases: [name: string, why: RegExp, make: (path: string) => void | Promise<void>][] = [
    ['cut.xlsx', /not a complete zip/, path => cutInHalf(path, 'sales.xlsx')],
    ['cut.pdf', /not a complete PDF/, path => writeFileSync(path, '%PDF-1.7\n1 0 obj')],
    ['empty.pdf', /empty/, path => writeFileSync(path, '')],
    ['empty.docx', /not a complete zip/, path => writeFileSync(path, '')],
    ['locked.docx', /password/, path => writeFileSync(path, Buffer.from('d0cf11e0a1b11ae1', 'hex'))],
    ['locked.pdf', /password/, lockedPdf],

    ['entities.docx', /document.xml/, path => replacePart(path, 'word/document.xml', laughs)],
    ['outside.docx', /document.xml/, path => replacePart(path, 'word/document.xml', outside)],
    ['bomb.docx', /more than is safe/, path => replacePart(path, 'word/document.xml', ' '.repeat(8 * 1024 * 1024))],
    ['deep.docx', /nests/, path => replacePart(path, 'word/document.xml', '<a>'.repeat(100_000))],
    ['headless.docx', /document.xml/, path => replacePart(path, 'word/document.xml', undefined)],
  ];

  test.each(cases)('%s stays in the catalogue with the reason why it cannot be read', async (name, why, make) => {
    using folder = temporaryFolder();
    await make(join(folder.path, name));
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
    const documents = await listOpened(library);
    expect(documents[0]?.description).toMatchObject({
      doc_ref: name,
      page_count: 1,
      summary: expect.stringMatching(why),
    });
    const page = DPEPage.parse(await library.read(`dpe://documents/${name}/pages/0`));
    expect(page.elements).toMatchObject([{ category: 'annotation', summary: expect.stringMatching(why) }]);
  });

  test('a zip bomb in a sheet is refused, and other sheets are read', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'bomb.xlsx');
    replacePart(path, 'xl/worksheets/sheet1.xml', ' '.repeat(8 * 1024 * 1024), 'sales.xlsx');
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
    const page = DPEPage.parse(await library.read('dpe://documents/bomb.xlsx/pages/0'));
    expect(page.elements).toMatchObject([
      { category: 'annotation', summary: expect.stringMatching(/more than is safe/) },
    ]);
    const other = DPEPage.parse(await library.read('dpe://documents/bomb.xlsx/pages/1'));
    expect(other.elements[0]?.category).toBe('table');
  });
});

const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><w:document xmlns:w="w"><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>`;
const outside = `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:document xmlns:w="w"><w:body><w:p><w:r><w:t>&a;</w:t></w:r></w:p></w:body></w:document>`;

function cutInHalf(path: string, example: string): void {
  const bytes = readFileSync(join(examples, example));
  writeFileSync(path, bytes.subarray(0, bytes.length / 2));
}

function replacePart(path: string, part: string, text: string | undefined, example = 'report.docx'): void {
  const parts = unzipSync(readFileSync(join(examples, example)));
  if (text === undefined) delete parts[part];
  else parts[part] = strToU8(text);
  writeFileSync(path, zipSync(parts));
}

function lockedPdf(path: string): Promise<void> {
  const document = new PDFDocument({ userPassword: 'secret' });
  const parts: Buffer[] = [];
  document.on('data', part => parts.push(part));
  document.text('Secret').end();
  return new Promise(resolve => {
    document.on('end', () => {
      writeFileSync(path, Buffer.concat(parts));
      resolve();
    });
  });
}
