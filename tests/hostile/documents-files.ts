import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

/** Small files that cost their reader far more than their size, by name. */
export const costlyFiles: Record<string, () => Uint8Array> = {
  'forms.pdf': () => pdfOfForms(9, 10),
  'twice-deflated.pdf': () => pdfWithContent(deflateSync(deflateSync(Buffer.alloc(40_000_000, 'q Q ')))),
  'once-deflated.pdf': () => pdfWithContent(deflateSync(Buffer.alloc(40_000_000, 'q Q '))),
  'saves.pdf': () => pdfWithContent(Buffer.from('q '.repeat(100_000))),
  'operators.pdf': () => pdfWithContent(Buffer.from('1 0 0 1 0 0 cm\n'.repeat(20_000))),
  'object-stream.pdf': () => pdfWithObjectStream(),
  'comments.pdf': () => text('%PDF-1.7\nxref\n0 1\n', '0'.repeat(20), '%'.repeat(70_000), '\nstartxref\n9\n%%EOF\n'),
  'tabs.md': () => text('# a', '\t'.repeat(120_000), 'b\n'),
  'footnotes.md': () =>
    text(count(12_000, n => `[^${n}]`).join(' '), '\n\n', count(12_000, n => `[^${n}]: x\n`).join('')),
  'headings.md': () => text('# a\n'.repeat(30_000)),
  'underlined.md': () => text('*a* [b] '.repeat(15_000), '\n===\n'),
  'references.md': () => text(count(60_000, n => `[r${n}]: /${n}\n`).join(''), '\n[r1] [r2]\n'),
  'quotes.md': () => text('>'.repeat(60_000), ' a\n'),
  'lists.md': () => text(count(400, n => `${'  '.repeat(n)}- a\n`).join('')),
  'wide-table.md': () => text('|a'.repeat(20_000), '|\n', '|-'.repeat(20_000), '|\n', '|b'.repeat(20_000), '|\n'),
  'front-matter.md': () => text('---\n', 'a: b\n---x\n'.repeat(12_000), 'end\n'),
  'records.json': () => text('[', count(50_000, n => `{"f${n}":1}`).join(',\n'), ']'),
  'records.jsonl': () => text(count(50_000, n => `{"f${n}":1}`).join('\n')),
  'levels.json': () => text('['.repeat(450_000), ']'.repeat(450_000)),
  'nested.html': () => text('<div>'.repeat(180_000), 'a'),
  'formatted.html': () => text('<b><i>'.repeat(80_000), 'a'),
  'lists.html': () => text('<ul><li>'.repeat(60_000), 'a'),
  'table.html': () => text('<table><tr>', '<td>a'.repeat(100_000), '<tr><td>b'.repeat(30_000)),
  'spans.html': () => text('<table>', '<tr><td rowspan=10000 colspan=1000>a'.repeat(20_000)),
  'levels.eml': () => text('Content-Type: multipart/mixed; boundary=b\n\n--b\n'.repeat(20_000)),
  'quotes.ipynb': () => text(JSON.stringify({ cells: [{ cell_type: 'markdown', source: '>'.repeat(200_000) }] })),
  'repeated.ods': () => zipSync({ 'content.xml': strToU8(repeatedCells()) }),
  'links.html': () => text('<a href="x">'.repeat(60_000), 'a'),
  'unpacked.docx': () => docx(`<w:p><w:r><w:t>${'a'.repeat(30)}</w:t></w:r></w:p>`.repeat(60_000)),
  'runs.docx': () => docx(`<w:p>${'<w:r><w:t>a</w:t></w:r>'.repeat(80_000)}</w:p>`),
  'tags.docx': () => docx('<w:p '.repeat(150_000)),
  'properties.docx': () => docx(`<w:p><w:t>a</w:t>${'<w:pPr '.repeat(100_000)}</w:p>`),
  'less-than.docx': () => docx('<'.repeat(500_000)),
  'styles.docx': () => docx('<w:p><w:r><w:t>a</w:t></w:r></w:p>', '<w:style '.repeat(200_000)),
  'columns.xlsx': () =>
    xlsx(count(20_000, n => `<row r="${n}"><c r="XFD${n}"><v>1</v></c><c r="A${n}"><v>1</v></c></row>`).join('')),
  'formulas.xlsx': () =>
    xlsx(
      count(4000, n => `<row r="${n}"><c r="A${n}"><f>${'A1+'.repeat(300)}B${n % 7}</f><v>1</v></c></row>`).join(''),
    ),
};

function count(length: number, make: (n: number) => string): string[] {
  return Array.from({ length }, (_, index) => make(index + 1));
}

function text(...parts: string[]): Uint8Array {
  return Buffer.from(parts.join(''));
}

