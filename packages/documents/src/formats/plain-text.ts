import { type Element, shorten } from '../content/element.ts';
import { Identifier } from '../content/identify.ts';
import { paragraph } from '../content/make.ts';
import { FileSource } from '../file/file-source.ts';
import type { DocumentHeader, FileFacts, LocatedFile, OpenDocument } from './reader.ts';
import { createDecoder, detectEncoding } from './text-encoding.ts';
import { countTextPages, TextPages } from './text-pages.ts';

const HEAD_BYTES = 4 * 1024;
/** What is looked at to tell encodings apart. */
const SAMPLE_BYTES = 64 * 1024;

export interface PlainTextOptions {
  /** Makes elements of the text of one page. @default one text element for each paragraph */
  toElements?: (text: string) => Element[];
  /** Makes the summary of the first lines. @default the lines as prose */
  summarize?: (head: string) => string;
  title?: string;
  /** The least bytes on a page. @default 8 KiB, some two hundred lines */
  pageBytes?: number;
}

/** What the catalogue says of a file of lines: its pages are counted by its size. */
export async function readTextHeader(
  source: FileSource,
  file: FileFacts,
  { summarize = shortened, title = file.name, pageBytes }: PlainTextOptions = {},
): Promise<DocumentHeader> {
  const head = await source.read(0, Math.min(file.size, HEAD_BYTES));
  const summary = summarize(decodeHead(head));
  return { title, ...(summary !== '' && { summary }), pageCount: countTextPages(file.size, pageBytes) };
}

/** Any file of lines, of any length: a page is found by its number and read when it is asked for. */
export async function openPlainText(file: LocatedFile, options: PlainTextOptions = {}): Promise<OpenDocument> {
  const { toElements = paragraphs, pageBytes, title: documentTitle = file.name } = options;
  const source = await FileSource.open(file);
  try {
    const { pageCount, ...facts } = await readTextHeader(source, file, options);
    const encoding = detectEncoding(await source.read(0, Math.min(file.size, SAMPLE_BYTES)));
    const pages = new TextPages(source, file.size, pageCount, { encoding, pageBytes });
    return {
      facts,
      pageCount,
      async page(index) {
        const { bytes, firstLine } = await pages.read(index);
        const text = createDecoder(encoding)(bytes).replaceAll('\r\n', '\n').replace(/\n$/, '');
        const lastLine = firstLine + text.split('\n').length - 1;
        const identifier = new Identifier();
        const metadata = { first_line: firstLine, last_line: lastLine };
        return {
          title: pageCount === 1 ? documentTitle : `Lines ${firstLine}–${lastLine}`,
          elements: toElements(text).map(element => identifier.identify({ ...element, metadata })),
        };
      },
      close: () => source.close(),
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** The first line that says something, for files that are not prose. */
export function firstLine(head: string): string {
  return shorten(head.split('\n').find(line => /\w/.test(line)) ?? '');
}

function decodeHead(head: Uint8Array): string {
  return createDecoder(detectEncoding(head))(head, { stream: true }).replaceAll('\r\n', '\n');
}

function shortened(head: string): string {
  return shorten(head, 200);
}

function paragraphs(text: string): Element[] {
  return text
    .split(/\n[ \t]*\n+/)
    .map(part => part.replace(/^\n+|\s+$/g, ''))
    .filter(part => part.trim() !== '')
    .map(paragraph);
}
