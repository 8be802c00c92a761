import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Element } from '../content/element.ts';
import * as make from '../content/make.ts';
import { flowDocument } from './flow.ts';
import { openPlainText } from './plain-text.ts';
import type { DocumentFacts, OpenReader } from './reader.ts';
import { MAX_TEXT_BYTES, readText } from './text-encoding.ts';

/** A node of the tree, of whatever kind. */
type Node = ReturnType<typeof fromMarkdown>['children'][number];
type NodeOf<T extends Node['type']> = Extract<Node, { type: T }>;

/** Markdown with GitHub's tables and task lists. Text elements keep their inline notation. */
export const openMarkdown: OpenReader = async (path, file) => {
  if (file.size > MAX_TEXT_BYTES) return openPlainText(path, file);
  const { facts, body } = splitFrontMatter(await readText(path));
  const tree = fromMarkdown(body, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const elements = tree.children.flatMap(node => toElements(node, body));
  return flowDocument(elements, facts, file.name);
};

/** Reads the simple lines of a YAML header: title, description, and keywords or tags. */
export function splitFrontMatter(text: string): { facts: DocumentFacts; body: string } {
  const match = /^\uFEFF?---\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(text);
  if (match?.[1] === undefined) return { facts: {}, body: text };
  const fields = new Map(
    [...match[1].matchAll(/^(\w+):[ \t]*(.+)$/gm)].map(([, key = '', value = '']) => [
      key.toLowerCase(),
      unquote(value),
    ]),
  );
  const title = fields.get('title');
  const summary = fields.get('description') ?? fields.get('summary');
  const keywords = (fields.get('keywords') ?? fields.get('tags'))?.replace(/^\[|\]$/g, '').split(',');
  return {
    facts: {
      ...(title !== undefined && { title }),
      ...(summary !== undefined && { summary }),
      ...(keywords !== undefined && { keywords: keywords.map(keyword => unquote(keyword.trim())).filter(Boolean) }),
    },
    body: text.slice(match[0].length),
  };
}

function unquote(value: string): string {
  return value.trim().replace(/^(['"])(.*)\1$/, '$2');
}

function toElements(node: Node, source: string): Element[] {
  const metadata = node.position && { first_line: node.position.start.line, last_line: node.position.end.line };
  return elementsOf(node, source).map(element => ({ ...element, ...(metadata && { metadata }) }));
}

function elementsOf(node: Node, source: string): Element[] {
  switch (node.type) {
    case 'heading':
      return [make.heading(node.depth, inlineText(node))];
    case 'paragraph':
      return paragraphElements(node, source);
    case 'code':
      return [make.code(node.value, node.lang ?? undefined)];
    case 'list':
      return [make.list(node.ordered === true, items(node, source, 0))];
    case 'table':
      return [tableElement(node)];
    case 'blockquote':
      return node.children.flatMap(child => toElements(child, source));
    case 'thematicBreak':
      return [make.other('separator', 'line')];
    case 'html':
      return /^\s*<!--/.test(node.value) ? [] : [make.code(node.value, 'html')];
    case 'footnoteDefinition':
      return [make.annotation(`${node.identifier}: ${inlineText(node)}`)];
    default:
      return [];
  }
}

/** A paragraph that is nothing but a picture or a link is that picture or link. */
function paragraphElements(node: NodeOf<'paragraph'>, source: string): Element[] {
  const [only, ...rest] = node.children;
  if (only !== undefined && rest.length === 0) {
    if (only.type === 'image') return [make.image(only.alt ?? '', only.url)];
    if (only.type === 'link') return [make.link(inlineText(only), only.url)];
  }
  return [make.paragraph(sourceOf(node, source))];
}

function tableElement({ children: [first, ...rest] }: NodeOf<'table'>): Element {
  const headers = first?.children.map(inlineText) ?? [];
  return make.table(
    headers,
    rest.map(row => row.children.map(inlineText)),
  );
}

function items(node: NodeOf<'list'>, source: string, level: number): make.ListItem[] {
  return node.children.flatMap(item => {
    const own = item.children.filter(child => child.type !== 'list').map(child => sourceOf(child, source));
    const nested = item.children
      .filter(child => child.type === 'list')
      .flatMap(child => items(child, source, level + 1));
    const task = typeof item.checked === 'boolean' ? (item.checked ? '[x] ' : '[ ] ') : '';
    return [{ text: task + own.join('\n'), level }, ...nested];
  });
}

/** The words of a node without notation. */
function inlineText(node: Node): string {
  if (node.type === 'break') return '\n';
  if ('value' in node) return node.value;
  if (node.type === 'image') return node.alt ?? '';
  return 'children' in node ? node.children.map(inlineText).join('') : '';
}

function sourceOf({ position }: Node, source: string): string {
  const { start, end } = position ?? {};
  return source
    .slice(start?.offset ?? 0, end?.offset ?? 0)
    .replace(/\n[ \t]*(?:>[ \t]?)*/g, '\n')
    .trim();
}
