import { parseDocument } from 'htmlparser2';
import type { Element } from '../../content/element.ts';
import * as make from '../../content/make.ts';
import type { Placed } from '../../content/paginate.ts';
import type { DocumentFacts } from '../reader.ts';

/** The nodes of htmlparser2 as far as they are used here. */
interface HtmlNode {
  type: string;
  /** Where it begins in the file. */
  startIndex?: number | null;
  data?: string;
  name?: string;
  attribs?: Record<string, string>;
  children?: HtmlNode[];
}

/** What a file says of itself in its head, and the elements of its body. */
export function parseHtml(text: string): { facts: DocumentFacts; placed: Placed[] } {
  const root = parseDocument(text, { withStartIndices: true }) as HtmlNode;
  const title = textOf(find(root, 'title')).trim();
  const description = metaContent(root, 'description');
  const keywords = metaContent(root, 'keywords')
    ?.split(',')
    .map(keyword => keyword.trim())
    .filter(Boolean);
  const facts = {
    ...(title !== '' && { title }),
    ...(description !== undefined && { summary: description }),
    ...(keywords !== undefined && { keywords }),
  };
  return { facts, placed: new HtmlReader().read(find(root, 'body') ?? root) };
}

const invisible = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'iframe', 'object']);
const blocks = new Set(
  (
    'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'header html legend li main nav p section summary td th tr tbody thead tfoot'
  ).split(' '),
);

/** Walks the tree and gathers loose text into paragraphs until a block begins or ends. */
class HtmlReader {
  readonly #placed: Placed[] = [];
  #loose = '';
  /** Where the loose text begins. */
  #looseAt = 0;

  read(node: HtmlNode): Placed[] {
    this.#children(node);
    this.#flush();
    return this.#placed;
  }

  #children({ children = [] }: HtmlNode): void {
    for (const child of children) this.#visit(child);
  }

  #visit(node: HtmlNode): void {
    if (this.#loose.trim() === '') this.#looseAt = node.startIndex ?? this.#looseAt;
    if (node.type === 'text') this.#loose += node.data ?? '';
    if (node.name === undefined || invisible.has(node.name)) return;
    const { name, attribs = {} } = node;
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level !== undefined) this.#push(node, make.heading(Number(level), words(node)));
    else if (name === 'br') this.#loose += '\u2028';
    else if (name === 'ul' || name === 'ol') this.#push(node, make.list(name === 'ol', items(node, 0)));
    else if (name === 'table') this.#push(node, tableElement(node));
    else if (name === 'pre') this.#push(node, make.code(textOf(node).replaceAll('\u2028', '\n'), languageOf(node)));
    else if (name === 'img') this.#push(node, make.image(attribs.alt ?? '', safeUrl(attribs.src)));
    else if (name === 'hr') this.#push(node, make.other('separator', 'line'));
    else if (name === 'audio' || name === 'video')
      this.#push(node, make.other(name, attribs.title ?? attribs.src ?? name));
    else if (name === 'svg') this.#push(node, make.other('diagram', words(find(node, 'title'))));
    else if (name === 'input' || name === 'select' || name === 'button')
      this.#push(node, make.other('widget', widget(node)));
    else if (name === 'a') this.#anchor(node);
    else if (blocks.has(name)) {
      this.#flush();
      this.#children(node);
      this.#flush();
    } else this.#children(node);
  }

  /** A link inside a sentence is part of the sentence; its address follows its words. */
  #anchor(node: HtmlNode): void {
    const url = safeUrl(node.attribs?.href);
    const text = words(node);
    if (url === undefined || text === '') this.#children(node);
    else this.#loose += `[${text}](${url})`;
  }

  #push({ startIndex }: HtmlNode, element: Element): void {
    this.#flush();
    const { text, items: entries } = element.content;
    const isEmpty = text === '' || (Array.isArray(entries) && entries.length === 0);
    if (!isEmpty) this.#placed.push({ at: startIndex ?? this.#looseAt, element });
  }

  #flush(): void {
    const text = collapse(this.#loose);
    this.#loose = '';
    if (text === '') return;
    const onlyLink = /^\[([^[\]]+)\]\((\S+)\)$/.exec(text);
    const [, label, url] = onlyLink ?? [];
    const element = label !== undefined && url !== undefined ? make.link(label, url) : make.paragraph(text);
    this.#placed.push({ at: this.#looseAt, element });
  }
}

