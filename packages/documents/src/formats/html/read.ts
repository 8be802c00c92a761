import * as make from '@a2c-smcp/publish/content';
import { formatNumber } from '@a2c-smcp/publish/content';
import { parseDocument } from 'htmlparser2';
import { meantFacts } from '../facts.ts';
import { flowDocument } from '../flow.ts';
import type { DocumentFacts, OpenReader } from '../reader.ts';
import { MAX_TEXT_BYTES, readText } from '../text/encoding.ts';
import { openPlainText } from '../text/read.ts';
import { limitDepth, MAX_HTML_DEPTH } from './depth.ts';
import { type HtmlNode, isLayout, tableElement } from './table.ts';

/** HTML: the content that a browser would show, without scripts and styles. Nothing is fetched. */
export const openHtml: OpenReader = async file => {
  if (file.size > MAX_TEXT_BYTES) return openPlainText(file);
  const { facts, elements } = parseHtml(await readText(file));
  return flowDocument(elements, facts, file.name);
};

/** Title, summary and keywords from the head of a file, and the elements of its body. */
export function parseHtml(source: string): { facts: DocumentFacts; elements: make.Element[] } {
  const { text, isCut } = limitDepth(source);
  const root = parseDocument(text) as HtmlNode;
  const title = textOf(find(root, 'title')).trim();
  const description = metaContent(root, 'description');
  const keywords = metaContent(root, 'keywords')
    ?.split(',')
    .map(keyword => keyword.trim());
  const facts = meantFacts({ title, ...(description && { summary: description }), ...(keywords && { keywords }) });
  const elements = new HtmlReader().read(find(root, 'body') ?? root);
  const remark = `Elements are nested more than ${MAX_HTML_DEPTH} levels deep; below that, only their text is shown`;
  if (isCut) elements.push(make.annotation(remark));
  return { facts, elements };
}

const invisible = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'iframe', 'object']);
const blocks = new Set(
  (
    'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'header html legend li main nav p section summary table td th tr tbody thead tfoot'
  ).split(' '),
);

/** Walks the tree and collects loose text into paragraphs until a block begins or ends. */
class HtmlReader {
  readonly #elements: make.Element[] = [];
  #loose: string[] = [];

  read(node: HtmlNode): make.Element[] {
    this.#children(node);
    this.#flush();
    return this.#elements;
  }

  #children({ children = [] }: HtmlNode): void {
    for (const child of children) this.#visit(child);
  }

  #visit(node: HtmlNode): void {
    if (node.type === 'text') this.#loose.push(node.data ?? '');
    if (node.name === undefined || invisible.has(node.name)) return;
    const { name, attribs = {} } = node;
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level !== undefined) this.#push(make.heading(Number(level), words(node)));
    else if (name === 'br') this.#loose.push('\u2028');
    else if (name === 'ul' || name === 'ol') this.#push(make.list(name === 'ol', items(node, 0)));
    else if (name === 'table' && !isLayout(node)) this.#push(tableElement(node, words));
    else if (name === 'pre') this.#push(make.code(textOf(node).replaceAll('\u2028', '\n'), languageOf(node)));
    else if (name === 'img') this.#push(make.image(attribs.alt ?? '', safeUrl(attribs.src)));
    else if (name === 'hr') this.#push(make.other('separator', 'line'));
    else if (name === 'audio' || name === 'video') this.#push(make.other(name, attribs.title ?? attribs.src ?? name));
    else if (name === 'svg') this.#push(make.other('diagram', words(find(node, 'title'))));
    else if (name === 'input' || name === 'select' || name === 'button') this.#push(make.other('widget', widget(node)));
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
    else this.#loose.push(`[${text}](${url})`);
  }

  #push(element: make.Element): void {
    this.#flush();
    const { text, items: entries } = element.content;
    const isEmpty = text === '' || (Array.isArray(entries) && entries.length === 0);
    if (!isEmpty) this.#elements.push(element);
  }

  #flush(): void {
    const text = collapse(this.#loose.join(''));
    this.#loose = [];
    if (text === '') return;
    const onlyLink = /^\[([^[\]]+)\]\((\S+)\)$/.exec(text);
    const [, label, url] = onlyLink ?? [];
    this.#elements.push(label !== undefined && url !== undefined ? make.link(label, url) : make.paragraph(text));
  }
}

function items(node: HtmlNode, level: number, found: make.ListItem[] = []): make.ListItem[] {
  const marks = new Marks(node);
  for (const child of node.children ?? []) {
    if (isList(child)) items(child, level + 1, found);
    if (child.name !== 'li') continue;
    const parts = child.children ?? [];
    const text = words({ ...child, children: parts.filter(part => !isList(part)) });
    found.push({ text, level, mark: marks.next(child) });
    for (const part of parts.filter(isList)) items(part, level + 1, found);
  }
  return found;
}

const countings: Record<string, string> = { a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman' };

/** The numbers of a list as a browser shows them. */
class Marks {
  readonly #isOrdered: boolean;
  readonly #counting: string;
  readonly #step: number;
  #number: number;

  constructor({ name, attribs = {}, children = [] }: HtmlNode) {
    const isReversed = attribs.reversed !== undefined;
    const count = children.filter(child => child.name === 'li').length;
    this.#isOrdered = name === 'ol';
    this.#counting = countings[attribs.type ?? ''] ?? 'decimal';
    this.#step = isReversed ? -1 : 1;
    this.#number = integer(attribs.start) ?? (isReversed ? count : 1);
  }

  next({ attribs = {} }: HtmlNode): string {
    if (!this.#isOrdered) return '-';
    const number = integer(attribs.value) ?? this.#number;
    this.#number = number + this.#step;
    return `${formatNumber(number, this.#counting)}.`;
  }
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*-?\d{1,9}/.test(text) ? Number.parseInt(text, 10) : undefined;
}

function isList({ name }: HtmlNode): boolean {
  return name === 'ul' || name === 'ol';
}

/** The label of a control; empty if it has none. */
function widget(node: HtmlNode): string {
  const { type, name, value, placeholder } = node.attribs ?? {};
  const label = node.name === 'button' ? words(node) : (placeholder ?? name ?? value);
  return label ? `${type ?? node.name}: ${label}` : '';
}

function languageOf(node: HtmlNode): string | undefined {
  const classes = `${node.attribs?.class ?? ''} ${find(node, 'code')?.attribs?.class ?? ''}`;
  return /\blanguage-([\w+#-]+)/.exec(classes)?.[1];
}

/** An address that is of use to a reader; embedded data and scripts are not. */
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
  const visit = ({ children = [] }: HtmlNode) => {
    for (const child of children) {
      if (child.name === name) found.push(child);
      visit(child);
    }
  };
  visit(node);
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
