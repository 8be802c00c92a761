import type { Element } from '@a2c-smcp/publish/content';
import * as make from '@a2c-smcp/publish/content';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { parseHtml } from '../html/read.ts';
import { doubtfulEnd } from './doubtful-range.ts';
import { isBlank } from './lines.ts';
import { type SimpleBlock, simpleBlock } from './simple-blocks.ts';

/** Any node of the tree. */
type Node = ReturnType<typeof fromMarkdown>['children'][number];
type NodeOf<T extends Node['type']> = Extract<Node, { type: T }>;

const extensions = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** An element and the source it was made of. */
export interface ParsedElement {
  element: Element;
  source: string;
}

/** Characters that the parser replaces or drops, one of them only at the beginning of a text. */
const replaced = /[\0\r\uFEFF]/;

/**
 * The elements of a text in Markdown with GitHub's tables and task lists. Texts keep their inline notation.
 *
 * @param line the number of the first line of the text in its file
 * @param end the length of the text, without the targets of links that were appended to it
 */
export function parseMarkdown(text: string, line = 1, end = text.length): ParsedElement[] {
  const lines = text.slice(0, end).split('\n');
  const targets = text.slice(end);
  if (replaced.test(text)) return parseWhole(lines, line, targets);
  const rest = new Rest(targets);
  for (const { from, to, elements, isTargets } of blocksOf(lines)) {
    const own = lines.slice(from, to);
    if (elements === undefined) {
      rest.keep(own, line + from);
      continue;
    }
    const metadata = { first_line: line + from, last_line: line + to - 1 };
    const source = own.join('\n');
    const read = elements.map(element => ({ element: { ...element, metadata }, source }));
    rest.put(read, isTargets ? own : []);
  }
  return rest.parse() ?? parseWhole(lines, line, targets);
}

function parseWhole(lines: readonly string[], line: number, targets: string): ParsedElement[] {
  const whole = new Rest(targets);
  whole.keep(lines, line);
  return whole.parse() ?? [];
}

/**
 * The blocks of a text, as far as they leave no doubt; lines between them have to be parsed. The parser takes ten times as
 * long as all the rest, most of it for notation inside lines, which stays as it is written.
 */
function blocksOf(lines: readonly string[]): SimpleBlock[] {
  const blocks: SimpleBlock[] = [];
  for (let at = 0; at < lines.length; ) {
    if (isBlank(lines[at] ?? '')) {
      at += 1;
      continue;
    }
    const block = simpleBlock(lines, at) ?? { from: at, to: doubtfulEnd(lines, at) };
    const before = blocks.at(-1);
    if (before !== undefined && before.elements === undefined && block.elements === undefined) before.to = block.to;
    else blocks.push(block);
    at = block.to;
  }
  return blocks;
}

/** Ends every block before it. */
const PLACEHOLDER = '***';

/** The lines that have to be parsed, with a placeholder for the elements between them that need not. */
class Rest {
  readonly #lines: string[] = [];
  /** The number of each line in its file. */
  readonly #numbers: number[] = [];
  /** The elements that a placeholder stands for, by the number of its line. */
  readonly #elements = new Map<number, ParsedElement[]>();
  /** The lines of targets of links that were read, and still count for the other lines. */
  readonly #targets = new Set<number>();
  #isParsed = false;
  #last: ParsedElement[] | undefined;

  /** Targets that were appended to the text count from its beginning: at its end, a listing without an end would hold them. */
  constructor(targets: string) {
    const own = targets.trim();
    if (own !== '') this.#keepTargets(own.split('\n'));
  }

  keep(lines: readonly string[], number: number): void {
    this.#isParsed = true;
    this.#last = undefined;
    for (const [index, line] of lines.entries()) this.#keepLine(line, number + index);
  }

