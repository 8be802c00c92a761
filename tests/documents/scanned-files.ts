import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PDFDocument from 'pdfkit';
import { FileSource } from '../../packages/documents/src/file.ts';
import { loadPdf } from '../../packages/documents/src/formats/pdf/load.ts';
import { renderPage } from '../../packages/documents/src/formats/pdf/render.ts';
import { temporaryFolder } from './client.ts';

export type Pdf = InstanceType<typeof PDFDocument>;

/** Points of the pages that are made here. */
export const PAGE = { width: 400, height: 300 };
const SMALL = { size: [PAGE.width, PAGE.height] as [number, number], margin: 20 };

/** A PDF, of one page unless `paint` adds others. */
export async function draw(paint: (pdf: Pdf) => void, options: PDFKit.PDFDocumentOptions = SMALL): Promise<Buffer> {
  const pdf = new PDFDocument(options);
  const chunks: Buffer[] = [];
  pdf.on('data', chunk => chunks.push(chunk));
  const ended = new Promise(resolve => pdf.on('end', resolve));
  paint(pdf);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

/** A jpeg of printed words, without any text in it. */
export async function printed(words: string): Promise<Buffer> {
  using folder = temporaryFolder();
  const path = join(folder.path, 'words.pdf');
  const bytes = await draw(pdf => pdf.fontSize(20).text(words));
  writeFileSync(path, bytes);
  await using source = await FileSource.open({ path, folders: [realpathSync(folder.path)] });
  const { pdf } = await loadPdf(source, bytes.length, { maxPixels: 1_000_000, drawsFonts: true });
  const picture = await renderPage(await pdf.getPage(1));
  await pdf.destroy();
  if (picture === undefined) throw new TypeError('The page cannot be drawn here');
  return Buffer.from(picture.bytes);
}
