import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DocumentLibrary } from '@a2c-smcp/documents';
import { buildDpeUri, type DPEDocument, type DPEElementDetail, type DPEPage } from '@a2c-smcp/protocol';
import type { Reading } from '../harness/text-readers.ts';
import { obey, settings } from './obey.ts';

/** Reads files in whole: with our library, or with officeparser below a folder of packages. */
export interface DocumentReaderSettings {
  /** All files are below it. */
  folder: string;
  /** The folder with `officeparser`. @default our library reads */
  packages?: string;
}

const { folder, packages } = settings<DocumentReaderSettings>();
const host = 'bench';
const read = packages === undefined ? await ours() : await officeparser(packages);

obey('ready', async (path: string): Promise<Reading> => {
  const before = process.cpuUsage();
  const text = await read(path);
  const { user, system } = process.cpuUsage(before);
  return { text, cpu: (user + system) / 1000, peak: process.resourceUsage().maxRSS * 1024 };
});

/** Every page as an Agent reads it, and long tables to their end. Each file is read once, so that no page comes from a cache. */
async function ours(): Promise<(path: string) => Promise<string>> {
  const library = await DocumentLibrary.open({ folders: [folder], host });
  return async path => {
    const docRef = relative(folder, path);
    const { page_count } = (await library.read(buildDpeUri({ host, docRef }))) as DPEDocument;
    const parts: string[] = [];
    for (let page = 0; page < page_count; page += 1) {
      const uri = buildDpeUri({ host, docRef, page });
      const { content_markdown = '', elements } = (await library.read(`${uri}?format=markdown`)) as DPEPage;
      parts.push(content_markdown);
      for (const { content } of elements) parts.push(...(await continuation(library, docRef, content)));
    }
    return parts.join('\n');
  };
}

/** The later portions of a long table. */
async function continuation(
  library: DocumentLibrary,
  docRef: string,
  { continued_in: element }: Record<string, unknown>,
): Promise<string[]> {
  if (typeof element !== 'string') return [];
  const uri = buildDpeUri({ host, docRef, element });
  const detail = (await library.read(`${uri}?format=markdown`)) as DPEElementDetail;
  const { content_markdown: text, content } = detail;
  return [String(text), ...(await continuation(library, docRef, content))];
}

async function officeparser(below: string): Promise<(path: string) => Promise<string>> {
  const module = pathToFileURL(join(below, 'node_modules/officeparser/dist/index.js')).href;
  const { OfficeParser } = (await import(module)).default;
  return async path => (await OfficeParser.parseOffice(path)).toText();
}
