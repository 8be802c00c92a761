import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { FileSource } from '../../file.ts';
import { LocalSessions } from '../../sessions/local.ts';
import { PdfStructure } from './structure.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'a2c-pdf-')));
afterAll(() => rmSync(folder, { recursive: true }));

/** The synopsis that pdf.js finds, and the object with the number of pages as `PdfStructure` reads it. */
async function read(bytes: string) {
  const path = join(folder, 'file.pdf');
  writeFileSync(path, bytes, 'latin1');
  const file = { path, folders: [folder], name: 'file', type: 'pdf', size: bytes.length, modified: 0 };
  const sessions = new LocalSessions();
  const { synopsis } = await sessions.synopsis(file);
  await sessions.close();
  await using source = await FileSource.open(file);
  const structure = await PdfStructure.read(source, file.size).catch(() => undefined);
  const pages = await structure?.dictionary({ ref: 2 });
  return { synopsis, count: pages?.get('Count') };
}

const objects = [
  '<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R >>',
  '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
  '<< /Title (Caf\\351 \\(new\\)) /Keywords <feff00610062002c00200063> >>',
  '<< /Type /Outlines /First 7 0 R /Last 8 0 R /Count 2 >>',
  '<< /Title (Coffee) /Parent 6 0 R /Next 8 0 R >>',
  '<< /Title (\\200 Tea) /Parent 6 0 R /Prev 7 0 R >>',
];
const told = { title: 'Café (new)', keywords: ['ab', 'c'], summary: 'Coffee, • Tea', pageCount: 2 };

/** A file with a table of objects in plain text; later bodies are updates of earlier ones. */
function withTable(...bodies: Record<number, string>[]): string {
  let text = '%PDF-1.7\n';
  let previous = '';
  for (const body of bodies) {
    const offsets = Object.entries(body).map(([number, object]) => {
      const offset = String(text.length).padStart(10, '0');
      text += `${number} 0 obj\n${object}\nendobj\n`;
      return `${number} 1\n${offset} 00000 n \n`;
    });
    const place = text.length;
    text += `xref\n0 1\n0000000000 65535 f \n${offsets.join('')}`;
    text += `trailer\n<< /Size 9 /Root 1 0 R /Info 5 0 R ${previous} >>\nstartxref\n${place}\n%%EOF\n`;
    previous = `/Prev ${place}`;
  }
  return text;
}

/** A file as programs of today write it: objects packed together, and the table too. */
function withStreams(): string {
  const head = objects.map((_, index) => `${index + 1} ${objects.slice(0, index).join(' ').length + (index && 1)}`);
  const first = `${head.join(' ')} `;
  const packed = deflateSync(first + objects.join(' ')).toString('latin1');
  const begin = '%PDF-1.7\n';
  const bundle = `9 0 obj\n<< /Type /ObjStm /N 8 /First ${first.length} /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed}\nendstream\nendobj\n`;
  const place = begin.length + bundle.length;
  const rows = [
    [0, 0, 0, 0],
    ...objects.map((_, index) => [2, 0, 9, index]),
    [1, 0, begin.length, 0],
    [1, place >> 8, place & 255, 0],
  ];
  // Each row holds the differences from the row above it.
  const filtered = rows.flatMap((row, index) => [
    2,
    ...row.map((byte, at) => (byte - (rows[index - 1]?.[at] ?? 0)) & 255),
  ]);
  const table = deflateSync(Buffer.from(filtered)).toString('latin1');
  const facts = `/Size 11 /W [1 2 1] /Root 1 0 R /Info 5 0 R /DecodeParms << /Predictor 12 /Columns 4 >>`;
  return `${begin}${bundle}10 0 obj\n<< /Type /XRef ${facts} /Length ${table.length} /Filter /FlateDecode >>\nstream\n${table}\nendstream\nendobj\nstartxref\n${place}\n%%EOF\n`;
}

const numbered = Object.fromEntries(objects.map((object, index) => [index + 1, object]));

describe('a PDF', () => {
  test('a PDF with a table of objects in plain text is read by both parsers', async () => {
    expect(await read(withTable(numbered))).toEqual({ synopsis: told, count: 2 });
  });

  test('a PDF with packed objects and a packed table is read by both parsers', async () => {
    expect(await read(withStreams())).toEqual({ synopsis: told, count: 2 });
  });

  test('a PDF with an update is read by both parsers as of the update', async () => {
    const update = { 2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', 5: '<< /Title (Newer) >>' };
    const { synopsis, count } = await read(withTable(numbered, update));
    expect(synopsis).toMatchObject({ title: 'Newer', pageCount: 1 });
    expect(count).toBe(1);
  });

  test.each([
    ['the place of the table is wrong', withTable(numbered).replace(/startxref\n\d+/, 'startxref\n5')],
    ['updates lead in a circle to nowhere', withTable(numbered).replace('/Size 9', '/Prev 1')],
  ])('a PDF is read by pdf.js alone when %s', async (_, bytes) => {
    const { synopsis, count } = await read(bytes);
    expect(synopsis.pageCount).toBe(2);
    expect(count).toBeUndefined();
  });
});

test('pdf.js leaves the functions of Node alone', async () => {
  await read(withTable(numbered));
  for (const original of [Array.prototype.push, JSON.parse, JSON.stringify]) {
    expect(String(original)).toContain('[native code]');
  }
});
