import { open } from 'node:fs/promises';
import { type Element, shorten } from '../content/element.ts';
import { Identifier } from '../content/identify.ts';
import { paragraph } from '../content/make.ts';
import type { FileFacts, OpenDocument } from './reader.ts';
import { createDecoder, detectEncoding } from './text-encoding.ts';

const PAGE_LINES = 200;
const PAGE_BYTES = 64 * 1024;
const BLOCK = 256 * 1024;

/** Where a page lies in its file. */
interface Span {
  start: number;
  end: number;
  firstLine: number;
}

export interface PlainTextOptions {
  /** Makes elements of the text of one page. @default one text element for each paragraph */
  toElements?: (text: string) => Element[];
  /** Makes the summary of the first lines. @default the lines as prose */
  summarize?: (head: string) => string;
  title?: string;
}

/** Any file of lines, of any length: only the places of its pages are kept, and a page is read when it is asked for. */
export async function openPlainText(
  path: string,
  file: FileFacts,
  { toElements = paragraphs, summarize = shortened, title: documentTitle = file.name }: PlainTextOptions = {},
): Promise<OpenDocument> {
  const handle = await open(path);
  try {
    const head = Buffer.alloc(Math.min(file.size, PAGE_BYTES));
    await handle.read(head, 0, head.length, 0);
    const encoding = detectEncoding(head);
    const spans = await findPages(handle, encoding.startsWith('utf-16') ? 2 : 1);
    const decode = (bytes: Uint8Array) => createDecoder(encoding)(bytes).replaceAll('\r\n', '\n');
    const summary = summarize(decode(head));
    return {
      facts: { title: documentTitle, ...(summary !== '' && { summary }) },
      pageCount: spans.length,
      async page(index) {
        const span = spans[index];
        if (span === undefined) throw new TypeError(`No page ${index}`);
        const bytes = Buffer.alloc(span.end - span.start);
        await handle.read(bytes, 0, bytes.length, span.start);
        const text = decode(bytes).replace(/\n$/, '');
        const lines = text.split('\n').length;
        const title = spans.length === 1 ? documentTitle : `Lines ${span.firstLine}–${span.firstLine + lines - 1}`;
        const identifier = new Identifier();
        const metadata = { first_line: span.firstLine, last_line: span.firstLine + lines - 1 };
        return { title, elements: toElements(text).map(element => identifier.identify({ ...element, metadata })) };
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The first line that says something, for files that are not prose. */
export function firstLine(head: string): string {
  return shorten(head.split('\n').find(line => /\w/.test(line)) ?? '');
}

type Handle = Awaited<ReturnType<typeof open>>;

/** Cuts at the last blank line before a page is full, or where it is full. */
async function findPages(handle: Handle, unit: 1 | 2): Promise<Span[]> {
  const spans: Span[] = [];
  const block = Buffer.alloc(BLOCK);
  let start = 0;
  let startLine = 1;
  let line = 1;
  let lineStart = 0;
  let blank: { offset: number; line: number } | undefined;
  const cut = (offset: number, atLine: number) => {
    spans.push({ start, end: offset, firstLine: startLine });
    start = offset;
    startLine = atLine;
    blank = undefined;
  };
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(block, 0, BLOCK, position);
    if (bytesRead === 0) {
      if (position > start || spans.length === 0) cut(position, line);
      return spans;
    }
    for (let index = 0; index < bytesRead; index += 1) {
      const offset = position + index + 1;
      if (block[index] === 0x0a) {
        const next = offset + ((unit - (offset % unit)) % unit);
        line += 1;
        if (offset - lineStart <= 2 * unit) blank = { offset: next, line };
        lineStart = next;
        if (line - startLine >= PAGE_LINES || next - start >= PAGE_BYTES) {
          const early = blank && blank.offset - start >= PAGE_BYTES / 4 ? blank : undefined;
          const roomy = blank && blank.line - startLine >= PAGE_LINES / 2 ? blank : undefined;
          const place = early ?? roomy ?? { offset: next, line };
          cut(place.offset, place.line);
        }
      } else if (offset - start >= 2 * PAGE_BYTES && offset % unit === 0 && !continuesCharacter(block[index + 1])) {
        cut(offset, line);
        lineStart = offset;
      }
    }
    position += bytesRead;
  }
}

/** Whether a byte belongs to the UTF-8 character before it. */
function continuesCharacter(byte: number | undefined): boolean {
  return byte === undefined || (byte & 0xc0) === 0x80;
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
