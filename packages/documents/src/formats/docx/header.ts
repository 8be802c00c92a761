import { shorten } from '../../content/element.ts';
import { type Outline, outlinePages } from '../../content/outline.ts';
import { ZipDirectory } from '../ooxml/directory.ts';
import { mainPart, readCoreFacts, readRelations } from '../ooxml/package.ts';
import type { PackageParts } from '../ooxml/parts.ts';
import { parseXml } from '../ooxml/xml.ts';
import { type DocumentFacts, type HeaderReader, UnreadableError } from '../reader.ts';
import { type DocxBlock, docxBlocks } from './blocks.ts';
import { readInline } from './inline.ts';
import { ParagraphStyles } from './paragraph-styles.ts';

/** Bodies up to this size are looked through for headings; of a longer one the catalogue knows the size only. */
const WHOLE_BYTES = 1024 * 1024;
const HEAD_BYTES = 64 * 1024;
/** Tags are most of a body: a page of this size has some fifteen thousand characters of text. */
const PAGE_BYTES = 128 * 1024;

/** Title and summary as Office keeps them, and the number of pages from the tags of the body. */
export const readDocxHeader: HeaderReader = async (source, file) => {
  const parts = await ZipDirectory.read(source, file.size);
  if (parts === undefined) return undefined;
  const part = await mainPart(parts, 'word/document.xml');
  const facts = await readCoreFacts(parts);
  const relations = await readRelations(parts, part);
  const stylesPart = [...relations.values()].find(({ type }) => type === 'styles')?.target;
  const pageCount = countLongPages(parts.size(part));
  if (pageCount !== undefined) {
    const head = new TextDecoder().decode((await parts.readHead(part)).subarray(0, HEAD_BYTES));
    const beginning = docxBlocks(head, await readStyles(parts, stylesPart));
    return { ...findFacts(beginning, head), ...facts, pageCount };
  }
  const { outline, blocks, xml } = await outlineDocx(parts, part, stylesPart);
  return { ...findFacts(blocks, xml), ...facts, pageCount: outline.starts.length };
};

/** Where the pages of a body begin, by the numbers of its blocks. */
export async function outlineDocx(
  parts: PackageParts,
  part: string,
  stylesPart: string | undefined,
): Promise<{ outline: Outline; blocks: DocxBlock[]; xml: string }> {
  const styles = await readStyles(parts, stylesPart);
  const xml = new TextDecoder().decode(await parts.read(part));
  // Office writes none; entities are what they are good for.
  if (xml.includes('<!DOCTYPE')) throw new UnreadableError(`The file is damaged: its part '${part}' cannot be read`);
  const blocks = docxBlocks(xml, styles);
  return { outline: outlinePages(blocks, PAGE_BYTES), blocks, xml };
}

async function readStyles(parts: PackageParts, part: string | undefined): Promise<ParagraphStyles> {
  const isThere = part !== undefined && parts.has(part);
  return new ParagraphStyles(isThere ? new TextDecoder().decode(await parts.read(part)) : '');
}

/** The pages of a body by its size, if it is too large to be outlined. */
export function countLongPages(size: number): number | undefined {
  return size <= WHOLE_BYTES ? undefined : Math.floor(size / PAGE_BYTES);
}

function findFacts(blocks: readonly DocxBlock[], xml: string): DocumentFacts {
  const textOf = (kind: DocxBlock['kind']) => {
    const block = blocks.find(candidate => candidate.kind === kind);
    return block && shorten(readInline(parseXml(xml.slice(block.start, block.end), 'paragraph'), new Map()).text, 200);
  };
  const title = textOf('heading');
  const summary = textOf('text');
  return { ...(title && { title }), ...(summary && { summary }) };
}
