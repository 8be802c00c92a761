import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { strToU8, Zip, ZipDeflate } from 'fflate';
import PDFDocument from 'pdfkit';

/** A PDF of many pages, each with a heading and ten lines of its own. */
export async function writeLongPdf(path: string, pages: number): Promise<void> {
  const document = new PDFDocument({ autoFirstPage: false });
  const file = createWriteStream(path);
  document.pipe(file);
  for (let page = 1; page <= pages; page += 1) {
    document.addPage().fontSize(18).text(`Chapter ${page}`).moveDown().fontSize(11);
    for (let line = 1; line <= 10; line += 1)
      document.text(`Line ${line} of chapter ${page} says something that no other line says.`);
  }
  document.end();
  await finished(file);
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const parts = {
  '_rels/.rels': `<Relationships xmlns="r"><Relationship Id="a" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Data" sheetId="1" r:id="a"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="r"><Relationship Id="a" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};

/** A workbook with one sheet of numbers and words; row N has N in its first column. */
export async function writeLongSheet(path: string, rows: number): Promise<void> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for (const [name, text] of Object.entries(parts)) {
    const part = new ZipDeflate(name);
    zip.add(part);
    part.push(strToU8(text), true);
  }
  const sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 1 });
  zip.add(sheet);
  const words = (row: number, cells: string[]) =>
    `<row r="${row}">${cells.map((text, column) => `<c r="${'ABCDEF'[column]}${row}" t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
  sheet.push(
    strToU8(`<worksheet xmlns="${main}"><sheetData>${words(1, ['number', 'name', 'square', 'half', 'group', 'note'])}`),
  );
  for (let start = 1; start <= rows; start += 1000) {
    const block = Array.from({ length: Math.min(1000, rows - start + 1) }, (_, index) => {
      const n = start + index;
      const r = n + 1;
      return `<row r="${r}"><c r="A${r}"><v>${n}</v></c><c r="B${r}" t="inlineStr"><is><t>item ${n}</t></is></c><c r="C${r}"><v>${n * n}</v></c><c r="D${r}"><v>${n / 2}</v></c><c r="E${r}" t="inlineStr"><is><t>group ${n % 97}</t></is></c><c r="F${r}" t="str"><v>note on ${n}</v></c></row>`;
    });
    sheet.push(strToU8(block.join('')));
  }
  sheet.push(strToU8('</sheetData></worksheet>'), true);
  zip.end();
  await writeFile(path, Buffer.concat(chunks));
}
