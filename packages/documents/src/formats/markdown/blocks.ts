import type { Block } from '../../content/paginate.ts';

/** A block of Markdown by its lines; its content is not parsed. */
export interface MarkdownBlock extends Block {
  kind: 'heading' | 'paragraph' | 'other';
  /** Set if it begins with a tag. */
  isHtml?: boolean;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
const atx = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** The beginning of a block that is not a paragraph: lists, quotes, tables, HTML, indented code, pictures. */
const notProse = /^(?: {4}|\t| {0,3}(?:[-*+][ \t]|\d{1,9}[.)][ \t]|>|\||<|!\[|\[\^))/;
/** A tag, at which HTML may be cut. */
const tag = /^\s*<[a-z/]/i;
/** Characters after which prose and HTML without blank lines go on in another block, so that a page can end between them. */
const MAX_BLOCK_CHARACTERS = 8000;
const invisible = /^ {0,3}(?:<!--|\[[^\]^][^\]]*\]:)/;

/**
 * The blocks of a text in Markdown, as blank lines, headings and fences separate them. Ambiguous notation is read in the
 * simplest way, since these blocks only decide where pages begin.
 */
export function markdownBlocks(body: string): MarkdownBlock[] {
  const scanner = new Scanner();
  let end = 0;
  for (let at = 0; at < body.length; at = end + 1) {
    end = body.indexOf('\n', at);
    if (end < 0) end = body.length;
    scanner.line(body.slice(at, end), at);
  }
  return scanner.finish(body.length);
}

class Scanner {
  readonly #blocks: MarkdownBlock[] = [];
  /** The block that lines are added to, until a blank line or another kind of block. */
  #open: MarkdownBlock | undefined;
  /** Recognises the line that ends the current listing or comment. */
  #until: ((line: string) => boolean) | undefined;

  line(line: string, at: number): void {
    if (this.#until !== undefined) {
      if (this.#until(line)) this.#until = undefined;
      return;
    }
    if (line.trim() === '') {
      this.#open = undefined;
      return;
    }
    const marks = atx.exec(line)?.[1];
    if (marks !== undefined) {
      this.#begin({ at, size: 0, kind: 'heading', level: marks.length });
      this.#open = undefined;
      return;
    }
    if (this.#open?.kind === 'paragraph' && underline.test(line)) {
      this.#open.kind = 'heading';
      this.#open.level = line.includes('=') ? 1 : 2;
      this.#open = undefined;
      return;
    }
    if (this.#isLong(line, at)) this.#open = undefined;
    this.#until = endOf(line);
    const isListing = fence.test(line);
    // Comments and the targets of links show nothing, and what is indented belongs to the item of a list above it.
    const isInvisible = this.#open === undefined && (invisible.test(line) || this.#goesOn(line, at));
    if (!isInvisible && (isListing || this.#open === undefined)) {
      const kind = isListing || notProse.test(line) ? 'other' : 'paragraph';
      this.#begin({ at, size: 0, kind, isHtml: tag.test(line) });
    }
    if (isListing) this.#open = undefined;
  }

  finish(end: number): MarkdownBlock[] {
    for (const [index, block] of this.#blocks.entries()) block.size = (this.#blocks[index + 1]?.at ?? end) - block.at;
    return this.#blocks;
  }

  #goesOn(line: string, at: number): boolean {
    const before = this.#blocks.at(-1);
    if (before === undefined || before.kind !== 'other' || !/^(?: {2}|\t)/.test(line)) return false;
    return !(before.isHtml && at - before.at > MAX_BLOCK_CHARACTERS);
  }

  /** True if the open block has grown too long, and ends before this line without harm. */
  #isLong(line: string, at: number): boolean {
    if (this.#open === undefined || at - this.#open.at <= MAX_BLOCK_CHARACTERS) return false;
    return this.#open.kind === 'paragraph' || (this.#open.isHtml === true && tag.test(line));
  }

  #begin(block: MarkdownBlock): void {
    this.#blocks.push(block);
    this.#open = block;
  }
}

/** A test for the line that ends the listing or comment which this line begins, if it begins one. */
function endOf(line: string): ((line: string) => boolean) | undefined {
  const marks = fence.exec(line)?.[1];
  if (marks !== undefined) {
    return next => {
      const closing = next.trim();
      return closing.length >= marks.length && closing === marks.charAt(0).repeat(closing.length);
    };
  }
  return /^ {0,3}<!--(?!.*-->)/.test(line) ? next => next.includes('-->') : undefined;
}
