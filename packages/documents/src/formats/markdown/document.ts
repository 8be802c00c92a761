import type { IdentifiedElement, Page } from '../../content/element.ts';
import { Identifier } from '../../content/identify.ts';
import { annotation, code } from '../../content/make.ts';
import type { Outline } from '../../content/outline.ts';
import { continued } from '../../content/paginate.ts';
import { openPlainText } from '../plain-text.ts';
import type { OpenReader } from '../reader.ts';
import { MAX_TEXT_BYTES, readText } from '../text-encoding.ts';
import { type MarkdownBlock, markdownBlocks } from './blocks.ts';
import { splitFrontMatter } from './front-matter.ts';
import { findFacts, outlineMarkdown, plainHeading } from './header.ts';
import { excessOf } from './limits.ts';
import { LinkTargets } from './link-targets.ts';
import { type ParsedElement, parseMarkdown } from './parse.ts';

/** Markdown: where pages begin is found by looking at the lines, and only the page that is asked for is parsed. */
export const openMarkdown: OpenReader = async file => {
  if (file.size > MAX_TEXT_BYTES) return openPlainText(file);
  const text = await readText(file);
  const { facts, body } = splitFrontMatter(text);
  const blocks = markdownBlocks(body);
  const outline = outlineMarkdown(blocks, file.size);
  const complete = { ...(await findFacts(blocks, body)), ...facts };
  const firstLine = countLines(text.slice(0, text.length - body.length)) + 1;
  const pages = new MarkdownPages({ body, blocks, outline, firstLine, title: complete.title ?? file.name });
  return {
    facts: complete,
    pageCount: outline.starts.length,
    page: index => pages.read(index),
    async close() {},
  };
};

interface MarkdownText {
  title: string;
  body: string;
  blocks: readonly MarkdownBlock[];
  outline: Outline;
  /** The number of the first line of the body in the file. */
  firstLine: number;
}

class MarkdownPages {
  readonly #text: MarkdownText;
  readonly #targets: LinkTargets;

  constructor(text: MarkdownText) {
    this.#text = text;
    this.#targets = new LinkTargets(text.body);
  }

  async read(index: number): Promise<Page<IdentifiedElement>> {
    const { body, outline, firstLine } = this.#text;
    const start = outline.starts[index];
    if (start === undefined) throw new TypeError(`No page ${index}`);
    const source = body.slice(start, outline.starts[index + 1]);
    const line = firstLine + countLines(body.slice(0, start));
    const excess = excessOf(source);
    const parsed =
      excess === undefined ? parseMarkdown(source + this.#targets.of(source), line) : plain(source, excess);
    const earlier = this.#saidBefore(start);
    const identifier = new Identifier();
    const elements = parsed.map(({ element, source: own }) => identifier.identify(element, earlier.get(own.trim())));
    const isEmpty = elements.length === 0 && index > 0;
    const goesOn = annotation('An element of the page before goes on');
    return { title: await this.#title(index), elements: isEmpty ? [identifier.identify(goesOn)] : elements };
  }

  /** How often each block was said on earlier pages, so that repetitions are told apart. */
  #saidBefore(start: number): Map<string, number> {
    const said = new Map<string, number>();
    for (const { at, size } of this.#text.blocks) {
      if (at >= start) break;
      const source = this.#text.body.slice(at, at + size).trim();
      said.set(source, (said.get(source) ?? 0) + 1);
    }
    return said;
  }

  /** The heading of the page, or of the last page before it that has one, with the number of pages since. */
  async #title(index: number): Promise<string> {
    const { title, body } = this.#text;
    let begin = index;
    while (begin > 0 && this.#heading(begin) === undefined) begin -= 1;
    const heading = this.#heading(begin);
    let found =
      heading === undefined ? title : await plainHeading(body.slice(heading.at, heading.at + heading.size).trim());
    for (let page = begin; page < index; page += 1) found = continued(found);
    return found;
  }

  /** The heading that a page begins with; below a title, the one of its chapter. */
  #heading(index: number): MarkdownBlock | undefined {
    const { blocks, outline, body } = this.#text;
    const end = outline.starts[index + 1] ?? body.length;
    const top: MarkdownBlock[] = [];
    for (let at = firstFrom(blocks, outline.starts[index] ?? 0); at < blocks.length; at += 1) {
      const block = blocks[at];
      if (block === undefined || block.kind !== 'heading' || block.at >= end) break;
      top.push(block);
    }
    return top.findLast(({ level = 0 }) => level <= outline.level) ?? top[0];
  }
}

/** The index of the first block at or after an offset. */
function firstFrom(blocks: readonly MarkdownBlock[], offset: number): number {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blocks[middle]?.at ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A page that is too much for the parser, as it is written. */
function plain(source: string, excess: string): ParsedElement[] {
  const remark = annotation(`This page is shown as it is written: ${excess}`);
  return [
    { element: remark, source: '' },
    { element: code(source, 'markdown'), source },
  ];
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
