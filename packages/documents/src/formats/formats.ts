import { extname } from 'node:path';
import { openCsv } from './csv/read.ts';
import { openJson, openJsonLines } from './json/read.ts';
import type { OpenReader, PictureReader } from './reader.ts';
import { openPlainText } from './text/read.ts';
import { languages, openSourceCode } from './text/source-code.ts';

/** A kind of file: its MIME type and its reader. Large libraries are loaded when they are first needed. */
export interface Format {
  mimeType: string;
  load: () => Promise<OpenReader>;
  /** Set for formats whose pictures can be read. */
  loadPictures?: () => Promise<PictureReader>;
}

const office = 'application/vnd.openxmlformats-officedocument';
const csv = async () => openCsv;
const code = async () => openSourceCode;
const json = async () => openJson;
const jsonLines = async () => openJsonLines;
const text = async (): Promise<OpenReader> => file => openPlainText(file);
const markdown = once(async () => (await import('./markdown/read.ts')).openMarkdown);
const html = once(async () => (await import('./html/read.ts')).openHtml);
const workbook = once(async () => (await import('./xlsx/read.ts')).openWorkbook);
const docx = once(async () => (await import('./docx/read.ts')).openDocx);
const pptx = once(async () => (await import('./pptx/read.ts')).openPptx);
const pdf = once(async () => (await import('./pdf/read.ts')).openPdf);
const pdfPictures = once(async () => (await import('./pdf/picture.ts')).readPdfPicture);
const spreadsheet = once(async () => (await import('./spreadsheet/read.ts')).openSpreadsheet);
const odt = once(async () => (await import('./opendocument/read.ts')).openOdt);
const ods = once(async () => (await import('./opendocument/sheet.ts')).openOds);
const odp = once(async () => (await import('./opendocument/read.ts')).openOdp);
const epub = once(async () => (await import('./epub/read.ts')).openEpub);
const mail = once(async () => (await import('./mail/read.ts')).openMail);
const outlook = once(async () => (await import('./mail/outlook.ts')).openOutlookMail);
const notebook = once(async () => (await import('./notebook/read.ts')).openNotebook);
const doc = once(async () => (await import('./doc/read.ts')).openDoc);
const ppt = once(async () => (await import('./ppt/read.ts')).openPpt);
const pptPictures = once(async () => (await import('./ppt/read.ts')).readPptPicture);
const rtf = once(async () => (await import('./rtf/read.ts')).openRtf);
const rtfPictures = once(async () => (await import('./rtf/read.ts')).readRtfPicture);
const parts = once(async () => (await import('./ooxml/picture.ts')).readPart);
const picture = once(async () => (await import('./image/read.ts')).openImage);
const svg = once(async () => (await import('./image/read.ts')).openSvg);
const wholeFile = once(async () => (await import('./image/read.ts')).readImageFile);
const openDocument = 'application/vnd.oasis.opendocument';

/** Pictures by extension. The bytes decide how they are read. */
const pictureTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jfif: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
  heif: 'image/heif',
  avif: 'image/avif',
};

