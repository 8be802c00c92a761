import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DocumentLibrary, readMarkdown } from '@a2c-smcp/documents';
import { buildDpeUri, type DPEDocument, type DPEElementDetail, type DPEPage } from '@a2c-smcp/protocol';
import type { Reading } from '../harness/text-readers.ts';
import { obey, settings } from './obey.ts';

/** Reads files in whole: with our function, with our library, or with officeparser below a folder of packages. */
export interface DocumentReaderSettings {
  /** All files are below it. */
  folder: string;
  reader: 'function' | 'library' | { officeparser: string };
}

const { folder, reader } = settings<DocumentReaderSettings>();
const host = 'bench';
const read = await openReader();

obey('ready', async (path: string): Promise<Reading> => {
  const before = process.cpuUsage();
  const text = await read(path);
  const { user, system } = process.cpuUsage(before);
  return { text, cpu: (user + system) / 1000, peak: process.resourceUsage().maxRSS * 1024 };
});

async function openReader(): Promise<(path: string) => Promise<string>> {
  if (reader === 'function') return readMarkdown;
  return reader === 'library' ? library() : officeparser(reader.officeparser);
}

/** Every page as an Agent reads it, and long tables to their end. Each file is read once, so that no page comes from a cache. */
async function library(): Promise<(path: string) => Promise<string>> {
  const opened = await DocumentLibrary.open({ folders: [folder], host });
  return async path => {
    const docRef = relative(folder, path);
    const { page_count } = (await opened.read(buildDpeUri({ host, docRef }))) as DPEDocument;
    const parts: string[] = [];
    for (let page = 0; page < page_count; page += 1) {
      const uri = buildDpeUri({ host, docRef, page });
      const { content_markdown = '', elements } = (await opened.read(`${uri}?format=markdown`)) as DPEPage;
      parts.push(content_markdown);
      for (const { content } of elements) parts.push(...(await continuation(opened, docRef, content)));
    }
    return parts.join('\n');
  };
}

/** The later portions of a long table. */
async function continuation(
  opened: DocumentLibrary,
  docRef: string,
  { continued_in: element }: Record<string, unknown>,
): Promise<string[]> {
  if (typeof element !== 'string') return [];
  const uri = buildDpeUri({ host, docRef, element });
  const detail = (await opened.read(`${uri}?format=markdown`)) as DPEElementDetail;
  const { content_markdown: text, content } = detail;
  return [String(text), ...(await continuation(opened, docRef, content))];
}

async function officeparser(below: string): Promise<(path: string) => Promise<string>> {
  const module = pathToFileURL(join(below, 'node_modules/officeparser/dist/index.js')).href;
  const { OfficeParser } = (await import(module)).default;
  return async path => (await OfficeParser.parseOffice(path)).toText();
}
