import { openCsv } from './csv/read.ts';
import { openJson, openJsonLines } from './json/read.ts';
import type { OpenReader } from './reader.ts';
import { openPlainText } from './text/read.ts';
import { languages, openSourceCode } from './text/source-code.ts';

/** A kind of file: its MIME type and its reader. Large libraries are loaded when they are first needed. */
export interface Format {
  mimeType: string;
  load: () => Promise<OpenReader>;
}

const office = 'application/vnd.openxmlformats-officedocument';
const csv = async () => openCsv;
const code = async () => openSourceCode;
const json = async () => openJson;
const jsonLines = async () => openJsonLines;
const text = async (): Promise<OpenReader> => file => openPlainText(file);
const markdown = async () => (await import('./markdown/read.ts')).openMarkdown;
const html = async () => (await import('./html/read.ts')).openHtml;
const workbook = async () => (await import('./xlsx/read.ts')).openWorkbook;
const docx = async () => (await import('./docx/read.ts')).openDocx;
const pptx = async () => (await import('./pptx/read.ts')).openPptx;
const pdf = async () => (await import('./pdf/read.ts')).openPdf;

const formats = new Map<string, Format>([
  ...Object.keys(languages).map((type): [string, Format] => [type, { mimeType: 'text/plain', load: code }]),
  ['csv', { mimeType: 'text/csv', load: csv }],
  ['tsv', { mimeType: 'text/tab-separated-values', load: csv }],
  ['docx', { mimeType: `${office}.wordprocessingml.document`, load: docx }],
  ['xlsx', { mimeType: `${office}.spreadsheetml.sheet`, load: workbook }],
  ['xlsm', { mimeType: 'application/vnd.ms-excel.sheet.macroEnabled.12', load: workbook }],
  ['pptx', { mimeType: `${office}.presentationml.presentation`, load: pptx }],
  ['pdf', { mimeType: 'application/pdf', load: pdf }],
  ['md', { mimeType: 'text/markdown', load: markdown }],
  ['markdown', { mimeType: 'text/markdown', load: markdown }],
  ['html', { mimeType: 'text/html', load: html }],
  ['htm', { mimeType: 'text/html', load: html }],
  ['txt', { mimeType: 'text/plain', load: text }],
  ['log', { mimeType: 'text/plain', load: text }],
  ['json', { mimeType: 'application/json', load: json }],
  ['jsonl', { mimeType: 'application/jsonl', load: jsonLines }],
  ['ndjson', { mimeType: 'application/jsonl', load: jsonLines }],
]);

/** The format of a file by its extension, lower-case and without dot; undefined if it is not supported. */
export function formatOf(type: string): Format | undefined {
  return formats.get(type);
}

/** Every extension that is read. */
export function supportedTypes(): string[] {
  return [...formats.keys()].toSorted();
}