/** The first kid of the only page is none, and a value of the second does not end or has a stray bracket. */
const strayKid = '<< /Type /Pages /Kids [/Prev 3 0 R] /Count 1 >>';

/** Files that leave a rejection of pdf.js unhandled. */
export const rejectingFiles: Record<string, () => Uint8Array> = {
  'array.pdf': () =>
    pdf([catalog, strayKid, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 /Contents 4 0 R >>', 'null']),
  'bracket.pdf': () => pdf([catalog, strayKid, '<< /Type /Page /Parent 2 0 R /Contents 4 0 R) >>', 'null']),
};

/** Objects numbered from 1, the first of them the catalogue. */
export function pdf(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  let size = 9;
  const offsets = objects.map((object, index) => {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    parts.push(part);
    size += part.length;
    return size - part.length;
  });
  const rows = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${size}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + trailer)]);
}

function stream(dictionary: string, content: Buffer): Buffer {
  const head = Buffer.from(`<< ${dictionary} /Length ${content.length} >>\nstream\n`);
  return Buffer.concat([head, content, Buffer.from('\nendstream')]);
}

const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const pages = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>';
const font = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';

/** One page; content that begins like zlib's output is unpacked as often as it was packed. */
export function pdfWithContent(content: Buffer): Buffer {
  const packed = content[0] === 0x78;
  const filter = !packed
    ? ''
    : content.length < 10_000
      ? '/Filter [/FlateDecode /FlateDecode]'
      : '/Filter /FlateDecode';
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << ${font} >> >>`;
  return pdf([catalog, pages, page, stream(filter, content)]);
}

/** A page that draws a form that draws a form …, each several times. */
function pdfOfForms(depth: number, times: number): Buffer {
  const form = (index: number) => {
    const isLast = index === depth - 1;
    const resources = isLast ? '' : `/Resources << /XObject << /F ${6 + index} 0 R >> >>`;
    const content = isLast ? '0 0 m 1 1 l S' : '/F Do '.repeat(times);
    return stream(`/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources}`, Buffer.from(content));
  };
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>';
  const forms = Array.from({ length: depth }, (_, index) => form(index));
  return pdf([catalog, pages, page, stream('', Buffer.from('/F Do '.repeat(times))), ...forms]);
}

/** An object stream that promises a thousand million objects. */
function pdfWithObjectStream(): Buffer {
  const bundle = stream('/Type /ObjStm /N 1000000000 /First 8', Buffer.from('9 0 10 0 null'));
  return pdf([
    catalog,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    bundle,
  ]);
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function packageOf(main: string, others: Record<string, string>, large: string): Uint8Array {
  const root = `<Relationships xmlns="r"><Relationship Id="a" Type="${relations}/officeDocument" Target="${main}"/></Relationships>`;
  const parts = Object.entries({ '_rels/.rels': root, ...others }).map(
    ([name, part]) => [name, strToU8(part)] as const,
  );
  return zipSync({
    ...Object.fromEntries(parts),
    [large.split('\n', 1)[0] ?? '']: strToU8(large.slice(large.indexOf('\n') + 1)),
  });
}

/** A document that takes some seconds to read, whatever the machine. */
export function slowDocx(): Uint8Array {
  return docx(`<w:p><w:r><w:t>${'a'.repeat(30)}</w:t></w:r></w:p>`.repeat(400_000));
}

export function docx(body: string, styles = ''): Uint8Array {
  const links = `<Relationships xmlns="r"><Relationship Id="a" Type="${relations}/styles" Target="styles.xml"/></Relationships>`;
  return packageOf(
    'word/document.xml',
    styles === '' ? {} : { 'word/_rels/document.xml.rels': links, 'word/styles.xml': styles },
    `word/document.xml\n<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
  );
}

export function xlsx(rows: string): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const workbook = `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Data" sheetId="1" r:id="a"/></sheets></workbook>`;
  const links = `<Relationships xmlns="r"><Relationship Id="a" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`;
  return packageOf(
    'xl/workbook.xml',
    { 'xl/workbook.xml': workbook, 'xl/_rels/workbook.xml.rels': links },
    `xl/worksheets/sheet1.xml\n<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  );
}

/** Rows that stand for a million rows of sixteen thousand cells each. */
function repeatedCells(): string {
  const cell = '<a:table-cell table:number-columns-repeated="16384"><a:p>x</a:p></a:table-cell>';
  const row = `<a:table-row table:number-rows-repeated="1048576">${cell.repeat(20)}</a:table-row>`;
  return `<a:d><a:body><a:spreadsheet><a:table table:name="S">${row.repeat(50)}</a:table></a:spreadsheet></a:body></a:d>`;
}
