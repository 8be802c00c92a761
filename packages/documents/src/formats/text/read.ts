import { type Element, Identifier, paragraph, shorten } from '@a2c-smcp/publish/content';
import { FileSource, type FileVersion } from '../../file.ts';
import type { OpenDocument } from '../reader.ts';
import { createDecoder, decodeText, detectEncoding, isUtf8, sampleEncoding, withLineFeeds } from './encoding.ts';
import { countTextPages, TextPages } from './pages.ts';

/** Bytes from which the summary is made. */
const HEAD_BYTES = 4 * 1024;

export interface PlainTextOptions {
  /** Makes elements of the text of one page. @default one text element for each paragraph */
  toElements?: (text: string) => Element[];
  /** Makes the summary of the first lines. @default the lines as prose */
  summarize?: (head: string) => string;
  title?: string;
  /** The least bytes on a page. @default 8 KiB, some two hundred lines */
  pageBytes?: number;
}

/** Any file of lines, of any length: a page is found by its number and read on request. */
export async function openPlainText(file: FileVersion, options: PlainTextOptions = {}): Promise<OpenDocument> {
  const { toElements = paragraphs, summarize = shortened, title = file.name, pageBytes } = options;
  const source = await FileSource.open(file);
  try {
    const encoding = await sampleEncoding(source, file.size);
    const beginning = await source.read(0, Math.min(file.size, HEAD_BYTES));
    const head = withLineFeeds(createDecoder(encoding)(beginning, { stream: true }));
    const summary = summarize(head);
    const pageCount = countTextPages(file.size, pageBytes);
    const pages = new TextPages(source, file.size, pageCount, { encoding, pageBytes });
    return {
      facts: { title, ...(summary !== '' && { summary }) },
      pageCount,
      async page(index) {
        const { bytes, firstLine } = await pages.read(index);
        // A log may hold lines in another encoding than its beginning.
        const own = encoding === 'utf-8' && !isUtf8(bytes) ? detectEncoding(bytes) : encoding;
        const text = decodeText(bytes, own).replace(/\n$/, '');
        const lastLine = firstLine + text.split('\n').length - 1;
        const identifier = new Identifier();
        const metadata = { first_line: firstLine, last_line: lastLine };
        return {
          title: pageCount === 1 ? title : `Lines ${firstLine}–${lastLine}`,
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

/** The first line with a letter or digit, as a summary for files that are not prose. */
export function firstLine(head: string): string {
  return shorten(head.split('\n').find(line => /\w/.test(line)) ?? '');
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
