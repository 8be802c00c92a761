import { writeFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

/** A PDF of many pages, each with a heading and ten lines of its own. */
export function writeLongPdf(path: string, pages: number): void {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${Array.from({ length: pages }, (_, page) => `${4 + 2 * page} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  for (let page = 1; page <= pages; page += 1) {
    const lines = Array.from(
      { length: 10 },
      (_, line) => `0 -14 Td (Line ${line + 1} of chapter ${page} says something that no other line says.) Tj`,
    );
    const content = `BT /F1 18 Tf 72 720 Td (Chapter ${page}) Tj /F1 11 Tf 0 -20 Td ${lines.join('\n')} ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${objects.length + 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  let size = 9;
  const offsets: number[] = [];
  const written = objects.map((object, index) => {
    const text = `${index + 1} 0 obj\n${object}\nendobj\n`;
    offsets.push(size);
    size += text.length;
    return text;
  });
  const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${size}\n%%EOF\n`;
  writeFileSync(
    path,
    `%PDF-1.7\n${written.join('')}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`,
    'latin1',
  );
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const parts = {
  '_rels/.rels': `<Relationships xmlns="r"><Relationship Id="a" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Data" sheetId="1" r:id="a"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="r"><Relationship Id="a" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};
const SHEET = 'xl/worksheets/sheet1.xml';

/** A workbook with one sheet of numbers and words; row N has N in its first column. */
export function writeLongSheet(path: string, rows: number): void {
  const names = ['number', 'name', 'square', 'half', 'group', 'note'];
  const header = names.map((name, column) => `<c r="${'ABCDEF'[column]}1" t="str"><v>${name}</v></c>`).join('');
  const text = [`<worksheet xmlns="${main}"><sheetData><row r="1">${header}</row>`];
  for (let n = 1; n <= rows; n += 1) {
    const r = n + 1;
    text.push(
      `<row r="${r}"><c r="A${r}"><v>${n}</v></c><c r="B${r}" t="inlineStr"><is><t>item ${n}</t></is></c><c r="C${r}"><v>${n * n}</v></c><c r="D${r}"><v>${n / 2}</v></c><c r="E${r}" t="inlineStr"><is><t>group ${n % 97}</t></is></c><c r="F${r}" t="str"><v>note on ${n}</v></c></row>`,
    );
  }
  text.push('</sheetData></worksheet>');
  const sheet = Buffer.from(text.join(''), 'latin1');
  // Packed by Node, which is many times faster, and put into the archive as it is.
  const packed = deflateRawSync(sheet, { level: 1 });
  const small = Object.entries(parts).map(([name, part]) => [name, strToU8(part)] as const);
  const zip = Buffer.from(zipSync({ ...Object.fromEntries(small), [SHEET]: [packed, { level: 0 }] }));
  declareDeflated(zip, sheet.length);
  writeFileSync(path, zip);
}

/** Says of the last part of an archive, which was stored as it is, that it is packed. Readers do not check its sum. */
function declareDeflated(zip: Buffer, size: number): void {
  const local = zip.indexOf(SHEET) - 30;
  const central = zip.lastIndexOf(SHEET) - 46;
  zip.writeUInt16LE(8, local + 8);
  zip.writeUInt32LE(size, local + 22);
  zip.writeUInt16LE(8, central + 10);
  zip.writeUInt32LE(size, central + 24);
}
