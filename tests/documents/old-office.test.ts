import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readBytes } from './reading.ts';

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const archive = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, content]) => [name, strToU8(content)])));

test('a pptx under the name of a ppt is read', async () => {
  const slide =
    '<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>Beans</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>';
  const bytes = archive({
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="${relations}"><p:sldIdLst><p:sldId id="1" r:id="a"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships><Relationship Id="a" Type="${relations}/slide" Target="slides/a.xml"/></Relationships>`,
    'ppt/slides/a.xml': slide,
  });
  expect((await readBytes('a.ppt', bytes)).markdown).toBe('Beans');
});

test('a document of Word 2 is read', async () => {
  const text = 'The rent\r\nDue on the first\r\n';
  expect((await readBytes('a.doc', word2({ text }))).markdown).toBe('The rent\n\nDue on the first');
});

test('a document of Word 2 that was saved fast has its pieces in their order', async () => {
  const text = 'second\rfirst\r';
  const pieces = Buffer.alloc(5 + 12 + 16);
  pieces[0] = 2;
  pieces.writeUInt32LE(28, 1);
  for (const [index, position] of [0, 6, 13].entries()) pieces.writeUInt32LE(position, 5 + index * 4);
  for (const [index, from] of [7, 0].entries()) pieces.writeUInt32LE(384 + from, 5 + 12 + index * 8 + 2);
  expect((await readBytes('a.doc', word2({ text, pieces }))).markdown).toBe('first\n\nsecond');
});

test('a damaged document of Word 2 says so', async () => {
  const bytes = word2({ text: 'Rent' });
  bytes.writeUInt32LE(1e9, 0x34);
  expect((await readBytes('a.doc', bytes)).document.summary).toContain('claims more text than it has');
  expect((await readBytes('a.doc', bytes.subarray(0, 40))).document.summary).toContain('not a Word document');
});

/** A file of Word 2: its header, its text and the list of its pieces. */
function word2({ text, pieces = Buffer.alloc(0) }: { text: string; pieces?: Buffer }): Buffer {
  const head = Buffer.alloc(384);
  head.writeUInt16LE(0xa5db);
  head.writeUInt32LE(head.length, 0x18);
  head.writeUInt32LE(text.length, 0x34);
  head.writeUInt32LE(head.length + text.length, 0x11e);
  head.writeUInt16LE(pieces.length, 0x122);
  return Buffer.concat([head, Buffer.from(text, 'latin1'), pieces]);
}

test('the XML of Word 2003 is read with its lists, links, notes and footers', async () => {
  const level = (place: number, format: number, words: string) =>
    `<w:lvl w:ilvl="${place}"><w:start w:val="1"/><w:nfc w:val="${format}"/><w:lvlText w:val="${words}"/></w:lvl>`;
  const item = (place: number, words: string) =>
    `<w:p><w:pPr><w:listPr><w:ilvl w:val="${place}"/><w:ilfo w:val="3"/></w:listPr></w:pPr><w:r><w:t>${words}</w:t></w:r></w:p>`;
  const run = (words: string) => `<w:r><w:t>${words}</w:t></w:r>`;
  const cell = (words: string) => `<w:tc><w:p><w:r><w:t><![CDATA[${words}]]></w:t></w:r></w:p></w:tc>`;
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<?mso-application progid="Word.Document"?>
    <w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" xmlns:wx="wx" xmlns:o="o">
    <o:DocumentProperties><o:Title>The lease</o:Title></o:DocumentProperties>
    <w:lists><w:listDef w:listDefId="0">${level(0, 0, '%1.')}${level(1, 4, '(%2)')}</w:listDef>
    <w:list w:ilfo="3"><w:ilst w:val="0"/></w:list></w:lists>
    <w:styles><w:style w:type="paragraph" w:styleId="h"><w:name w:val="heading 1"/></w:style></w:styles>
    <w:body><wx:sect><wx:sub-section><w:p><w:pPr><w:pStyle w:val="h"/></w:pPr>${run('Rent')}</w:p>
    ${item(0, 'Pay')}${item(1, 'cash')}</wx:sub-section>
    <w:p><w:constructor w:toString="1"/>${run('See ')}<w:hlink w:dest="https://example.com/">${run('the site')}</w:hlink>
    <w:r><w:footnote><w:p>${run('Or call.')}</w:p></w:footnote></w:r></w:p>
    <w:tbl><w:tr>${cell('Cups')}${cell('20 &')}</w:tr></w:tbl>
    <w:sectPr><w:ftr w:type="odd"><w:p>${run('In confidence')}</w:p></w:ftr></w:sectPr></wx:sect></w:body></w:wordDocument>`;
  const { document, markdown } = await readBytes('a.doc', xml);
  expect(document.title).toBe('The lease');
  expect(markdown).toBe(
    [
      '# Rent',
      '1. Pay\n   - (a) cash',
      'See [the site](https://example.com/)[^1]',
      '[annotation: [^1]: Or call.]',
      '| Cups | 20 & |\n| --- | --- |',
      '[footer: In confidence]',
    ].join('\n\n'),
  );
});

test('the XML of Word 2003 that is cut off says so', async () => {
  const { document } = await readBytes('a.doc', '<?xml version="1.0"?><w:wordDocument xmlns:w="w"><w:body><w:p>');
  expect(document.summary).toContain("damaged: its part 'wordDocument' cannot be read");
});

test('XHTML under the name of a doc is read as HTML', async () => {
  const { markdown } = await readBytes('a.doc', '<?xml version="1.0"?>\n<html><body><h1>Rent</h1></body></html>');
  expect(markdown).toBe('# Rent');
});

test('a doc of another program says what to do', async () => {
  expect((await readBytes('a.doc', Buffer.from('\u00ffWPCn\u000f\0\0', 'latin1'))).document.summary).toContain(
    'WordPerfect',
  );
  expect((await readBytes('a.doc', Buffer.from([0, 5, 0xe1, 3, 0, 0]))).document.summary).toContain('save it as docx');
});
