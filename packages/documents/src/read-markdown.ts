import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import {
  annotation,
  type Cell,
  type IdentifiedElement,
  Identifier,
  labels,
  noLimits,
  type Renderable,
  toMarkdown,
} from '@a2c-smcp/publish/content';
import { type FileVersion, UnreadableError, versionFacts } from './file.ts';
import { formatOf, typeOf } from './formats/formats.ts';
import { type OpenDocument, problemOf } from './formats/reader.ts';

/**
 * Reads all pages of a file as Markdown, in the calling thread. Throws an `Error` that says why a file cannot be read; a
 * page of it that cannot be read is a remark that says so. Tables are whole, where pages of a library show a part of long
 * cells and of wide rows. Only for trusted files: a `DocumentLibrary` reads in worker threads, within limits of time and
 * memory.
 */
export async function readMarkdown(path: string): Promise<string> {
  const file = fileAt(path);
  const format = formatOf(file.type);
  if (format === undefined) throw new UnreadableError(`Files of type '${file.type}' are not supported`);
  const parts: string[] = [];
  try {
    const open = await format.load();
    const document = await open(file);
    try {
      for (let index = 0; index < document.pageCount; index += 1) {
        for (const element of await pageOf(document, index)) {
          parts.push(...withAllRows(element).map(part => toMarkdown(part, labels.en, noLimits)));
        }
      }
    } finally {
      await document.close();
    }
  } catch (error) {
    throw new UnreadableError(problemOf(error), { cause: error });
  }
  return parts.filter(part => part !== '').join('\n\n');
}

/** The elements of a page. The only page of a file fails with it. */
async function pageOf(document: OpenDocument, index: number): Promise<IdentifiedElement[]> {
  try {
    return (await document.page(index)).elements;
  } catch (error) {
    if (document.pageCount === 1) throw error;
    const remark = annotation(`Page ${index + 1} cannot be read. ${problemOf(error)}`);
    return [new Identifier().identify(remark)];
  }
}

/** Calls of the system are synchronous, as in all readers: each through the thread pool costs a tenth of parsing a page. */
function fileAt(path: string): FileVersion {
  const real = realpathSync.native(path);
  const name = basename(path, extname(path));
  return {
    path: real,
    folders: [dirname(real)],
    name,
    type: typeOf(basename(path)),
    ...versionFacts(statSync(real)),
  };
}

/** A page shows the first rows of a long table, and the first columns of a wide one; the others are serialised. */
function withAllRows({ category, summary, content, overflow }: IdentifiedElement): Renderable[] {
  if (overflow === undefined) return [{ category, summary, content }];
  const { portions, wide } = overflow;
  const blocks = new Map([[0, [...(content.rows as Cell[][])]]]);
  for (const [index, portion] of portions.entries()) {
    const [from] = wide?.columns[index] ?? [0];
    const rows = blocks.get(from) ?? [];
    blocks.set(from, rows);
    for (const row of JSON.parse(Buffer.from(portion).toString())) rows.push(row);
  }
  return [...blocks].map(([from, rows]) => {
    const [, to] = wide?.columns.find(([first]) => first === from) ?? [];
    const headers = from === 0 ? content.headers : wide?.names.slice(from, to);
    return { category, summary, content: { ...content, headers, rows } };
  });
}
