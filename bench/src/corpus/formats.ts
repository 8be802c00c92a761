import * as xlsx from '@e965/xlsx';
import * as docx from 'docx';
import { strToU8, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import PDFDocument from 'pdfkit';
import Pptx from 'pptxgenjs';
import { sentences } from './languages.ts';
import { rowsOf, type Story, tell, tellTable, textOf } from './story.ts';

/** A file of the corpus and what it says. */
export interface Sample {
  name: string;
  bytes: Uint8Array;
  truth: { text: string; rows: string[][] };
}

type Writer = (story: Story) => Uint8Array | Promise<Uint8Array>;

/** Texts with headings, lists and tables. */
const writers: Record<string, Writer> = {
  docx: toDocx,
  html: toHtml,
  pdf: toPdf,
  odt: toOdt,
  epub: toEpub,
  md: toMarkdown,
};

/** The formats of the corpus. */
export const formats = ['docx', 'xlsx', 'pptx', 'html', 'pdf', 'odt', 'epub', 'md', 'csv', 'eml', 'cjk'] as const;
export type CorpusFormat = (typeof formats)[number];

const SHEET = { rows: 60, columns: 6 };
const SLIDES = 8;

/** The same file for the same number. */
export async function make(format: CorpusFormat, number: number): Promise<Sample> {
  if (format === 'cjk') return foreignText(number);
  if (format === 'xlsx' || format === 'csv') return sheet(format, number);
  if (format === 'pptx') return slides(number);
  if (format === 'eml') return mail(number);
  const story = tell(number);
  const bytes = (await writers[format]?.(story)) ?? new Uint8Array();
  return { name: `${format}-${number}.${format}`, bytes, truth: { text: textOf(story), rows: rowsOf(story) } };
}

async function toDocx({ title, blocks }: Story): Promise<Uint8Array> {
  const { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } = docx;
  const children = blocks.flatMap(block => {
    if (block.kind === 'heading') return [new Paragraph({ text: block.text, heading: HeadingLevel.HEADING_2 })];
    if (block.kind === 'paragraph') return [new Paragraph(block.text)];
    if (block.kind === 'list') return block.items.map(text => new Paragraph({ text, bullet: { level: 0 } }));
    const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] });
    return [new Table({ rows: block.rows.map(row => new TableRow({ children: row.map(cell) })) })];
  });
  const heading = new Paragraph({ text: title, heading: HeadingLevel.HEADING_1 });
  return Packer.toBuffer(new Document({ title, sections: [{ children: [heading, ...children] }] }));
}

function toMarkdown({ title, blocks }: Story): Uint8Array {
  const parts = blocks.map(block => {
    if (block.kind === 'heading') return `## ${block.text}`;
    if (block.kind === 'paragraph') return block.text;
    if (block.kind === 'list') return block.items.map(item => `- ${item}`).join('\n');
    const [head = [], ...rows] = block.rows.map(row => `| ${row.join(' | ')} |`);
    return [head, `|${' --- |'.repeat(block.rows[0]?.length ?? 0)}`, ...rows].join('\n');
  });
  return strToU8([`# ${title}`, ...parts].join('\n\n'));
}

