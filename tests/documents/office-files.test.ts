import { type CellObject, CFB, utils, write } from '@e965/xlsx';
import { gzipSync, strToU8, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { readBytes } from './reading.ts';

const office = 'urn:oasis:names:tc:opendocument:xmlns:office:1.0';
const text = 'urn:oasis:names:tc:opendocument:xmlns:text:1.0';
const table = 'urn:oasis:names:tc:opendocument:xmlns:table:1.0';
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const sheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const archive = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, content]) => [name, strToU8(content)])));

test('an odt whose archive has names that begin with a slash is read', async () => {
  const content = `<o:document-content xmlns:o="${office}" xmlns:text="${text}"><o:body><o:text>
    <text:p>Coffee</text:p></o:text></o:body></o:document-content>`;
  const bytes = archive({ '/Configurations2/statusbar/': '', 'content.xml': content });
  expect((await readBytes('a.odt', bytes)).markdown).toBe('Coffee');
});

test('a level of a docx list without a start begins at zero', async () => {
  const numbering = `<w:numbering xmlns:w="${word}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">
    <w:numFmt w:val="decimal"/><w:lvlText w:val="%1)"/></w:lvl></w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
  const item = (words: string) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${words}</w:t></w:r></w:p>`;
  const bytes = archive({
    'word/document.xml': `<w:document xmlns:w="${word}"><w:body>${item('Grind')}${item('Brew')}</w:body></w:document>`,
    'word/_rels/document.xml.rels': `<Relationships><Relationship Id="n" Type="${relations}/numbering" Target="numbering.xml"/></Relationships>`,
    'word/numbering.xml': numbering,
  });
  expect((await readBytes('a.docx', bytes)).markdown).toBe('0) Grind\n1) Brew');
});

test('a docx is read whatever prefixes its namespaces have', async () => {
  const paragraph =
    '<ns0:p><ns0:pPr><ns0:outlineLvl ns0:val="1"/></ns0:pPr><ns0:r><ns0:t>Beans</ns0:t></ns0:r></ns0:p>';
  const document = `<ns0:document xmlns:ns0="${word}"><ns0:body>${paragraph}</ns0:body></ns0:document>`;
  expect((await readBytes('a.docx', archive({ 'word/document.xml': document }))).markdown).toBe('## Beans');
});

test('a sheet is found by its relation whatever prefix that has', async () => {
  const bytes = archive({
    'xl/workbook.xml': `<workbook xmlns="${sheet}"><sheets>
      <sheet name="Cups" sheetId="1" xmlns:rel="${relations}" rel:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${sheet}"><sheetData><row r="1"><c r="A1"><v>4018.99999998843</v></c>
      <c r="B1"><v>0.30000000000000004</v></c><c r="C1"><v>1.5e-12</v></c></row></sheetData></worksheet>`,
  });
  const { markdown } = await readBytes('a.xlsx', bytes);
  expect(markdown).toContain('4018.99999998843 | 0.3 | 1.5E-12');
});

test('a formula of an ods without a value is shown itself', async () => {
  const content = `<o:document-content xmlns:o="${office}" xmlns:t="${table}" xmlns:x="${text}"><o:body><o:spreadsheet>
    <t:table t:name="Cups"><t:table-row><t:table-cell o:value-type="string"><x:p>Sum</x:p></t:table-cell>
    <t:table-cell t:formula="of:=SUM([.B2:.B6])"/></t:table-row></t:table></o:spreadsheet></o:body></o:document-content>`;
  const { markdown } = await readBytes('a.ods', archive({ 'content.xml': content }));
  expect(markdown).toContain('Sum | =SUM(B2:B6)');
});

test('errors of an xls are shown by their names', async () => {
  const cups = utils.aoa_to_sheet([
    ['Cups', 'Share'],
    [0, null],
  ]);
  cups.B2 = { t: 'e', v: 7 } satisfies CellObject;
  const book = utils.book_new(cups, 'Cups');
  const { markdown } = await readBytes('a.xls', write(book, { type: 'buffer', bookType: 'biff8' }));
  expect(markdown).toContain('| 0 | #DIV/0! |');
});

test('a book whose list of contents is in UTF-16 is read', async () => {
  const opf = `\ufeff<?xml version="1.0" encoding="UTF-16"?><package><manifest>
    <item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>
    <spine><itemref idref="a"/></spine></package>`;
  const bytes = zipSync({
    'META-INF/container.xml': strToU8('<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'),
    'book.opf': Buffer.from(opf, 'utf16le'),
    'a.xhtml': strToU8('<html><body><p>Once upon a time</p></body></html>'),
  });
  expect((await readBytes('a.epub', bytes)).markdown).toBe('Once upon a time');
});