  put(elements: readonly ParsedElement[], targets: readonly string[]): void {
    if (this.#last === undefined) {
      const number = this.#numbers.at(-1) ?? 0;
      if (!isBlank(this.#lines.at(-1) ?? '')) this.#keepLine('', number);
      this.#keepLine(PLACEHOLDER, number);
      this.#last = [];
      this.#elements.set(this.#lines.length, this.#last);
    }
    for (const element of elements) this.#last.push(element);
    if (targets.length > 0) this.#keepTargets(targets);
  }

  /**
   * All elements in their order. They are parsed at once, because the targets of links in some lines count in others.
   * Undefined if a placeholder became part of a block, whose end was not where it seemed to be.
   */
  parse(): ParsedElement[] | undefined {
    if (!this.#isParsed) return this.#last ?? [];
    const text = this.#lines.join('\n');
    const nodes = parse(text).filter(({ position }) => !this.#targets.has(position?.start.line ?? 0));
    const placeholders = nodes.filter(
      ({ type, position }) => type === 'thematicBreak' && this.#elements.has(position?.start.line ?? 0),
    );
    if (placeholders.length < this.#elements.size) return undefined;
    return nodes.flatMap((node, index) => {
      const read = this.#elements.get(node.position?.start.line ?? 0);
      if (read !== undefined) return read;
      if (node.type !== 'definition') {
        const source = sliceOf(node, text);
        return toElements(node, text, this.#numbers).map(element => ({ element, source }));
      }
      return goesOn(node, nodes[index - 1]) ? [] : targetsOf(nodes.slice(index), text, this.#numbers);
    });
  }

  #keepTargets(lines: readonly string[]): void {
    for (const line of lines) {
      this.#keepLine(line, 0);
      this.#targets.add(this.#lines.length);
    }
    this.#keepLine('', 0);
  }

  #keepLine(line: string, number: number): void {
    this.#lines.push(line);
    this.#numbers.push(number);
  }
}

/** True for a target of links directly below another. */
function goesOn(node: Node, before: Node | undefined): boolean {
  const isBelow = before?.position?.end.line === (node.position?.start.line ?? 0) - 1;
  return isBelow && node.type === 'definition' && before?.type === 'definition';
}

/** The targets of links that stand together, as one text: without them `[words][target]` leads nowhere. */
function targetsOf(nodes: readonly Node[], text: string, numbers: readonly number[]): ParsedElement[] {
  const end = nodes.findIndex((node, index) => index > 0 && !goesOn(node, nodes[index - 1]));
  const group = nodes.slice(0, end < 0 ? nodes.length : end);
  // A picture in place of an address has no words.
  const shown = group.filter(node => node.type === 'definition' && !/^data:/i.test(node.url));
  const source = shown.map(node => sliceOf(node, text)).join('\n');
  const metadata = linesOf(group[0]?.position?.start.line, group.at(-1)?.position?.end.line, numbers);
  return source === '' ? [] : [{ element: { ...make.paragraph(source), metadata }, source }];
}

function sliceOf({ position }: Node, text: string): string {
  return text.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
}

/** The words of a heading without notation. */
export function headingWords(source: string): string {
  return parse(source).map(inlineText).join(' ').trim();
}

function parse(text: string): Node[] {
  return fromMarkdown(text, extensions).children;
}

function toElements(node: Node, source: string, numbers: readonly number[]): Element[] {
  const metadata = linesOf(node.position?.start.line, node.position?.end.line, numbers);
  return elementsOf(node, source, numbers).map(element => ({ ...element, metadata }));
}

/** The lines of an element in its file. One without an end goes on behind the last. */
function linesOf(first = 1, last = 1, numbers: readonly number[]) {
  return { first_line: numbers[first - 1], last_line: numbers[Math.min(last, numbers.length) - 1] };
}

function elementsOf(node: Node, source: string, numbers: readonly number[]): Element[] {
  switch (node.type) {
    case 'heading':
      return [make.heading(node.depth, linkedText(node).trim())];
    case 'paragraph':
      return paragraphElements(node, source);
    case 'code':
      return [make.code(node.value, node.lang ?? undefined)];
    case 'list':
      return [make.list(node.ordered === true, items(node, source, 0))];
    case 'table':
      return [tableElement(node)];
    case 'blockquote':
      return node.children.flatMap(child => toElements(child, source, numbers));
    case 'thematicBreak':
      return [make.other('separator', 'line')];
    case 'html':
      return parseHtml(node.value).elements;
    case 'footnoteDefinition':
      return [make.annotation(`${node.identifier}: ${linkedText(node)}`)];
    default:
      return [];
  }
}

/** A paragraph that is nothing but a picture or a link is that picture or link. */
function paragraphElements(node: NodeOf<'paragraph'>, source: string): Element[] {
  const [only, ...rest] = node.children;
  if (only !== undefined && rest.length === 0) {
    if (only.type === 'image') return [make.image(only.alt ?? '', only.url)];
    const isPicture = only.type === 'link' && only.children.some(({ type }) => type === 'image');
    if (only.type === 'link' && !isPicture) return [make.link(inlineText(only), only.url)];
  }
  return [make.paragraph(sourceOf(node, source))];
}

function tableElement({ children: [first, ...rest] }: NodeOf<'table'>): Element {
  const headers = first?.children.map(linkedText) ?? [];
  return make.table(
    headers,
    rest.map(row => row.children.map(linkedText)),
  );
}

function items(node: NodeOf<'list'>, source: string, level: number): make.ListItem[] {
  return node.children.flatMap((item, index) => {
    const mark = node.ordered === true ? `${(node.start ?? 1) + index}.` : '-';
    const own = item.children.filter(child => child.type !== 'list').map(child => sourceOf(child, source));
    const nested = item.children
      .filter(child => child.type === 'list')
      .flatMap(child => items(child, source, level + 1));
    const task = typeof item.checked === 'boolean' ? (item.checked ? '[x] ' : '[ ] ') : '';
    return [{ text: task + own.join('\n'), level, mark }, ...nested];
  });
}

/** Tags of HTML, and their ends, between which words are not joined. */
const separators = /^<\/?(?:br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|table|td|th|tr|ul)\b/i;

/** The words of a node without notation. */
function inlineText(node: Node): string {
  if (node.type === 'break') return '\n';
  if (node.type === 'html') return separators.test(node.value) ? '\n' : '';
  if ('value' in node) return node.value;
  if (node.type === 'image') return node.alt ?? '';
  return 'children' in node ? node.children.map(inlineText).join('') : '';
}

/** The words of a node, with the addresses of links and pictures. */
function linkedText(node: Node): string {
  if (node.type === 'image') return /^data:/i.test(node.url) ? (node.alt ?? '') : `![${node.alt ?? ''}](${node.url})`;
  if (node.type === 'html' && /^<(?:a|img)\s/i.test(node.value)) return node.value;
  if (!('children' in node)) return inlineText(node);
  const text = node.children.map(linkedText).join('');
  return node.type === 'link' && text !== node.url ? `[${text}](${node.url})` : text;
}

function sourceOf({ position }: Node, source: string): string {
  const { start, end } = position ?? {};
  return source
    .slice(start?.offset ?? 0, end?.offset ?? 0)
    .replace(/\n[ \t]*(?:>[ \t]?)*/g, '\n')
    .trim();
}
