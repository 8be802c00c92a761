import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocumentLibrary } from '@a2c-smcp/documents';
import { describe, expect, test } from 'vitest';
import { root } from '../packages.ts';
import { examples, temporaryFolder } from './client.ts';
import { compareWords } from './libreoffice.ts';
import { readBytes } from './reading.ts';

const samples = join(root, 'tests/documents/samples');
const sample = (name: string) => readBytes(name, readFileSync(join(samples, name)));
const example = (name: string, as = name) => readBytes(as, readFileSync(join(examples, name)));

describe('formats', () => {
  test.each(['odt', 'doc'])('%s has title, headings, links, notes, numbers of lists and tables', async type => {
    const { document, pages, markdown } = await sample(`lease.${type}`);
    expect(document.title).toBe('Lease of the harbour shop');
    expect(pages.map(({ title }) => title)).toEqual(['Scope', 'Prices']);
    expect(markdown).toContain('The city lets the shop[^1] to the roaster, see [the plan](https://example.com/plan).');
    expect(markdown).toContain('[annotation: [^1]: As agreed in May.]');
    expect(markdown).toContain(
      '3. Rent is due monthly.\n   - (a) by transfer\n   - (b) in cash\n4. Repairs are shared.',
    );
    expect(markdown).toContain('| Month | Rent |\n| --- | --- |\n| May | 900 |\n| June | 950 |');
  });

  test.each(['sales.ods', 'sales.xls'])('%s has the words and numbers of the xlsx it was made of', async name => {
    const original = await example('sales.xlsx');
    const { markdown, pages } = await sample(name);
    expect(pages.map(({ title }) => title)).toEqual(['Sales', 'Shops', 'Notes']);
    const tables = original.markdown
      .split('\n')
      .filter(line => line.startsWith('|'))
      .join('\n');
    const { share, missing } = compareWords(tables, markdown);
    expect(share, missing.join(' ')).toBeGreaterThan(0.97);
  });

  test('a workbook that Excel locked with its own password is read', async () => {
    const { markdown } = await sample('locked.xlsx');
    expect(markdown).toBe('| Bean | Euro |\n| --- | --- |\n| Arabica | 24 |\n| Robusta | 18 |');
  });

  test.each(['odp', 'ppt'])('%s has the words of the pptx it was made of', async type => {
    const original = await example('slides.pptx');
    const { markdown, pages } = await sample(`slides.${type}`);
    expect(pages.map(({ title }) => title)).toEqual(original.pages.map(({ title }) => title));
    const isText = (category: string) => category !== 'chart' && category !== 'image';
    const words = original.pages.flatMap(({ elements }) => elements.filter(({ category }) => isText(category)));
    const source = words.map(({ content }) => JSON.stringify(content)).join(' ');
    const { missing } = compareWords(source.replace(/"\w+":/g, ' ').replace(/\b(?:true|false|\d+)\b/g, ' '), markdown);
    expect(missing).toEqual([]);
  });

  test('epub has a page for each file of the book', async () => {
    const { document, markdown } = await sample('lease.epub');
    expect(document.title).toBe('Lease of the harbour shop');
    expect(markdown).toContain('Rent is due monthly.');
  });

  test('eml has subject, addresses, text and the names of attachments', async () => {
    const { document, markdown } = await sample('offer.eml');
    expect(document.title).toBe('Angebot für Bohnen');
    expect(markdown).toContain('| From | Ada Beck <ada@example.com> |');
    expect(markdown).toContain('Sechs Säcke zu 24 Euro.');
    expect(markdown).toContain('- offer.pdf (application/pdf)');
  });

  test('msg has subject, addresses, time, text and the names of attachments', async () => {
    const { document, markdown } = await sample('offer.msg');
    expect(document).toMatchObject({
      title: 'Angebot für Bohnen',
      summary: 'Ada Beck <ada@example.com>, 2026-05-04',
    });
    expect(markdown).toContain(
      '| From | Ada Beck <ada@example.com> |\n| To | 王先生 <wang@example.com> |\n| Cc | Eve |',
    );
    expect(markdown).toContain('| Date | 2026-05-04T08:30:00.000Z |\n\n六袋 coffee, coffee, coffee.');
    expect(markdown).toContain('- offer.pdf (application/pdf)');
  });

  test.each(['doc', 'msg', 'ppt'])('a broken %s shows that it is damaged', async type => {
    const { document } = await readBytes(`a.${type}`, Buffer.from('d0cf11e0a1b11ae1', 'hex'));
    expect(document).toMatchObject({ page_count: 1, summary: expect.stringContaining('The file is damaged') });
  });

  test('ipynb has text, code and printed output in their order', async () => {
    const { markdown } = await sample('cups.ipynb');
    expect(markdown).toBe(
      '# Cups\n\nHow many were sold.\n\n```python\nprint(sum(cups))\n```\n\n```\n119300\n\n42\n```',
    );
  });

  test.each([
    ['report.docx', ['docm', 'dotx']],
    ['slides.pptx', ['pptm', 'ppsx', 'potx']],
    ['sales.xlsx', ['xltx']],
    ['menu.html', ['xhtml']],
    ['letter.txt', ['rst', 'adoc', 'asciidoc', 'org', 'text']],
  ])('%s is read under its other extensions', async (name, types) => {
    const { markdown } = await example(name);
    for (const type of types) expect((await example(name, `a.${type}`)).markdown, type).toBe(markdown);
  });

  test('doc is read as what it is when another format has its name', async () => {
    for (const name of ['report.docx', 'menu.html', 'letter.txt']) {
      expect((await example(name, 'a.doc')).markdown, name).toBe((await example(name)).markdown);
    }
    expect((await readBytes('a.doc', '{\\rtf1 Words}')).markdown).toBe('Words');
  });

  test('files without an extension are known by their names, and others stay out', async () => {
    using folder = temporaryFolder();
    for (const name of ['README', 'Dockerfile', 'Makefile', 'unknown'])
      writeFileSync(join(folder.path, name), 'all: build\n');
    await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
    expect(library.docRefs).toEqual(['Dockerfile', 'Makefile', 'README']);
    expect(await library.read('dpe://documents?format=markdown')).toMatchObject({
      left_out: { '': 1 },
      content_markdown: expect.stringContaining('Not shown, because no reader knows them: 1 without extension'),
    });
    expect((await readBytes('Makefile', 'all: build\n')).markdown).toBe('```makefile\nall: build\n```');
    expect((await readBytes('README', 'Words')).document.title).toBe('README');
  });
});