const formats = new Map<string, Format>([
  ...Object.keys(languages).map((type): [string, Format] => [type, { mimeType: 'text/plain', load: code }]),
  ['csv', { mimeType: 'text/csv', load: csv }],
  ['tsv', { mimeType: 'text/tab-separated-values', load: csv }],
  ['docx', { mimeType: `${office}.wordprocessingml.document`, load: docx, loadPictures: parts }],
  ['docm', { mimeType: 'application/vnd.ms-word.document.macroEnabled.12', load: docx, loadPictures: parts }],
  ['dotx', { mimeType: `${office}.wordprocessingml.template`, load: docx, loadPictures: parts }],
  ['doc', { mimeType: 'application/msword', load: doc }],
  ['rtf', { mimeType: 'application/rtf', load: rtf, loadPictures: rtfPictures }],
  ['odt', { mimeType: `${openDocument}.text`, load: odt, loadPictures: parts }],
  ['xlsx', { mimeType: `${office}.spreadsheetml.sheet`, load: workbook, loadPictures: parts }],
  ['xlsm', { mimeType: 'application/vnd.ms-excel.sheet.macroEnabled.12', load: workbook, loadPictures: parts }],
  ['xltx', { mimeType: `${office}.spreadsheetml.template`, load: workbook, loadPictures: parts }],
  ['xls', { mimeType: 'application/vnd.ms-excel', load: spreadsheet }],
  ['xlsb', { mimeType: 'application/vnd.ms-excel.sheet.binary.macroEnabled.12', load: spreadsheet }],
  ['ods', { mimeType: `${openDocument}.spreadsheet`, load: ods }],
  ['pptx', { mimeType: `${office}.presentationml.presentation`, load: pptx, loadPictures: parts }],
  ['pptm', { mimeType: 'application/vnd.ms-powerpoint.presentation.macroEnabled.12', load: pptx, loadPictures: parts }],
  ['ppsx', { mimeType: `${office}.presentationml.slideshow`, load: pptx, loadPictures: parts }],
  ['potx', { mimeType: `${office}.presentationml.template`, load: pptx, loadPictures: parts }],
  ...['ppt', 'pps', 'pot'].map((type): [string, Format] => [
    type,
    { mimeType: 'application/vnd.ms-powerpoint', load: ppt, loadPictures: pptPictures },
  ]),
  ['odp', { mimeType: `${openDocument}.presentation`, load: odp, loadPictures: parts }],
  ['epub', { mimeType: 'application/epub+zip', load: epub, loadPictures: parts }],
  ['eml', { mimeType: 'message/rfc822', load: mail }],
  ['msg', { mimeType: 'application/vnd.ms-outlook', load: outlook }],
  ['ipynb', { mimeType: 'application/x-ipynb+json', load: notebook }],
  ['pdf', { mimeType: 'application/pdf', load: pdf, loadPictures: pdfPictures }],
  ...Object.entries(pictureTypes).map(([type, mimeType]): [string, Format] => [
    type,
    { mimeType, load: picture, loadPictures: wholeFile },
  ]),
  ['svg', { mimeType: 'image/svg+xml', load: svg, loadPictures: wholeFile }],
  ['md', { mimeType: 'text/markdown', load: markdown }],
  ['markdown', { mimeType: 'text/markdown', load: markdown }],
  ['html', { mimeType: 'text/html', load: html }],
  ['htm', { mimeType: 'text/html', load: html }],
  ['xhtml', { mimeType: 'application/xhtml+xml', load: html }],
  ...['rst', 'adoc', 'asciidoc', 'org', 'text'].map((type): [string, Format] => [
    type,
    { mimeType: 'text/plain', load: text },
  ]),
  ['txt', { mimeType: 'text/plain', load: text }],
  ['log', { mimeType: 'text/plain', load: text }],
  ['json', { mimeType: 'application/json', load: json }],
  ['jsonl', { mimeType: 'application/jsonl', load: jsonLines }],
  ['ndjson', { mimeType: 'application/jsonl', load: jsonLines }],
]);

/** Files that are known by their whole name, and the types they are read as. */
const names = new Map<string, string>([
  ...[
    'readme',
    'license',
    'licence',
    'copying',
    'notice',
    'authors',
    'changelog',
    'changes',
    'news',
    'todo',
    'install',
  ].map((name): [string, string] => [name, 'txt']),
  ...['dockerfile', 'makefile', 'jenkinsfile', 'gemfile', 'rakefile', 'vagrantfile', 'procfile'].map(
    (name): [string, string] => [name, name],
  ),
]);

/** The type of a file by its name: the extension in lower case and without dot, or what a name without one stands for. */
export function typeOf(name: string): string {
  const extension = extname(name);
  return extension === '' ? (names.get(name.toLowerCase()) ?? '') : extension.slice(1).toLowerCase();
}

/** Types of files by MIME type, where one MIME type stands for one kind of file. */
const mimeTypes = new Map(
  [...formats].toReversed().flatMap(([type, { mimeType }]) => (mimeType === 'text/plain' ? [] : [[mimeType, type]])),
);

/**
 * The type of bytes that came with a name, a MIME type or both; undefined if no reader knows it. The MIME type decides
 * where it is exact, then the extension of the name; any other text is plain text.
 */
export function typeOfBytes(name: string, mimeType = '', isText = false): string | undefined {
  const [essence = ''] = mimeType.toLowerCase().split(';', 1);
  const exact = mimeTypes.get(essence.trim());
  if (exact !== undefined) return exact;
  const type = typeOf(name);
  if (formats.has(type)) return type;
  if (/[/+]json$/.test(essence)) return 'json';
  return isText || essence.startsWith('text/') ? 'txt' : undefined;
}

/** The format of a file by its extension, lower-case and without dot; undefined if it is not supported. */
export function formatOf(type: string): Format | undefined {
  return formats.get(type);
}

/** Every extension that is read. */
export function supportedTypes(): string[] {
  return [...formats.keys()].toSorted();
}

/** Loads at the first call only: importing a module again takes a twentieth of the time of a small file. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
