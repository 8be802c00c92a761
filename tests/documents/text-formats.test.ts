import { strToU8, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { readBytes } from './reading.ts';

describe('files that are not UTF-8', () => {
  test('a csv as Excel writes it in China has its names and cities', async () => {
    const { markdown, document } = await readBytes(
      '客户.csv',
      iconv.encode('姓名,城市\n王芳,北京\n李雷,上海\n', 'gbk'),
    );
    expect(markdown).toContain('| 姓名 | 城市 |');
    expect(markdown).toContain('| 李雷 | 上海 |');
    expect(document.summary).toBe('A table: 姓名, 城市');
  });

  test('a page in Shift JIS that says so is Japanese', async () => {
    const page = '<html><head><meta charset="Shift_JIS"><title>見積書</title></head><body><p>東京都</p></body></html>';
    const { document, markdown } = await readBytes('a.html', iconv.encode(page, 'shift_jis'));
    expect(document.title).toBe('見積書');
    expect(markdown).toBe('東京都');
  });

  test('Markdown in Big5 is Chinese', async () => {
    const { markdown } = await readBytes('a.md', iconv.encode('# 合約\n\n本合約自雙方簽字之日起生效。\n', 'big5'));
    expect(markdown).toBe('# 合約\n\n本合約自雙方簽字之日起生效。');
  });
});

test('raised numbers of a page do not become part of the number before them', async () => {
  const page = `<h1>Area in m<sup>2</sup></h1><p>10<sup>6</sup> cups on May 1<sup>st</sup>, or 2<sup>n</sup></p>
    <ul><li>E = mc<sup>2</sup></li></ul><p>As said<sup><a href="#n1">[1]</a></sup>.</p>`;
  const { markdown } = await readBytes('a.html', page);
  expect(markdown).toBe('# Area in m^2\n\n10^6 cups on May 1st, or 2^n\n\n- E = mc^2\n\nAs said[[1]](#n1).');
});

test('a page with 100,000 raised numbers is read in a time by their number', async () => {
  const begin = performance.now();
  const { pages } = await readBytes('a.html', `<p>${'10<sup>6</sup> cups '.repeat(100_000)}</p>`);
  expect(pages[0]?.content_markdown).toContain('10^6 cups');
  // It took 42 seconds when each looked at the end of the text before it.
  expect(performance.now() - begin).toBeLessThan(10_000);
});

test('a table of a page with a cell that is too long for one is read as blocks', async () => {
  const long = Array.from({ length: 900 }, (_, index) => `word${index}`).join(' ');
  const page = `<table><tr><td>Menu</td><td><h2>News</h2><p>${long}</p></td></tr></table>`;
  const { markdown } = await readBytes('a.html', page);
  expect(markdown).toBe(`Menu\n\n## News\n\n${long}`);
});

test('fields of a mail in the encoding of a system are read, inside of encoded words and outside', async () => {
  const words = 'From: Jörg Müller <j@example.com>\r\nSubject: =?iso-8859-1?Q?Frösche_=FCber_Bäume?=\r\n\r\nHällo.\r\n';
  const { document, markdown } = await readBytes('a.eml', Buffer.from(words, 'latin1'));
  expect(document.title).toBe('Frösche über Bäume');
  expect(markdown).toContain('Jörg Müller <j@example.com>');
});

test('a mail in UTF-7 is read, with its fields', async () => {
  const mail = [
    'From: =?utf-7?B?SitBUHctcmdlbg==?= <j@example.com>',
    'Subject: =?utf-7?Q?Die_Fr+APY-sche_=28neu=29?=',
    'Content-Type: text/plain;',
    '\tcharset="utf-7"',
    '',
    'Sie leben +APw-berall+ADs- 2 +- 2.',
  ];
  const { document, markdown } = await readBytes('a.eml', mail.join('\r\n'));
  expect(document.title).toBe('Die Frösche (neu)');
  expect(markdown).toContain('Jürgen <j@example.com>');
  expect(markdown).toContain('Sie leben überall; 2 + 2.');
});

test('a mail whose parts are nested a hundred levels deep is read', async () => {
  const parts = Array.from(
    { length: 100 },
    (_, at) => `Content-Type: multipart/mixed; boundary="b${at}e"\r\n\r\n--b${at}e\r\n`,
  );
  const mail = `Subject: Beans\r\n${parts.join('')}Content-Type: text/plain\r\n\r\nTen bags, please.\r\n`;
  expect((await readBytes('a.eml', Buffer.from(mail))).markdown).toContain('Ten bags, please.');
});

test.each(['\ufeff', ''])('a mail that was saved as UTF-16 with the mark %j is read', async mark => {
  const mail = `${mark}From: ada@example.com\r\nSubject: Beans\r\n\r\nTen bags, please.\r\n`;
  const { document, markdown } = await readBytes('a.eml', Buffer.from(mail, 'utf16le'));
  expect(document.title).toBe('Beans');
  expect(markdown).toContain('Ten bags, please.');
});

test('a drop cap is the first letter of its word', async () => {
  const paragraph = (text: string, properties = '') => `<w:p>${properties}<w:r><w:t>${text}</w:t></w:r></w:p>`;
  const frame = '<w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>';
  const body = paragraph('O', frame) + paragraph('nce upon a time.') + paragraph('The end.');
  const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const document = `<w:document xmlns:w="${namespace}"><w:body>${body}</w:body></w:document>`;
  const { markdown } = await readBytes('tale.docx', zipSync({ 'word/document.xml': strToU8(document) }));
  expect(markdown).toBe('Once upon a time.\n\nThe end.');
});

test('a presentation of 6,000 slides is read in a time by their number', async () => {
  const oasis = 'urn:oasis:names:tc:opendocument:xmlns';
  const slide = (number: number) =>
    `<draw:page><draw:frame><draw:text-box><text:p>Point ${number}</text:p></draw:text-box></draw:frame></draw:page>`;
  const content =
    `<office:document-content xmlns:office="${oasis}:office:1.0" xmlns:text="${oasis}:text:1.0" ` +
    `xmlns:draw="${oasis}:drawing:1.0"><office:body><office:presentation>` +
    `${Array.from({ length: 6000 }, (_, index) => slide(index)).join('')}` +
    '</office:presentation></office:body></office:document-content>';
  const { document, pages } = await readBytes('long.odp', zipSync({ 'content.xml': strToU8(content) }));
  expect(document.page_count).toBe(6000);
  expect(pages.at(-1)?.content_markdown).toBe('Point 5999');
});

test('JSON with comments is shown as it is written', async () => {
  const text = '{\n  // Where the sources are\n  "include": ["src"],\n}';
  const { document, markdown } = await readBytes('tsconfig.json', text);
  expect(document.page_count).toBe(1);
  expect(markdown).toBe(`\`\`\`json\n${text}\n\`\`\``);
});

test('HTML in Markdown is read as a browser shows it', async () => {
  const text = '# People\n\n<table><tr><th>Name</th></tr><tr><td><b>Ada</b></td></tr></table>\n\n<!-- x -->\n\nEnd\n';
  const { markdown } = await readBytes('a.md', text);
  expect(markdown).toBe('# People\n\n| Name |\n| --- |\n| Ada |\n\nEnd');
});

test('the header of Markdown is on the first page, and not in the way of its title', async () => {
  const text = '---\ntitle: Bug\nlabels: [breaking, urgent]\n---\n\n# One\n\na\n\n# Two\n\nb\n';
  const { document, pages } = await readBytes('a.md', text);
  expect(document.title).toBe('Bug');
  expect(pages).toHaveLength(2);
  expect(pages[0]?.content_markdown).toBe('```yaml\ntitle: Bug\nlabels: [breaking, urgent]\n```\n\n# One\n\na');
});

test('headings, cells and pictures of Markdown keep their addresses', async () => {
  const text =
    '# [1.2](https://a.b/1.2)\n\n[![Build](https://a.b/c.svg)](https://a.b/ci)\n\n| Name |\n| --- |\n| [Ada](https://a.b/ada) ![x](y.png) |\n';
  const { markdown, pages } = await readBytes('a.md', text);
  expect(markdown).toBe(text.trim());
  expect(pages[0]?.title).toBe('1.2');
});

test('drawings in HTML show their title and their words', async () => {
  const page =
    '<svg><title>Plan</title><style>a {}</style><g><text>North</text><text><tspan>South</tspan></text></g></svg>';
  expect((await readBytes('a.html', page)).markdown).toBe('[diagram: Plan: North South]');
});

test('an index and headings in cells of OpenDocument are read', async () => {
  const body =
    '<text:table-of-content><text:index-body><text:index-title><text:p>Contents</text:p></text:index-title><text:p>One 1</text:p>' +
    '</text:index-body></text:table-of-content><table:table><table:table-row><table:table-cell><text:h>Country</text:h>' +
    '</table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Peru</text:p></table:table-cell>' +
    '</table:table-row></table:table>';
  const content = `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body><office:text>${body}</office:text></office:body></office:document-content>`;
  const { markdown } = await readBytes('a.odt', zipSync({ 'content.xml': strToU8(content) }));
  expect(markdown).toBe('Contents\n\nOne 1\n\n| Country |\n| --- |\n| Peru |');
});

test('an empty item of an OpenDocument list counts, and is not shown', async () => {
  const item = (text: string) => `<text:list-item><text:p>${text}</text:p></text:list-item>`;
  const style =
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>' +
    '</text:list-style>';
  const body = `<text:list text:style-name="L">${item('Grind')}${item('')}${item('Brew')}</text:list>`;
  const content =
    '<office:document-content xmlns:office="o" xmlns:text="t" xmlns:style="s">' +
    `<office:automatic-styles>${style}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body>` +
    '</office:document-content>';
  const { markdown } = await readBytes('a.odt', zipSync({ 'content.xml': strToU8(content) }));
  expect(markdown).toBe('1. Grind\n3. Brew');
});

test('a long chapter of an epub has as many pages as it needs, with all of its words', async () => {
  const words = Array.from({ length: 9000 }, (_, index) => `word${index}`);
  const paragraphs = Array.from(
    { length: 90 },
    (_, index) => `<p>${words.slice(index * 100, index * 100 + 100).join(' ')}</p>`,
  );
  const chapter = (text: string) => strToU8(`<html><body>${text}</body></html>`);
  const bytes = zipSync({
    'META-INF/container.xml': strToU8('<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>'),
    'b.opf': strToU8(
      '<package><metadata/><manifest><item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/></manifest>' +
        '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
    ),
    'a.xhtml': chapter(`<h1>Long</h1>${paragraphs.join('')}`),
    'b.xhtml': chapter('<h1>Short</h1><p>The end.</p>'),
  });
  const { pages, markdown } = await readBytes('a.epub', bytes);
  expect(pages.map(({ title }) => title)).toEqual(['Long', 'Long (2)', 'Long (3)', 'Long (4)', 'Long (5)', 'Short']);
  expect(markdown.match(/word\d+/g)).toEqual(words);
  for (const { content_markdown = '' } of pages) expect(content_markdown.length).toBeLessThanOrEqual(20_000);
});

test('text in the head of a page is shown, as a browser does', async () => {
  const { markdown, document } = await readBytes(
    'a.html',
    '<head><title>T</title>Above<style>p {}</style></head><body>Below',
  );
  expect(markdown).toBe('Above\n\nBelow');
  expect(document.title).toBe('T');
});

/** A sheet with one row, whose cells have a type and a value, and show a text. */
function odsOf(type: string, cells: readonly [value: string, shown: string][]): Uint8Array {
  const row = cells.map(
    ([value, shown]) =>
      `<table:table-cell office:value-type="${type}" office:${type}-value="${value}"><text:p>${shown}</text:p></table:table-cell>`,
  );
  const content =
    '<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet>' +
    `<table:table table:name="S"><table:table-row>${row.join('')}</table:table-row></table:table>` +
    '</office:spreadsheet></office:body></office:document-content>';
  return zipSync({ 'content.xml': strToU8(content) });
}

test('truth values of an ods are shown as in a xlsx, whatever the language of its author', async () => {
  const { markdown, pages } = await readBytes(
    'a.ods',
    odsOf('boolean', [
      ['true', 'WAHR'],
      ['false', 'FAUX'],
    ]),
  );
  expect(markdown).toContain('| TRUE | FALSE |');
  expect(pages[0]?.elements[0]?.content.rows).toEqual([[true, false]]);
});

test('a date of an ods is shown as it is written, behind ISO 8601 if day and month could be confused', async () => {
  const shown = ['03-Feb-2001', '02/03/01', '2001/02/03'];
  const bytes = odsOf(
    'date',
    shown.map(text => ['2001-02-03', text]),
  );
  const { markdown, pages } = await readBytes('a.ods', bytes);
  expect(markdown).toContain('| 03-Feb-2001 | 2001-02-03 (02/03/01) | 2001/02/03 |');
  expect(pages[0]?.elements[0]?.content.rows).toEqual([['2001-02-03', '2001-02-03', '2001-02-03']]);
});

test('blanks, tabs and line breaks of an ods separate words', async () => {
  const cell = 'one<text:s/><text:span>two<text:s text:c="2"/></text:span>three<text:tab/>four<text:line-break/>five';
  const { pages } = await readBytes('a.ods', odsOf('string', [['', cell]]));
  expect(pages[0]?.elements[0]?.content.text).toBe('one two  three\tfour\nfive');
});

test('comments of an ods are remarks with their authors, and bytes after the archive are ignored', async () => {
  const cell =
    '<table:table-cell office:value-type="string"><office:annotation><dc:creator>Ada</dc:creator><text:p>Check this</text:p>' +
    '</office:annotation><text:p>test</text:p></table:table-cell>';
  const content =
    '<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:dc="d"><office:body><office:spreadsheet>' +
    `<table:table table:name="S"><table:table-row>${cell}</table:table-row></table:table>` +
    '</office:spreadsheet></office:body></office:document-content>';
  const bytes = Buffer.concat([zipSync({ 'content.xml': strToU8(content) }), Buffer.from('\n')]);
  const { markdown, pages } = await readBytes('a.ods', bytes);
  expect(markdown).toBe('test\n\n[annotation: Ada: Check this]');
  expect(pages[0]?.elements.at(-1)?.content).toEqual({ text: 'Check this', author: 'Ada' });
});

test('JSON Lines with nested records are a table that goes on, and nothing of them is cut', async () => {
  const records = Array.from({ length: 500 }, (_, index) => ({ id: index, tags: [`tag${index}`, 'x'.repeat(60)] }));
  const { pages } = await readBytes('a.jsonl', records.map(record => JSON.stringify(record)).join('\n'));
  const tables = pages.flatMap(page => page.elements.map(({ content }) => content));
  for (const table of tables) expect(table.headers).toEqual(['id', 'tags']);
  expect(tables.reduce((sum, { total_rows }) => sum + Number(total_rows), 0)).toBe(500);
  const mixed = ['[1]', ...records.map(record => JSON.stringify(record))].join('\n');
  const { pages: others } = await readBytes('a.jsonl', mixed);
  expect(others[0]?.elements[0]?.content.headers).toEqual(['record']);
});
