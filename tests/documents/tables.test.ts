import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocumentLibrary, readMarkdown } from '@a2c-smcp/documents';
import { DPEElementDetail, DPEPage } from '@a2c-smcp/protocol';
import { Document, Packer, Paragraph, Table, TableCell, TableRow } from 'docx';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './client.ts';
import { readBytes } from './reading.ts';

test('a table of many columns is read to the last one', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.csv');
  const row = Array.from({ length: 2500 }, (_, column) => `cell-${column}`);
  writeFileSync(path, `${row.join(',')}\n${row.map(cell => `${cell}-below`).join(',')}\n`);
  expect(await readMarkdown(path)).toContain('cell-2499-below');
});

describe('tables of HTML', () => {
  test('the caption of an HTML table stands above it in full', async () => {
    const caption = `Sales of ${'coffee '.repeat(20)}in May`;
    const { markdown, pages } = await readBytes(
      'a.html',
      `<table><caption>${caption}</caption><tr><th>Shop</th></tr><tr><td>Harbour</td></tr></table>`,
    );
    expect(markdown).toBe(`${caption}\n\n| Shop |\n| --- |\n| Harbour |`);
    expect(pages[0]?.elements[1]?.summary).toMatch(/^Sales of coffee/);
  });

  test('cells over several columns and rows keep values below their headers', async () => {
    const { markdown } = await readBytes(
      'a.html',
      '<table><tr><th rowspan=2>Shop</th><th colspan=2>Cups</th></tr><tr><th>hot</th><th>cold</th></tr>' +
        '<tr><td rowspan=2>North</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>',
    );
    expect(markdown).toBe(
      '| Shop | Cups | Cups |\n| --- | --- | --- |\n| Shop | hot | cold |\n| North | 1 | 2 |\n| North | 3 | 4 |',
    );
  });

  test('rows of a table inside another appear once', async () => {
    const { markdown } = await readBytes(
      'a.html',
      '<table><tr><td>Menu</td><td><table><tr><th>Name</th></tr><tr><td>Tea</td></tr></table></td></tr></table>',
    );
    expect(markdown).toBe('Menu\n\n| Name |\n| --- |\n| Tea |');
  });

  test('text between cells stands above the table, as in a browser', async () => {
    const { markdown } = await readBytes(
      'a.html',
      '<table><tr><th>A</th></tr>{% for %}<tr>{{ x }}<td>1</td></tr></table>',
    );
    expect(markdown).toBe('{% for %}{{ x }}\n\n| A |\n| --- |\n| 1 |');
  });

  test('a head without a row keeps its names, and a first row of words is a head', async () => {
    const { markdown } = await readBytes(
      'a.html',
      '<table><thead><th>A</th><th>B</th></thead><tr><td>1</td><td>2</td></tr></table>',
    );
    expect(markdown).toBe('| A | B |\n| --- | --- |\n| 1 | 2 |');
    const plain = await readBytes(
      'a.html',
      '<table><tr><td>A</td><td>B</td></tr><tr><td>1</td><td>2</td></tr></table>',
    );
    expect(plain.markdown).toBe('| A | B |\n| --- | --- |\n| 1 | 2 |');
  });
});

describe('tables of docx', () => {
  const cell = (...parts: (string | Table)[]) =>
    new TableCell({ children: parts.map(part => (typeof part === 'string' ? new Paragraph(part) : part)) });
  const table = (...rows: (string | Table)[][]) =>
    new Table({ rows: rows.map(row => new TableRow({ children: row.map(part => cell(part)) })) });
  const read = async (...children: (Table | Paragraph)[]) =>
    readBytes('a.docx', await Packer.toBuffer(new Document({ sections: [{ children }] })));

  test('a table inside a cell keeps its rows', async () => {
    const inner = table(['Size', 'Price'], ['small', '2'], ['large', '3']);
    const { markdown } = await read(table(['Drink', 'Prices'], ['Tea', inner]));
    expect(markdown).toContain('| Tea | (see the table below) |');
    expect(markdown).toContain('| Size | Price |\n| --- | --- |\n| small | 2 |\n| large | 3 |');
  });

  test('a table without any word is left out', async () => {
    const { markdown } = await read(table(['', ''], ['', '']), new Paragraph('Words'));
    expect(markdown).toBe('Words');
  });
});

test('blocks of HTML in a cell of Markdown separate words, and other tags do not', async () => {
  const cell =
    '<ul><li>One<ul><li>Two</li></ul></li></ul><p>Three</P>Four<div class="a">Five</div>Six<BR/>S<b>ev</b>en';
  const { markdown } = await readBytes('a.md', `| Steps |\n| --- |\n| ${cell} |\n`);
  expect(markdown).toBe('| Steps |\n| --- |\n| One Two Three Four Five Six Seven |');
});

