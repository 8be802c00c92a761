import type { IdentifiedElement, Page } from '../../content/element.ts';
import { Identifier } from '../../content/identify.ts';
import { annotation } from '../../content/make.ts';
import type { Outline } from '../../content/outline.ts';
import { continued } from '../../content/paginate.ts';
import { openPlainText } from '../plain-text.ts';
import type { OpenReader } from '../reader.ts';
import { MAX_TEXT_BYTES, readText } from '../text-encoding.ts';
import { type MarkdownBlock, markdownBlocks } from './blocks.ts';
import { splitFrontMatter } from './front-matter.ts';
import { findFacts, outlineMarkdown, plainHeading } from './header.ts';
import { parseMarkdown } from './parse.ts';

/** Markdown: where pages begin is found by looking at the lines, and only the page that is asked for is parsed. */
export const openMarkdown: OpenReader = async (path, file) => {
  if (file.size > MAX_TEXT_BYTES) return openPlainText(path, file);
  const text = await readText(path);
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
  /** Where links lead that only name their target; a page needs those of all others. */
  readonly #targets: string;

  constructor(text: MarkdownText) {
    this.#text = text;
    this.#targets = (text.body.match(/^ {0,3}\[[^\]^][^\]]*\]:.*$/gm) ?? []).join('\n');
  }

  async read(index: number): Promise<Page<IdentifiedElement>> {
    const { body, outline, firstLine } = this.#text;
    const start = outline.starts[index];
    if (start === undefined) throw new TypeError(`No page ${index}`);
    const source = body.slice(start, outline.starts[index + 1]);
    const targets = this.#targets === '' ? '' : `\n\n${this.#targets}`;
    const parsed = parseMarkdown(source + targets, firstLine + countLines(body.slice(0, start)));
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

  async #title(index: number): Promise<string> {
    const { title, body, blocks, outline } = this.#text;
    const start = outline.starts[index] ?? 0;
    const top: MarkdownBlock[] = [];
    for (const block of blocks) {
      if (block.at < start) continue;
      if (block.kind !== 'heading' || block.at >= (outline.starts[index + 1] ?? body.length)) break;
      top.push(block);
    }
    const heading = top.findLast(({ level = 0 }) => level <= outline.level) ?? top[0];
    if (heading !== undefined) return plainHeading(body.slice(heading.at, heading.at + heading.size).trim());
    return index === 0 ? title : continued(await this.#title(index - 1));
  }
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