test('a book in a folder of its archive is read', async () => {
  const bytes = archive({
    'epub/META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'epub/OEBPS/book.opf': `<package><manifest><item id="a" href="a.xhtml"/></manifest>
      <spine><itemref idref="a"/></spine></package>`,
    'epub/OEBPS/a.xhtml': '<html><body><p>Once upon a time</p></body></html>',
  });
  expect((await readBytes('a.epub', bytes)).markdown).toBe('Once upon a time');
});

test('the date, the footer and the number of a slide are one line', async () => {
  const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
  const shape = (type: string, words: string) =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody><a:p>${words}</a:p></p:txBody></p:sp>`;
  const run = (words: string) => `<a:r><a:t>${words}</a:t></a:r>`;
  const slide = (number: string) =>
    `<p:sld xmlns:p="p" ${drawing}><p:cSld><p:spTree>${shape('dt', run('17 May'))}${shape('body', run('Beans'))}
    ${shape('ftr', run('In confidence'))}${shape('sldNum', `<a:fld type="slidenum"><a:t>${number}</a:t></a:fld>`)}
    </p:spTree></p:cSld></p:sld>`;
  const relation = (id: string) => `<Relationship Id="${id}" Type="${relations}/slide" Target="slides/${id}.xml"/>`;
  const bytes = archive({
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="${relations}"><p:sldIdLst>
      <p:sldId id="1" r:id="a"/><p:sldId id="2" r:id="b"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${relation('a')}${relation('b')}</Relationships>`,
    'ppt/slides/a.xml': slide('7'),
    'ppt/slides/b.xml': slide('‹#›'),
  });
  const { pages } = await readBytes('a.pptx', bytes);
  expect(pages.map(page => page.content_markdown)).toEqual([
    'Beans\n\n[footer: 17 May | In confidence | 7]',
    'Beans\n\n[footer: 17 May | In confidence]',
  ]);
});

test('a cell of a text that is too long for a table follows it as paragraphs', async () => {
  const long = Array.from({ length: 900 }, (_, index) => `word${index}`).join(' ');
  const cell = (words: string) => `<w:tc><w:p><w:r><w:t>${words}</w:t></w:r></w:p></w:tc>`;
  const row = (...words: string[]) => `<w:tr>${words.map(cell).join('')}</w:tr>`;
  const body = `<w:tbl>${row('Menu', long)}</w:tbl><w:tbl>${row(long)}</w:tbl>`;
  const document = `<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`;
  const { markdown } = await readBytes('a.docx', archive({ 'word/document.xml': document }));
  expect(markdown).toBe(`| Menu | (see the text below) |\n| --- | --- |\n\n${long}\n\n${long}`);
});

test('dates of an xls that Excel shows as the machine is set up are ISO 8601', async () => {
  const cups = utils.aoa_to_sheet([
    ['Day', 'Cups'],
    [0, 1],
  ]);
  cups.A2 = { t: 'n', v: 36526, z: 'm/d/yy' } satisfies CellObject;
  const book = utils.book_new(cups, 'Cups');
  const { markdown } = await readBytes('a.xls', write(book, { type: 'buffer', bookType: 'biff8' }));
  expect(markdown).toContain('| 2000-01-01 | 1 |');
});

test('an xls that is compressed says so', async () => {
  const { document } = await readBytes('a.xls', gzipSync(strToU8('<gnm:Workbook/>')));
  expect(document.summary).toContain('compressed with gzip');
});

test('a truth value of an ods may be a digit', async () => {
  const content = `<o:document-content xmlns:o="${office}" xmlns:t="${table}"><o:body><o:spreadsheet>
    <t:table t:name="Cups"><t:table-row><t:table-cell o:value-type="boolean" o:boolean-value="1"/>
    <t:table-cell o:value-type="boolean" o:boolean-value="0"/></t:table-row></t:table></o:spreadsheet></o:body>
    </o:document-content>`;
  const { markdown } = await readBytes('a.ods', archive({ 'content.xml': content }));
  expect(markdown).toContain('TRUE | FALSE');
});

test('raised digits of a docx and a pptx do not become part of the number before them', async () => {
  const run = (words: string, isRaised = false) =>
    `<w:r>${isRaised ? '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>' : ''}<w:t>${words}</w:t></w:r>`;
  const paragraph = `<w:p>${run('10')}${run('-6', true)}${run(' m')}${run('2', true)}${run(' on May 1')}${run('st', true)}</w:p>`;
  const document = `<w:document xmlns:w="${word}"><w:body>${paragraph}</w:body></w:document>`;
  const { markdown } = await readBytes('a.docx', archive({ 'word/document.xml': document }));
  expect(markdown).toBe('10^-6 m2 on May 1st');
  const body =
    '<a:p><a:r><a:t>10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>6</a:t></a:r><a:r><a:t> cups</a:t></a:r></a:p>';
  const slide = `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree><p:sp><p:txBody>${body}</p:txBody></p:sp></p:spTree></p:cSld></p:sld>`;
  const bytes = archive({
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="${relations}"><p:sldIdLst><p:sldId id="1" r:id="a"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships><Relationship Id="a" Type="${relations}/slide" Target="slides/a.xml"/></Relationships>`,
    'ppt/slides/a.xml': slide,
  });
  expect((await readBytes('a.pptx', bytes)).markdown).toBe('10^6 cups');
});

test('numbers whose format is empty, or general in capitals, have all their digits', async () => {
  const styles = `<styleSheet xmlns="${sheet}"><numFmts><numFmt numFmtId="0" formatCode=""/>
    <numFmt numFmtId="164" formatCode="GENERAL"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`;
  const cell = (name: string, style: number, value: string) => `<c r="${name}" s="${style}"><v>${value}</v></c>`;
  const bytes = archive({
    'xl/workbook.xml': `<workbook xmlns="${sheet}" xmlns:r="${relations}"><sheets>
      <sheet name="Cups" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>
      <Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/>
      <Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': styles,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${sheet}"><sheetData><row r="1">${cell('A1', 0, '10')}
      ${cell('B1', 1, '2.77777777777778')}${cell('C1', 1, '5.26471758055675e-8')}</row></sheetData></worksheet>`,
  });
  const { markdown } = await readBytes('a.xlsx', bytes);
  expect(markdown).toContain('10 | 2.77777777777778 | 5.26471758055675E-08');
});

test('an xls with a formula that is not understood is read without its formulas', async () => {
  const cups = utils.aoa_to_sheet([
    ['Cups', 'Sum'],
    [7, 4711],
  ]);
  const bytes = write(utils.book_new(cups, 'Cups'), { type: 'buffer', bookType: 'biff8' });
  const file = CFB.read(bytes, { type: 'buffer' });
  const book = Buffer.from(CFB.find(file, 'Workbook')?.content ?? []);
  const records = recordsOf(book).map(([type, record]): [number, Buffer] => {
    const isSum = type === 0x203 && record.readDoubleLE(6) === 4711;
    // Row, column and format, the value, 6 bytes of no interest, and a reference to a name in the cells above.
    const formula = [record, Buffer.alloc(6), Buffer.from([6, 0, 0x18, 2, 0, 0, 0, 0])];
    return isSum ? [6, Buffer.concat(formula)] : [type, record];
  });
  CFB.utils.cfb_add(
    file,
    '/Workbook',
    Buffer.concat(records.flatMap(([type, record]) => [headOf(type, record), record])),
  );
  const { markdown } = await readBytes('a.xls', CFB.write(file, { type: 'buffer' }) as Buffer);
  expect(markdown).toContain('| 7 | 4711 |');
});

test('an xls of Excel 95 is read in its code page', async () => {
  /** What SheetJS writes, which knows no such code page, and what stands in its place then. */
  const words = { AAAA: '番号', BBBBBB: 'メール', CCCC: '川合', DDDD: '日本' };
  const cups = utils.aoa_to_sheet([
    ['AAAA', 'BBBBBB'],
    [7, 'CCCC'],
  ]);
  const file = CFB.read(write(utils.book_new(cups, 'DDDD'), { type: 'buffer', bookType: 'biff5' }), { type: 'buffer' });
  const page = Buffer.from([932 & 255, 932 >> 8]);
  const records = recordsOf(Buffer.from(CFB.find(file, 'Book')?.content ?? [])).flatMap(([type, record]) => {
    let text = record.toString('latin1');
    for (const [from, to] of Object.entries(words))
      text = text.replace(from, iconv.encode(to, 'cp932').toString('latin1'));
    return [headOf(type, record), type === 0x42 ? page : Buffer.from(text, 'latin1')];
  });
  CFB.utils.cfb_add(file, '/Book', Buffer.concat(records));
  const { markdown, pages } = await readBytes('a.xls', CFB.write(file, { type: 'buffer' }) as Buffer);
  expect([markdown, pages[0]?.title]).toEqual(['| 番号 | メール |\n| --- | --- |\n| 7 | 川合 |', '日本']);
});

/** The records of a workbook before 2007: two bytes of type, two of length, and the content. */
function recordsOf(book: Buffer): [type: number, record: Buffer][] {
  const records: [number, Buffer][] = [];
  for (let at = 0; at + 4 <= book.length; at += 4 + book.readUInt16LE(at + 2)) {
    records.push([book.readUInt16LE(at), book.subarray(at + 4, at + 4 + book.readUInt16LE(at + 2))]);
  }
  return records;
}

function headOf(type: number, { length }: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(length, head.writeUInt16LE(type));
  return head;
}

test('a number of an ods without a format has more than the ten decimals that are shown', async () => {
  const cell = (value: string, shown: string) =>
    `<t:table-cell o:value-type="float" o:value="${value}"><x:p>${shown}</x:p></t:table-cell>`;
  const content = `<o:document-content xmlns:o="${office}" xmlns:t="${table}" xmlns:x="${text}"><o:body><o:spreadsheet>
    <t:table t:name="Cups"><t:table-row>${cell('0.553571428571429', '0,5535714286')}${cell('-2.741593', '-2,74')}
    </t:table-row></t:table></o:spreadsheet></o:body></o:document-content>`;
  const { markdown } = await readBytes('a.ods', archive({ 'content.xml': content }));
  expect(markdown).toContain('0.553571428571429 | -2,74');
});
