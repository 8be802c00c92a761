import { openCsv, readCsvHeader } from './csv.ts';
import { openJson, openJsonLines, readJsonHeader, readJsonLinesHeader } from './json.ts';
import { openPlainText, readTextHeader } from './plain-text.ts';
import type { HeaderReader, OpenReader } from './reader.ts';
import { languages, openSourceCode, readSourceCodeHeader } from './source-code.ts';

/** A kind of file: how it is announced, and how it is read. Large libraries are loaded when they are first needed. */
export interface Format {
  mimeType: string;
  loadHeader: () => Promise<HeaderReader>;
  load: () => Promise<OpenReader>;
}

const office = 'application/vnd.openxmlformats-officedocument';
const csv = { loadHeader: async () => readCsvHeader, load: async () => openCsv };
const code = { loadHeader: async () => readSourceCodeHeader, load: async () => openSourceCode };
const json = { loadHeader: async () => readJsonHeader, load: async () => openJson };
const jsonLines = { loadHeader: async () => readJsonLinesHeader, load: async () => openJsonLines };
const text = {
  loadHeader: async (): Promise<HeaderReader> => (source, file) => readTextHeader(source, file),
  load: async (): Promise<OpenReader> => file => openPlainText(file),
};
const markdown = {
  loadHeader: async () => (await import('./markdown/header.ts')).readMarkdownHeader,
  load: async () => (await import('./markdown/document.ts')).openMarkdown,
};
const html = {
  loadHeader: async () => (await import('./html/header.ts')).readHtmlHeader,
  load: async () => (await import('./html/document.ts')).openHtml,
};
const workbook = {
  loadHeader: async () => (await import('./xlsx/header.ts')).readWorkbookHeader,
  load: async () => (await import('./xlsx/workbook.ts')).openWorkbook,
};
const docx = {
  loadHeader: async () => (await import('./docx/header.ts')).readDocxHeader,
  load: async () => (await import('./docx/document.ts')).openDocx,
};
const pptx = {
  loadHeader: async () => (await import('./pptx/header.ts')).readPptxHeader,
  load: async () => (await import('./pptx/presentation.ts')).openPptx,
};
const pdf = {
  loadHeader: async () => (await import('./pdf/header.ts')).readPdfHeader,
  load: async () => (await import('./pdf/document.ts')).openPdf,
};

const formats = new Map<string, Format>([
  ...Object.keys(languages).map((type): [string, Format] => [type, { mimeType: 'text/plain', ...code }]),
  ['csv', { mimeType: 'text/csv', ...csv }],
  ['tsv', { mimeType: 'text/tab-separated-values', ...csv }],
  ['docx', { mimeType: `${office}.wordprocessingml.document`, ...docx }],
  ['xlsx', { mimeType: `${office}.spreadsheetml.sheet`, ...workbook }],
  ['xlsm', { mimeType: 'application/vnd.ms-excel.sheet.macroEnabled.12', ...workbook }],
  ['pptx', { mimeType: `${office}.presentationml.presentation`, ...pptx }],
  ['pdf', { mimeType: 'application/pdf', ...pdf }],
  ['md', { mimeType: 'text/markdown', ...markdown }],
  ['markdown', { mimeType: 'text/markdown', ...markdown }],
  ['html', { mimeType: 'text/html', ...html }],
  ['htm', { mimeType: 'text/html', ...html }],
  ['txt', { mimeType: 'text/plain', ...text }],
  ['log', { mimeType: 'text/plain', ...text }],
  ['json', { mimeType: 'application/json', ...json }],
  ['jsonl', { mimeType: 'application/jsonl', ...jsonLines }],
  ['ndjson', { mimeType: 'application/jsonl', ...jsonLines }],
]);

/** The format of a file by its extension, lower-case and without dot; nothing if it is not supported. */
export function formatOf(type: string): Format | undefined {
  return formats.get(type);
}

/** Every extension that is read. */
export function supportedTypes(): string[] {
  return [...formats.keys()].toSorted();
}
