import { type Outline, outlinePages } from '../../content/outline.ts';
import { spreadPages } from '../../content/spread.ts';
import { completeFacts } from '../flow.ts';
import { readTextHeader } from '../plain-text.ts';
import type { HeaderReader } from '../reader.ts';
import { decodeText, MAX_TEXT_BYTES } from '../text-encoding.ts';
import { htmlBlocks } from './blocks.ts';
import { parseHtml } from './parse.ts';

/** Files up to this size are looked through for headings; of longer ones only the beginning is read for the catalogue. */
const WHOLE_BYTES = 256 * 1024;
const HEAD_BYTES = 8 * 1024;
/** Tags make up for half of it. */
const PAGE_CHARACTERS = 40_000;
const PAGE_BYTES = 64 * 1024;

/** Title, summary and number of pages from the tags of the file. */
export const readHtmlHeader: HeaderReader = async (source, file) => {
  if (file.size > MAX_TEXT_BYTES) return readTextHeader(source, file);
  const isWhole = file.size <= WHOLE_BYTES;
  const text = decodeText(await source.read(0, isWhole ? file.size : HEAD_BYTES));
  const pageCount = isWhole ? outlineHtml(text, file.size).starts.length : countLongPages(file.size);
  const { facts, placed } = parseHtml(text.slice(0, HEAD_BYTES));
  return { ...completeFacts(facts, placed), pageCount };
};

/** Where the pages of a file begin, by its blocks. */
export function outlineHtml(text: string, size: number): Outline {
  const blocks = htmlBlocks(text);
  return size <= WHOLE_BYTES ? outlinePages(blocks, PAGE_CHARACTERS) : spreadPages(blocks, countLongPages(size));
}

/** The pages of a file that is longer than `WHOLE_BYTES`. */
function countLongPages(size: number): number {
  return Math.floor(size / PAGE_BYTES);
}
