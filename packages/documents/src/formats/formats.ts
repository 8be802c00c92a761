import { openCsv } from './csv.ts';
import { openHtml } from './html.ts';
import { openJson, openJsonLines } from './json.ts';
import { openMarkdown } from './markdown.ts';
import { openPlainText } from './plain-text.ts';
import type { OpenReader } from './reader.ts';
import { languages, openSourceCode } from './source-code.ts';

/** A kind of file: how it is announced, and how it is read. */
export interface Format {
  mimeType: string;
  /** Readers with large libraries are loaded when the first of their files is opened. */
  load: () => Promise<OpenReader>;
}

const office = 'application/vnd.openxmlformats-officedocument';
const workbook = async () => (await import('./xlsx/workbook.ts')).openWorkbook;

const formats = new Map<string, Format>([
  ...Object.keys(languages).map((type): [string, Format] => [type, format('text/plain', openSourceCode)]),
  ['csv', format('text/csv', openCsv)],
  ['tsv', format('text/tab-separated-values', openCsv)],
  [
    'docx',
    {
      mimeType: `${office}.wordprocessingml.document`,
      load: async () => (await import('./docx/document.ts')).openDocx,
    },
  ],
  ['xlsx', { mimeType: `${office}.spreadsheetml.sheet`, load: workbook }],
  ['xlsm', { mimeType: 'application/vnd.ms-excel.sheet.macroEnabled.12', load: workbook }],
  [
    'pptx',
    {
      mimeType: `${office}.presentationml.presentation`,
      load: async () => (await import('./pptx/presentation.ts')).openPptx,
    },
  ],
  ['pdf', { mimeType: 'application/pdf', load: async () => (await import('./pdf/document.ts')).openPdf }],
  ['md', format('text/markdown', openMarkdown)],
  ['markdown', format('text/markdown', openMarkdown)],
  ['html', format('text/html', openHtml)],
  ['htm', format('text/html', openHtml)],
  ['txt', format('text/plain', (path, file) => openPlainText(path, file))],
  ['log', format('text/plain', (path, file) => openPlainText(path, file))],
  ['json', format('application/json', openJson)],
  ['jsonl', format('application/jsonl', openJsonLines)],
  ['ndjson', format('application/jsonl', openJsonLines)],
]);

/** The format of a file by its extension, lower-case and without dot; nothing if it is not supported. */
export function formatOf(type: string): Format | undefined {
  return formats.get(type);
}

/** Every extension that is read. */
export function supportedTypes(): string[] {
  return [...formats.keys()].toSorted();
}

function format(mimeType: string, reader: OpenReader): Format {
  return { mimeType, load: async () => reader };
}