/** The blocks as HTML, which is XML too. */
function markup({ title, blocks }: Story): string {
  const parts = blocks.map(block => {
    if (block.kind === 'heading') return `<h2>${block.text}</h2>`;
    if (block.kind === 'paragraph') return `<p>${block.text}</p>`;
    if (block.kind === 'list') return `<ul>${block.items.map(item => `<li>${item}</li>`).join('')}</ul>`;
    const rows = block.rows.map((row, index) => {
      const tag = index === 0 ? 'th' : 'td';
      return `<tr>${row.map(cell => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
    });
    return `<table>${rows.join('\n')}</table>`;
  });
  return `<h1>${title}</h1>\n${parts.join('\n')}`;
}

function toHtml(story: Story): Uint8Array {
  return strToU8(
    `<!DOCTYPE html><html><head><meta charset="utf-8"><style>p { margin: 0 }</style></head><body>${markup(story)}</body></html>`,
  );
}

async function toPdf({ title, blocks }: Story): Promise<Uint8Array> {
  const document = new PDFDocument({ size: 'A4', margin: 60 });
  const parts: Uint8Array[] = [];
  document.on('data', part => parts.push(part));
  const finished = new Promise<Uint8Array>(resolve => document.on('end', () => resolve(Buffer.concat(parts))));
  document.fontSize(22).text(title).moveDown(0.5);
  for (const block of blocks) {
    if (block.kind === 'heading') document.fontSize(16).text(block.text);
    else if (block.kind === 'paragraph') document.fontSize(10).text(block.text);
    else if (block.kind === 'list') document.fontSize(10).list(block.items);
    else document.fontSize(10).table({ data: block.rows });
    document.moveDown(0.5);
  }
  document.end();
  return finished;
}

function toOdt({ title, blocks }: Story): Uint8Array {
  const heading = (text: string, level: number) => `<text:h text:outline-level="${level}">${text}</text:h>`;
  const paragraph = (text: string) => `<text:p>${text}</text:p>`;
  const parts = blocks.map(block => {
    if (block.kind === 'heading') return heading(block.text, 2);
    if (block.kind === 'paragraph') return paragraph(block.text);
    if (block.kind === 'list') {
      const items = block.items.map(item => `<text:list-item>${paragraph(item)}</text:list-item>`);
      return `<text:list>${items.join('')}</text:list>`;
    }
    const cell = (text: string) => `<table:table-cell office:value-type="string">${paragraph(text)}</table:table-cell>`;
    const rows = block.rows.map(row => `<table:table-row>${row.map(cell).join('')}</table:table-row>`);
    const columns = block.rows[0]?.length ?? 0;
    return `<table:table><table:table-column table:number-columns-repeated="${columns}"/>${rows.join('')}</table:table>`;
  });
  const oasis = 'urn:oasis:names:tc:opendocument:xmlns';
  const content =
    `<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="${oasis}:office:1.0" ` +
    `xmlns:text="${oasis}:text:1.0" xmlns:table="${oasis}:table:1.0" office:version="1.2"><office:body><office:text>` +
    `${heading(title, 1)}${parts.join('')}</office:text></office:body></office:document-content>`;
  const styles =
    `<?xml version="1.0" encoding="UTF-8"?><office:document-styles xmlns:office="${oasis}:office:1.0" ` +
    'office:version="1.2"><office:styles/></office:document-styles>';
  const type = 'application/vnd.oasis.opendocument.text';
  const manifest =
    `<?xml version="1.0" encoding="UTF-8"?><manifest:manifest xmlns:manifest="${oasis}:manifest:1.0" ` +
    `manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/>` +
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>' +
    '<manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/></manifest:manifest>';
  return zip(type, { 'META-INF/manifest.xml': manifest, 'content.xml': content, 'styles.xml': styles });
}

function toEpub(story: Story): Uint8Array {
  const container =
    '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>' +
    '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>';
  const book =
    '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata ' +
    `xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">book</dc:identifier><dc:title>Book</dc:title>` +
    '<dc:language>en</dc:language></metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>' +
    '</manifest><spine><itemref idref="c"/></spine></package>';
  const chapter =
    '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title></title></head>' +
    `<body>${markup(story)}</body></html>`;
  return zip('application/epub+zip', { 'META-INF/container.xml': container, 'book.opf': book, 'c.xhtml': chapter });
}

/** An archive that begins with its type, not compressed, as OpenDocument and EPUB demand. */
function zip(type: string, files: Record<string, string>): Uint8Array {
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)]);
  return zipSync({ mimetype: [strToU8(type), { level: 0 }], ...Object.fromEntries(entries) });
}

function sheet(format: 'xlsx' | 'csv', number: number): Sample {
  const rows = tellTable(number, SHEET);
  const truth = { text: rows.map(row => row.join(' ')).join('\n'), rows };
  const name = `${format}-${number}.${format}`;
  if (format === 'csv') return { name, bytes: strToU8(rows.map(row => row.join(',')).join('\n')), truth };
  const book = xlsx.utils.book_new();
  const typed = rows.map(row => row.map(cell => (/^\d+$/.test(cell) ? Number(cell) : cell)));
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(typed), 'Data');
  return { name, bytes: xlsx.write(book, { type: 'buffer', bookType: 'xlsx', compression: true }), truth };
}

async function slides(number: number): Promise<Sample> {
  // The default of a package without types for ES modules.
  const deck = new (Pptx as unknown as { new (): Pptx.default })();
  const texts: string[] = [];
  const rows: string[][] = [];
  for (let index = 0; index < SLIDES; index += 1) {
    const { title, blocks } = tell(number * SLIDES + index);
    const items = blocks.flatMap(block => (block.kind === 'list' ? block.items : [])).slice(0, 5);
    const table = blocks.flatMap(block => (block.kind === 'table' ? block.rows : [])).slice(0, 4);
    const slide = deck.addSlide();
    slide.addText(title, { x: 0.5, y: 0.2, w: 9, h: 0.6 });
    slide.addText(
      items.map(text => ({ text, options: { bullet: true, breakLine: true } })),
      { x: 0.5, y: 1, w: 9, h: 2 },
    );
    slide.addTable(
      table.map(row => row.map(text => ({ text }))),
      { x: 0.5, y: 3.2, w: 9 },
    );
    texts.push(title, ...items, ...table.map(row => row.join(' ')));
    rows.push(...table);
  }
  const bytes = (await deck.write({ outputType: 'nodebuffer' })) as Uint8Array;
  return { name: `pptx-${number}.pptx`, bytes, truth: { text: texts.join('\n'), rows } };
}

function mail(number: number): Sample {
  const { title, blocks } = tell(number);
  const paragraphs = blocks.flatMap(block => (block.kind === 'paragraph' ? [block.text] : []));
  const encode = (text: string) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n');
  const part = (type: string, text: string) =>
    `--part\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${encode(text)}\r\n`;
  const text =
    `Subject: =?utf-8?B?${Buffer.from(title).toString('base64')}?=\r\nFrom: ada@example.com\r\nTo: bob@example.com\r\n` +
    'MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=part\r\n\r\n' +
    part('text/plain', paragraphs.join('\n\n')) +
    part('text/html', `<html><body>${paragraphs.map(line => `<p>${line}</p>`).join('')}</body></html>`) +
    '--part--\r\n';
  return {
    name: `eml-${number}.eml`,
    bytes: strToU8(text),
    truth: { text: [title, ...paragraphs].join('\n'), rows: [] },
  };
}

/** A text in one of the encodings that programs in China, Japan and Korea wrote before UTF-8. */
function foreignText(number: number): Sample {
  const { encoding, lines } = sentences[number % sentences.length] ?? { encoding: 'utf8', lines: [] };
  const text = Array.from({ length: 12 }, (_, index) => lines[(index + number) % lines.length]).join('\n');
  return { name: `cjk-${number}-${encoding}.txt`, bytes: iconv.encode(text, encoding), truth: { text, rows: [] } };
}