function items(node: HtmlNode, level: number): make.ListItem[] {
  return (node.children ?? []).flatMap(child => {
    if (child.name === 'ul' || child.name === 'ol') return items(child, level + 1);
    if (child.name !== 'li') return [];
    const nested = (child.children ?? []).filter(({ name }) => name === 'ul' || name === 'ol');
    const own = { ...child, children: (child.children ?? []).filter(part => !nested.includes(part)) };
    return [{ text: words(own), level }, ...nested.flatMap(part => items(part, level + 1))];
  });
}

function tableElement(node: HtmlNode): Element {
  const rows = all(node, 'tr').map(row => (row.children ?? []).filter(({ name }) => name === 'td' || name === 'th'));
  const [first = [], ...rest] = rows;
  const hasHeader = first.length > 0 && first.every(({ name }) => name === 'th');
  const width = Math.max(0, ...rows.map(row => row.length));
  const headers = Array.from({ length: width }, (_, column) =>
    hasHeader ? words(first[column]) : `Column ${column + 1}`,
  );
  const body = (hasHeader ? rest : rows).map(row => headers.map((_, column) => words(row[column])));
  return make.table(headers, body, words(find(node, 'caption')) || undefined);
}

/** What a person would call a control; nothing if it has no name. */
function widget(node: HtmlNode): string {
  const { type, name, value, placeholder } = node.attribs ?? {};
  const label = node.name === 'button' ? words(node) : (placeholder ?? name ?? value);
  return label ? `${type ?? node.name}: ${label}` : '';
}

function languageOf(node: HtmlNode): string | undefined {
  const classes = `${node.attribs?.class ?? ''} ${find(node, 'code')?.attribs?.class ?? ''}`;
  return /\blanguage-([\w+#-]+)/.exec(classes)?.[1];
}

/** An address that says something to a reader; embedded data and scripts do not. */
function safeUrl(url: string | undefined): string | undefined {
  return url === undefined || url === '' || /^\s*(?:javascript|data|vbscript):/i.test(url) ? undefined : url.trim();
}

function metaContent(root: HtmlNode, name: string): string | undefined {
  const meta = all(root, 'meta').find(({ attribs }) => attribs?.name?.toLowerCase() === name);
  return meta?.attribs?.content?.trim() || undefined;
}

function find(node: HtmlNode, name: string): HtmlNode | undefined {
  return all(node, name)[0];
}

function all(node: HtmlNode, name: string): HtmlNode[] {
  const found: HtmlNode[] = [];
  const pending = [...(node.children ?? [])].reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.name === name) found.push(next);
    pending.push(...[...(next.children ?? [])].reverse());
  }
  return found;
}

function words(node: HtmlNode | undefined): string {
  return collapse(textOf(node));
}

function textOf(node: HtmlNode | undefined): string {
  if (node === undefined || (node.name !== undefined && invisible.has(node.name) && node.name !== 'title')) return '';
  if (node.type === 'text') return node.data ?? '';
  if (node.name === 'br') return '\u2028';
  const text = (node.children ?? []).map(textOf).join('');
  return node.name !== undefined && blocks.has(node.name) ? `${text}\n` : text;
}

/** White space means nothing in HTML; a line separator stands for `<br>` until here. */
function collapse(text: string): string {
  return text
    .replace(/[ \t\n\r\f]+/g, ' ')
    .replace(/ ?\u2028 ?/g, '\n')
    .trim();
}