test('a csv of 944 columns is read to its last name and cell by following it', async () => {
  using folder = temporaryFolder();
  const names = Array.from({ length: 944 }, (_, index) => `measurement-${index}`);
  writeFileSync(join(folder.path, 'wide.csv'), [names, names.map((_, index) => `value-${index}`)].join('\n'));
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
  const page = DPEPage.parse(await library.read('dpe://documents/wide.csv/pages/0?format=markdown'));
  const texts = [page.content_markdown ?? ''];
  let next = page.elements[0]?.content.continued_in;
  while (typeof next === 'string') {
    const part = DPEElementDetail.parse(
      await library.read(`dpe://documents/wide.csv/elements/${next}?format=markdown`),
    );
    expect(part.summary).toMatch(/^Rows 1 to 1 of 1, columns \d+ to \d+ of 944$/);
    texts.push(String(part.content_markdown));
    next = part.content.continued_in;
  }
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(20_000);
  expect(texts.join('\n').match(/measurement-\d+/g)).toEqual(names);
  expect(texts.join('\n').match(/value-\d+/g)).toHaveLength(944);
  const whole = await readMarkdown(join(folder.path, 'wide.csv'));
  expect(whole.match(/value-\d+/g)).toHaveLength(944);
});

describe('cells of workbooks', () => {
  const sheet = (rows: string, columns = '') =>
    workbook(`<worksheet>${columns}<sheetData>${rows}</sheetData></worksheet>`);

  test('numbers without a format have the digits that Excel computes with', async () => {
    const { markdown } = await readBytes(
      'a.xlsx',
      sheet(
        '<row r="1"><c r="A1" t="inlineStr"><is><t>sum</t></is></c><c r="B1"><v>0.30000000000000004</v></c><c r="C1"><v>4915551234567</v></c><c r="D1"><v>3.14159265358979</v></c></row>',
      ),
    );
    expect(markdown).toContain('| sum | 0.3 | 4915551234567 | 3.14159265358979 |');
  });

  test('a date in the format of the machine is shown as ISO 8601', async () => {
    const { markdown } = await readBytes(
      'a.xlsx',
      sheet('<row r="1"><c r="A1" s="1"><v>43363</v></c><c r="B1"><v>1</v></c></row>'),
    );
    expect(markdown).toContain('| 2018-09-20 | 1 |');
  });

  test('a day after the year 9999 is shown', async () => {
    const cells = '<c r="A1" s="1"><v>2994626</v></c><c r="B1"><v>1</v></c>';
    const { markdown } = await readBytes('a.xlsx', sheet(`<row r="1">${cells}</row>`));
    expect(markdown).toContain('| 10099-01-01 | 1 |');
  });

  test('a formula without a stored value is shown as a formula', async () => {
    const { markdown } = await readBytes(
      'a.xlsx',
      sheet('<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>A1*2</f></c></row>'),
    );
    expect(markdown).toContain('| 1 | =A1*2 |');
  });

  test('hidden rows and columns are named', async () => {
    const rows = [1, 2, 3].map(
      row =>
        `<row r="${row}"${row > 1 ? ' hidden="1"' : ''}><c r="A${row}"><v>1</v></c><c r="B${row}"><v>2</v></c></row>`,
    );
    const columns = '<cols><col min="2" max="2" hidden="1"/></cols>';
    const { markdown } = await readBytes('a.xlsx', sheet(rows.join(''), columns));
    expect(markdown).toContain('[annotation: Hidden in the sheet: column B, rows 2 to 3]');
  });

  test('escapes of control characters are no text', async () => {
    const { markdown } = await readBytes(
      'a.xlsx',
      sheet('<row r="1"><c r="A1" t="inlineStr"><is><t>one_x000D_</t></is></c></row>'),
    );
    expect(markdown.trim()).toBe('one');
  });

  test('a page of a sheet with a row of 16,384 columns has less than 20,000 characters', async () => {
    const cells = Array.from({ length: 16_384 }, (_, column) => `<c><v>${column}</v></c>`).join('');
    const { markdown } = await readBytes('a.xlsx', sheet(`<row r="1">${cells}</row>`));
    expect(markdown.length).toBeLessThan(20_000);
    expect(markdown).toMatch(/of 16384 columns/);
  });

  test('a page of a sheet with many tables has at most 20,000 characters, and the last table continues', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => {
      const row = index + 1 + Math.floor(index / 20);
      const text = `<c r="A${row}" t="inlineStr"><is><t>${'word '.repeat(40)}</t></is></c><c r="B${row}"><v>${index}</v></c>`;
      return `<row r="${row}">${text}</row>`;
    });
    const { pages } = await readBytes('a.xlsx', sheet(rows.join('')));
    expect(pages[0]?.content_markdown?.length).toBeLessThanOrEqual(20_000);
    expect(pages[0]?.content_markdown).toMatch(/\(\d+ of 320 rows\)$/);
    expect(pages[0]?.elements.at(-1)?.content.continued_in).toMatch(/^s1\.table-.*~1$/);
  });

  test('a page whose first element is longer than a page is cut', async () => {
    const { pages } = await readBytes('a.html', `<h1>${'word '.repeat(10_000)}</h1><p>Text</p>`);
    expect(pages[0]?.content_markdown?.length).toBeLessThanOrEqual(20_000);
    expect(pages[0]?.content_markdown).toMatch(/^# word .*…$/s);
  });
});

function workbook(sheet: string): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${main}/${type}" Target="${target}"/>`;
  const parts = {
    '_rels/.rels': `<Relationships>${relation('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': '<workbook><sheets><sheet name="One" sheetId="1" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('a', 'worksheet', 'sheet.xml')}${relation('b', 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/sheet.xml': sheet,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
}
