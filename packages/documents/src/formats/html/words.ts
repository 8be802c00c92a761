import { Marks } from './marks.ts';
import type { HtmlNode } from './tree.ts';

/** Stands for `<br>` until white space is collapsed. */
export const LINE_BREAK = '\u2028';

/** The text of a node as a browser shows it, `<br>` as a line break. */
export function words(node: HtmlNode | undefined): string {
  return collapse(textOf(node));
}

/** The text of a node with its white space. Blocks are on lines of their own. */
export function textOf(node: HtmlNode | undefined): string {
  if (node === undefined) return '';
  const { children } = node;
  if (children === undefined) return node.data ?? '';
  // Most elements hold a single text.
  if (children.length === 1 && children[0]?.data !== undefined) return children[0].data;
  const collected = new CollectedText();
  collected.addAll(children);
  return collected.text;
}

/** Knows how its text ends: to look at the end of a text that grows copies all of it. */
class CollectedText {
  text = '';
  /** True if nothing was added since the innermost element that is part of a line began, or a line has ended. */
  #isNewLine = true;

  /** @param marks the numbers of the items, if the nodes are those of an ordered list */
  addAll(nodes: readonly HtmlNode[], marks?: Marks): void {
    let before: HtmlNode | undefined;
    for (const node of nodes) {
      if (node.name === 'li' && marks !== undefined) this.#beginItem(marks.next(node));
      const text = shiftedText(node, before);
      if (text === undefined) this.#addNode(node);
      else this.#add(text);
      before = node;
    }
  }

  #addNode(node: HtmlNode): void {
    const { data, name, kind, attribs, children = [] } = node;
    if (data !== undefined) {
      this.#add(data);
      return;
    }
    switch (kind) {
      case 'invisible':
        break;
      case 'break':
        this.#add(LINE_BREAK);
        break;
      case 'image':
        if (attribs?.alt) this.#add(` ${attribs.alt} `);
        break;
      case 'block':
      case 'heading':
      case 'line':
      case 'list':
      case 'preformatted':
      case 'table':
        if (!this.#isNewLine) this.#add('\n');
        this.addAll(children, name === 'ol' ? new Marks(node) : undefined);
        this.#add('\n');
        break;
      default:
        this.#addInline(children);
    }
  }

  #addInline(children: readonly HtmlNode[]): void {
    const { length } = this.text;
    const isNewLine = this.#isNewLine;
    this.#isNewLine = true;
    this.addAll(children);
    if (this.text.length === length) this.#isNewLine = isNewLine;
  }

  /** The first block of an item is on the line of its number. */
  #beginItem(mark: string): void {
    this.#add(this.#isNewLine ? `${mark} ` : `\n${mark} `);
    this.#isNewLine = true;
  }

  #add(text: string): void {
    if (text === '') return;
    this.text += text;
    this.#isNewLine = text.endsWith('\n');
  }
}

const MAX_RAISED = 12;
const MAX_RAISED_NODES = 20;
const MAX_LAST_DEPTH = 5;

/**
 * The text of a short raised or lowered node: `^6` of a number or sign as in `10^6`, which would be 106 without the `^`.
 * Undefined if it is read as other nodes are.
 */
export function shiftedText(node: HtmlNode, before: HtmlNode | undefined): string | undefined {
  if ((node.kind !== 'raised' && node.kind !== 'lowered') || !isShort(node)) return undefined;
  const text = textOf(node).trim();
  return node.kind === 'raised' ? powerOf(text, lastText(before)) : indexOf(text, lastText(before));
}

/** True for text of a few characters. Reading more of it at each level of nodes in one another would take seconds. */
function isShort(node: HtmlNode): boolean {
  const nodes = [node];
  let characters = 0;
  for (const { data = '', children = [] } of nodes) {
    characters += data.length;
    if (characters > MAX_RAISED || nodes.length + children.length > MAX_RAISED_NODES) return false;
    nodes.push(...children);
  }
  return true;
}

/** Several numbers, signs or letters: `n − 1`, or the notes `1, 2`. */
const several = /^[\p{L}\p{N}]{1,4}(?:\s?[,;+−–-]\s?[\p{L}\p{N}]{1,4})+$/u;

/**
 * Raised text behind other text as `^6` if it is a number, a sign or a letter, or several, and not the end of a word such as
 * `1st` or `Mlle`.
 */
function powerOf(text: string, before: string): string | undefined {
  if (!/[\p{L}\p{N})]$/u.test(before)) return undefined;
  if (/\d$/.test(before) && /^(?:st|nd|rd|th|er?|re|de|nde|[eè]me|[oaºª])$/i.test(text)) return undefined;
  if (/^(?:\p{L}|[\p{L}\p{N}]*[\p{N}+−-][\p{L}\p{N}+−-]*)$/u.test(text)) return `^${text}`;
  if (!several.test(text)) return undefined;
  return /\s/.test(text) ? `^(${text})` : `^${text}`;
}

/** Lowered text as `_1` behind a small letter; behind others it is part of a formula such as `H2O` or `NOx`. */
function indexOf(text: string, before: string): string | undefined {
  const isIndex = /^[\p{L}\p{N}]+$/u.test(text) && /(?:^|\P{Lu})\p{Ll}$/u.test(before);
  return isIndex ? `_${text}` : undefined;
}

/** The end of the text of a node. The text that was read so far has it, too, but looking at its end would copy it. */
function lastText(node: HtmlNode | undefined): string {
  let last = node;
  for (let depth = 0; last?.children !== undefined && depth < MAX_LAST_DEPTH; depth += 1) last = last.children.at(-1);
  return last?.data?.slice(-2) ?? '';
}

const unusualSpace = /[\t\n\r\f\u2028]| {2}/;

/** White space means nothing in HTML. */
export function collapse(text: string): string {
  if (!unusualSpace.test(text)) return text.trim();
  return text
    .replace(/[ \t\n\r\f]+/g, ' ')
    .replace(/ ?\u2028 ?/g, '\n')
    .trim();
}
