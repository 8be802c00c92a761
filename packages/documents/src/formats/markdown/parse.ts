import type { Element } from '@a2c-smcp/publish/content';
import * as make from '@a2c-smcp/publish/content';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { parseHtml } from '../html/read.ts';

/** Any node of the tree. */
type Node = ReturnType<typeof fromMarkdown>['children'][number];
type NodeOf<T extends Node['type']> = Extract<Node, { type: T }>;

const extensions = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** An element and the source it was made of. */
export interface ParsedElement {
  element: Element;
  source: string;
}

/**
 * The elements of a text in Markdown with GitHub's tables and task lists. Texts keep their inline notation.
 *
 * @param line the number of the first line of the text in its file
 * @param end the length of the text, without the targets of links that were appended to it
 */
export function parseMarkdown(text: string, line = 1, end = text.length): ParsedElement[] {
  const own = parse(text).filter(({ position }) => (position?.start.offset ?? 0) < end);
  return own.flatMap((node, index, nodes) => {
    const source = sliceOf(node, text);
    if (node.type === 'definition')
      return goesOn(node, nodes[index - 1]) ? [] : targets(nodes.slice(index), text, line);
    return toElements(node, text, line).map(element => ({ element, source }));
  });
}

/** True for a target of links directly below another. */
function goesOn(node: Node, before: Node | undefined): boolean {
  const isBelow = before?.position?.end.line === (node.position?.start.line ?? 0) - 1;
  return isBelow && node.type === 'definition' && before?.type === 'definition';
}

/** The targets of links that stand together, as one text: without them `[words][target]` leads nowhere. */
function targets(nodes: readonly Node[], text: string, line: number): ParsedElement[] {
  const end = nodes.findIndex((node, index) => index > 0 && !goesOn(node, nodes[index - 1]));
  const group = nodes.slice(0, end < 0 ? nodes.length : end);
  // A picture in place of an address has no words.
  const shown = group.filter(node => node.type === 'definition' && !/^data:/i.test(node.url));
  const source = shown.map(node => sliceOf(node, text)).join('\n');
  const [start, last] = [group[0]?.position?.start.line ?? 1, group.at(-1)?.position?.end.line ?? 1];
  const metadata = { first_line: start + line - 1, last_line: last + line - 1 };
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

function toElements(node: Node, source: string, line: number): Element[] {
  const { start, end } = node.position ?? {};
  const metadata = start && end && { first_line: start.line + line - 1, last_line: end.line + line - 1 };
  return elementsOf(node, source, line).map(element => ({ ...element, ...(metadata && { metadata }) }));
}

function elementsOf(node: Node, source: string, line: number): Element[] {
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
      return node.children.flatMap(child => toElements(child, source, line));
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

/** The words of a node without notation. */
function inlineText(node: Node): string {
  if (node.type === 'break') return '\n';
  if (node.type === 'html') return /^<br\b/i.test(node.value) ? '\n' : '';
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
