import {
  annotation,
  code,
  type Element,
  type IdentifiedElement,
  Identifier,
  type Page,
  shorten,
} from '@a2c-smcp/publish/content';
import { type Block, continued, type Outline, outlinePages } from '../../content/paginate.ts';
import { splitLong } from '../../content/split.ts';
import { type DocumentFacts, type OpenReader, SMALL_TEXT_BYTES } from '../reader.ts';
import { MAX_TEXT_BYTES, readText } from '../text/encoding.ts';
import { openPlainText } from '../text/read.ts';
import { type MarkdownBlock, markdownBlocks } from './blocks.ts';
import { splitFrontMatter } from './front-matter.ts';
import { excessOf } from './limits.ts';
import { headingWords, type ParsedElement, parseMarkdown } from './parse.ts';
import { plainWords } from './words.ts';

/** Parsing a heading takes time by the square of its length. */
const MAX_HEADING_CHARACTERS = 1000;

/**
 * Markdown: its lines decide where pages begin, and only the requested page is parsed, because the parser takes time by
 * the square of the length of a text.
 */
export const openMarkdown: OpenReader = async file => {
  if (file.size > MAX_TEXT_BYTES) return openPlainText(file);
  const text = await readText(file);
  const { facts, header, body } = splitFrontMatter(text);
  const blocks = markdownBlocks(body);
  const outline = outlinePages([...headerBlock(header), ...blocks]);
  const complete = { ...findFacts(blocks, body), ...facts };
  const firstLine = countLines(text.slice(0, text.length - body.length)) + 1;
  const pages = new MarkdownPages({ header, body, blocks, outline, firstLine, title: complete.title ?? file.name });
  return {
    facts: complete,
    pageCount: outline.starts.length,
    isWhole: file.size <= SMALL_TEXT_BYTES,
    page: async index => pages.read(index),
    async close() {},
  };
};

interface MarkdownText {
  title: string;
  /** In YAML, shown on the first page. */
  header: string;
  body: string;
  blocks: readonly MarkdownBlock[];
  outline: Outline;
  /** The number of the first line of the body in the file. */
  firstLine: number;
}

class MarkdownPages {
  readonly #text: MarkdownText;
  readonly #targets: LinkTargets;
  /** The repetitions of the blocks before `start`, of which `next` is the first that is not counted. */
  #counted = { start: 0, next: 0, counts: new Map<string, number>() };

  constructor(text: MarkdownText) {
    this.#text = text;
    this.#targets = new LinkTargets(text.body);
  }

  read(index: number): Page<IdentifiedElement> {
    const { body, outline, firstLine } = this.#text;
    const start = outline.starts[index];
    if (start === undefined) throw new TypeError(`No page ${index}`);
    const source = body.slice(start, outline.starts[index + 1]);
    const line = firstLine + countLines(body.slice(0, start));
    const excess = excessOf(source);
    const found =
      excess === undefined
        ? parseMarkdown(source + this.#targets.of(source), line, source.length)
        : plain(source, excess);
    const parsed = found.flatMap(({ element, source: own }) =>
      splitLong([element]).map(part => ({ element: part, source: own })),
    );
    const earlier = this.#repetitions(start);
    const identifier = new Identifier();
    const elements = [
      ...(index === 0 ? this.#header() : []).map(element => identifier.identify(element)),
      ...parsed.map(({ element, source: own }) => identifier.identify(element, earlier.get(own.trim()))),
    ];
    const isEmpty = elements.length === 0 && index > 0;
    const goesOn = annotation('An element of the page before goes on');
    return { title: this.#title(index), elements: isEmpty ? [identifier.identify(goesOn)] : elements };
  }

  #header(): readonly Element[] {
    const { header, firstLine } = this.#text;
    if (header.trim() === '') return [];
    return splitLong([{ ...code(header, 'yaml'), metadata: { first_line: 1, last_line: firstLine - 1 } }]);
  }

  /** Counts each block on earlier pages, so that repetitions get ids of their own. Pages are mostly read in their order. */
  #repetitions(start: number): ReadonlyMap<string, number> {
    const { blocks, body } = this.#text;
    if (start < this.#counted.start) this.#counted = { start: 0, next: 0, counts: new Map() };
    const { counts } = this.#counted;
    let { next } = this.#counted;
    for (let block = blocks[next]; block !== undefined && block.at < start; block = blocks[next]) {
      const source = body.slice(block.at, block.at + block.size).trim();
      counts.set(source, (counts.get(source) ?? 0) + 1);
      next += 1;
    }
    this.#counted = { start, next, counts };
    return counts;
  }

  /** The heading of the page, or of the last page before it that has one, with the number of pages since. */
  #title(index: number): string {
    const { title, body } = this.#text;
    let begin = index;
    while (begin > 0 && this.#heading(begin) === undefined) begin -= 1;
    const heading = this.#heading(begin);
    let found = heading === undefined ? title : plainHeading(body.slice(heading.at, heading.at + heading.size).trim());
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

/** Takes its share of the first page, and is neither a heading that begins pages nor a text that ends a title. */
function headerBlock({ length }: string): Block[] {
  return length === 0 ? [] : [{ at: 0, size: length, level: 7 }];
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

/** A page that exceeds the limits of the parser, as it is written. */
function plain(source: string, excess: string): ParsedElement[] {
  const remark = annotation(`This page is shown as it is written: ${excess}`);
  return [
    { element: remark, source: '' },
    { element: code(source, 'markdown'), source },
  ];
}

/** Title and summary from the first heading and the first paragraph. */
function findFacts(blocks: readonly MarkdownBlock[], body: string): DocumentFacts {
  const sourceOf = (kind: MarkdownBlock['kind']) => {
    const block = blocks.find(candidate => candidate.kind === kind);
    return block && body.slice(block.at, block.at + block.size).trim();
  };
  const heading = sourceOf('heading');
  const summary = sourceOf('paragraph');
  return {
    ...(heading !== undefined && { title: shorten(plainHeading(heading), 200) }),
    ...(summary !== undefined && { summary: shorten(summary, 200) }),
  };
}

/** The words of a heading, or of its beginning. Only one with notation in it is parsed. */
function plainHeading(whole: string): string {
  const source = whole.slice(0, MAX_HEADING_CHARACTERS);
  const [line = ''] = source.replace(/^#{1,6}[ \t]*/, '').split('\n', 1);
  const words = line.replace(/[ \t]+#+[ \t]*$/, '').trim();
  if (!/[*_`[\]<>&\\~:@]|www\./.test(words)) return words;
  const plain = source.startsWith('#') ? plainWords(words) : undefined;
  return plain === undefined || plain.includes('](') ? headingWords(source) : plain.trim();
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

const definition = /^ {0,3}\[([^\]^][^\]]*)\]:.*$/gm;
const label = /\[([^[\]]+)\]/g;

/** Definitions of link targets: a page needs those that it refers to, wherever they stand in the text. */
export class LinkTargets {
  readonly #definitions = new Map<string, string>();

  constructor(body: string) {
    for (const [line, name = ''] of body.matchAll(definition)) {
      const key = normalized(name);
      // Of several definitions the first counts.
      if (!this.#definitions.has(key)) this.#definitions.set(key, line);
    }
  }

  /** The definitions that a text needs, to be put at its end. */
  of(text: string): string {
    if (this.#definitions.size === 0) return '';
    const names = new Set([...text.matchAll(label)].map(([, name = '']) => normalized(name)));
    const lines = [...names].flatMap(name => this.#definitions.get(name) ?? []);
    return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`;
  }
}

/** Names are compared without regard to case and white space. */
function normalized(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}
