import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DocumentLibrary } from '@a2c-smcp/documents';
import { DPEDocument, DPEPage } from '@a2c-smcp/protocol';
import { temporaryFolder } from './client.ts';

/** A document as an Agent reads it. */
export interface ReadDocument {
  document: DPEDocument;
  pages: DPEPage[];
  /** All pages in Markdown. */
  markdown: string;
}

/** Reads every page of a file with this name and these bytes. */
export async function readBytes(name: string, bytes: string | Uint8Array): Promise<ReadDocument> {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, name), bytes);
  // One that changed just now is read again at each look.
  utimesSync(join(folder.path, name), 1e9, 1e9 + 0.5);
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [folder.path] });
  const uri = `dpe://documents/${encodeURIComponent(name)}`;
  const document = DPEDocument.parse(await library.read(uri));
  const pages: DPEPage[] = [];
  for (let index = 0; index < document.page_count; index += 1) {
    pages.push(DPEPage.parse(await library.read(`${uri}/pages/${index}?format=markdown`)));
  }
  return { document, pages, markdown: pages.map(({ content_markdown }) => content_markdown).join('\n\n') };
}
