import { type Element, type IdentifiedElement, Identifier, type Page, toMarkdown } from '@a2c-smcp/publish/content';
import { splitLong } from './split.ts';

/** A stretch of a flow of text. */
export interface Block {
  /** Where it begins: an offset or an index that grows from block to block. */
  at: number;
  /** Characters. */
  size: number;
  /** Set for headings, from 1 to 6. */
  level?: number | undefined;
}

/** Where the pages of a flow begin. */
export interface Outline {
  /** The first is 0. */
  starts: number[];
  /** Headings of this level and above begin pages. */
  level: number;
}

export const PAGE_CHARACTERS = 20_000;
const PAGE_BLOCKS = 200;
/** The blank line between two blocks. */
const BLOCK_MARGIN = 2;

/**
 * Cuts a flow into pages: at each heading of the highest level that occurs more than once, and wherever a page would
 * exceed 20,000 characters or 200 blocks.
 */
export function outlinePages(blocks: readonly Block[]): Outline {
  const level = splitLevel(blocks);
  const starts = [0];
  // A title directly above the first chapter belongs to that chapter's page.
  let hasBody = false;
  let size = 0;
  let count = 0;
  for (const block of blocks) {
    const isChapter = block.level !== undefined && block.level <= level;
    const isFull = count >= PAGE_BLOCKS || (size > 0 && size + block.size + BLOCK_MARGIN > PAGE_CHARACTERS);
    if ((isChapter && hasBody) || isFull) {
      starts.push(block.at);
      hasBody = false;
      size = 0;
      count = 0;
    }
    hasBody ||= block.level === undefined;
    size += block.size + BLOCK_MARGIN;
    count += 1;
  }
  return { starts, level };
}

function splitLevel(blocks: readonly Block[]): number {
  const counts = new Map<number, number>();
  for (const { level } of blocks) if (level !== undefined) counts.set(level, (counts.get(level) ?? 0) + 1);
  const repeated = [...counts].filter(([, count]) => count > 1).map(([level]) => level);
  return repeated.length === 0 ? 1 : Math.min(...repeated);
}

/** Puts elements on pages, each as full as it may be. */
export function fillPages(all: readonly Element[], title: string): Page<IdentifiedElement>[] {
  const identifier = new Identifier();
  const pages: Page<IdentifiedElement>[] = [{ title, elements: [] }];
  let size = 0;
  for (const element of splitLong(all)) {
    const own = weight(element) + BLOCK_MARGIN;
    if (size > 0 && size + own > PAGE_CHARACTERS) {
      pages.push({ title: continued(pages.at(-1)?.title ?? title), elements: [] });
      size = 0;
    }
    size += own;
    pages.at(-1)?.elements.push(identifier.identify(element));
  }
  return pages;
}

/** Cuts elements into pages. Headers and footers do not count: they stay with the element beside them. */
export function paginate(all: readonly Element[], title: string): Page<IdentifiedElement>[] {
  const elements = splitLong(all);
  const { starts, level } = outlinePages(blocksOf(elements));
  const identifier = new Identifier();
  let pageTitle = title;
  return starts.map((start, index) => {
    const own = elements.slice(start, starts[index + 1]);
    pageTitle = titleOf(own, level) ?? (index === 0 ? title : continued(pageTitle));
    return { title: pageTitle, elements: own.map(element => identifier.identify(element)) };
  });
}

function blocksOf(elements: readonly Element[]): Block[] {
  const blocks: Block[] = [];
  for (const [at, element] of elements.entries()) {
    if (element.category === 'header' || element.category === 'footer') continue;
    blocks.push({ at, size: weight(element), level: levelOf(element) });
  }
  return blocks;
}

/** The heading that a page begins with; below a title, the one of its chapter. */
function titleOf(elements: readonly Element[], level: number): string | undefined {
  const begin = elements.findIndex(({ category }) => category !== 'heading' && category !== 'header');
  const top = elements.slice(0, begin < 0 ? elements.length : begin).filter(({ category }) => category === 'heading');
  const heading = top.findLast(element => (levelOf(element) ?? 0) <= level) ?? top[0];
  return heading && String(heading.content.text);
}

function levelOf({ category, content }: Element): number | undefined {
  return category === 'heading' && typeof content.level === 'number' ? content.level : undefined;
}

/** The title of a page that continues a chapter. */
export function continued(title: string): string {
  const match = /^(.*) \((\d+)\)$/s.exec(title);
  return match ? `${match[1]} (${Number(match[2]) + 1})` : `${title} (2)`;
}

/** Characters that the notation of a heading, a listing or a remark adds to its text. */
const NOTATION = 30;
/** Characters by which a number is longer as a cell in Markdown than in JSON. */
const CELL_NOTATION = 2;

/** The most characters of an element in its JSON form and in Markdown. */
function weight(element: Element): number {
  const { category, content } = element;
  const { text, items, headers, rows } = content;
  if (typeof text === 'string') return text.length + (category === 'text' ? 0 : NOTATION);
  const json = JSON.stringify(content).length;
  if (Array.isArray(items)) return isPlainList(content) ? json : Math.max(json, toMarkdown(element).length);
  const cells = Array.isArray(headers) && Array.isArray(rows) ? headers.length * (rows.length + 1) : 0;
  return json + cells * CELL_NOTATION;
}

/** True if a list is never longer in Markdown than in JSON, so that it need not be rendered to be measured. */
function isPlainList({ ordered, items, marks }: Element['content']): boolean {
  if (ordered === true && !Array.isArray(marks)) return false;
  // Levels below the first and further lines are indented.
  return (items as unknown[]).every(item => typeof item === 'string' && !item.startsWith(' ') && !item.includes('\n'));
}
