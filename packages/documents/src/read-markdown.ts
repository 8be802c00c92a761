import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { type Cell, type IdentifiedElement, toMarkdown } from '@a2c-smcp/publish/content';
import { type FileVersion, UnreadableError, versionFacts } from './file.ts';
import { formatOf, typeOf } from './formats/formats.ts';
import { problemOf } from './formats/reader.ts';

/**
 * Reads a file in whole as Markdown, in the calling thread. Throws an `Error` that says why a file cannot be read.
 * Only for trusted files: a `DocumentLibrary` reads in worker threads, within limits of time and memory.
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
        const { elements } = await document.page(index);
        for (const element of elements) parts.push(toMarkdown(withAllRows(element)));
      }
    } finally {
      await document.close();
    }
  } catch (error) {
    throw new UnreadableError(problemOf(error), { cause: error });
  }
  return parts.filter(part => part !== '').join('\n\n');
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

/** A page shows the first rows of a long table; the others are serialised. */
function withAllRows({ category, summary, content, overflow }: IdentifiedElement) {
  if (overflow === undefined) return { category, summary, content };
  const { rows } = content as { rows: Cell[][] };
  const later = overflow.portions.flatMap((portion): Cell[][] => JSON.parse(Buffer.from(portion).toString()));
  return { category, summary, content: { ...content, rows: [...rows, ...later] } };
}
