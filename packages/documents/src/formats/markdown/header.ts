import { shorten } from '../../content/element.ts';
import { type Outline, outlinePages } from '../../content/outline.ts';
import { spreadPages } from '../../content/spread.ts';
import { readTextHeader } from '../plain-text.ts';
import type { DocumentFacts, HeaderReader } from '../reader.ts';
import { decodeText, MAX_TEXT_BYTES } from '../text-encoding.ts';
import { type MarkdownBlock, markdownBlocks } from './blocks.ts';
import { splitFrontMatter } from './front-matter.ts';

/** Files up to this size are looked through for headings; of longer ones only the beginning is read for the catalogue. */
const WHOLE_BYTES = 128 * 1024;
const HEAD_BYTES = 8 * 1024;
const PAGE_CHARACTERS = 20_000;
/** Parsing takes time by the square of this. */
const MAX_HEADING_CHARACTERS = 1000;
/** What a page of a long file is about. */
const PAGE_BYTES = 16 * 1024;

/** Title, summary and number of pages from the lines of the file. */
export const readMarkdownHeader: HeaderReader = async (source, file) => {
  if (file.size > MAX_TEXT_BYTES) return readTextHeader(source, file);
  const isWhole = file.size <= WHOLE_BYTES;
  const text = decodeText(await source.read(0, isWhole ? file.size : HEAD_BYTES));
  const { facts, body } = splitFrontMatter(text);
  const blocks = markdownBlocks(body);
  const pageCount = isWhole ? outlineMarkdown(blocks, file.size).starts.length : countLongPages(file.size);
  return { ...(await findFacts(blocks, body)), ...facts, pageCount };
};

/** Where the pages of a text begin, by its blocks and the size of its file. */
export function outlineMarkdown(blocks: readonly MarkdownBlock[], size: number): Outline {
  return size <= WHOLE_BYTES ? outlinePages(blocks, PAGE_CHARACTERS) : spreadPages(blocks, countLongPages(size));
}

/** The pages of a file that is longer than `WHOLE_BYTES`. */
function countLongPages(size: number): number {
  return Math.floor(size / PAGE_BYTES);
}

/** What a text says of itself by its first heading and its first paragraph. */
export async function findFacts(blocks: readonly MarkdownBlock[], body: string): Promise<DocumentFacts> {
  const sourceOf = (kind: MarkdownBlock['kind']) => {
    const block = blocks.find(candidate => candidate.kind === kind);
    return block && body.slice(block.at, block.at + block.size).trim();
  };
  const heading = sourceOf('heading');
  const summary = sourceOf('paragraph');
  return {
    ...(heading !== undefined && { title: shorten(await plainHeading(heading), 200) }),
    ...(summary !== undefined && { summary: shorten(summary, 200) }),
  };
}

/** The words of a heading, or of its beginning. Only one with notation in it is worth a parser. */
export async function plainHeading(whole: string): Promise<string> {
  const source = whole.slice(0, MAX_HEADING_CHARACTERS);
  const [line = ''] = source.replace(/^#{1,6}[ \t]*/, '').split('\n', 1);
  const words = line.replace(/[ \t]+#+[ \t]*$/, '').trim();
  if (!/[*_`[\]<>&\\~:@]|www\./.test(words)) return words;
  const { headingWords } = await import('./parse.ts');
  return headingWords(source);
}
