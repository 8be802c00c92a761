import * as make from '@a2c-smcp/publish/content';
import { formatNumber } from '@a2c-smcp/publish/content';
import { meantFacts } from '../facts.ts';
import { flowDocument } from '../flow.ts';
import type { DocumentFacts, OpenReader } from '../reader.ts';
import { MAX_TEXT_BYTES, readText } from '../text/encoding.ts';
import { openPlainText } from '../text/read.ts';
import { limitDepth, MAX_HTML_DEPTH } from './depth.ts';
import { isLayout, MAX_SPANNED, type SpanBudget, tableElement } from './table.ts';
import { type HtmlNode, type HtmlTree, parseTree } from './tree.ts';

/** HTML: the content that a browser would show, without scripts and styles. Nothing is fetched. */
export const openHtml: OpenReader = async file => {
  if (file.size > MAX_TEXT_BYTES) return openPlainText(file);
  const { facts, elements } = parseHtml(await readText(file));
  return flowDocument(elements, facts, file.name);
};

const DEPTH_REMARK = `Elements are nested more than ${MAX_HTML_DEPTH} levels deep; below that, only their text is shown`;
const SPAN_REMARK = `Cells of tables span more than ${MAX_SPANNED.toLocaleString('en')} places; further ones are shown in one place each`;

/** Title, summary and keywords from the head of a file, and the elements of its body. */
export function parseHtml(source: string): { facts: DocumentFacts; elements: make.Element[] } {
  const whole = parseTree(source, MAX_HTML_DEPTH);
  const { root, landmarks } = whole ?? parseShallow(source);
  const { title: name, body, metas, stray } = headOf(landmarks);
  const title = textOf(name).trim();
  const description = metas.get('description');
  const keywords = metas
    .get('keywords')
    ?.split(',')
    .map(keyword => keyword.trim());
  const facts = meantFacts({ title, ...(description && { summary: description }), ...(keywords && { keywords }) });
  const spans: SpanBudget = { left: MAX_SPANNED };
  const elements = [{ children: stray }, body ?? root].flatMap(node => new HtmlReader(spans).read(node));
  if (whole === undefined) elements.push(make.annotation(DEPTH_REMARK));
  return { facts, elements };
}

/** Parses HTML that is nested too deeply. The second pass over the text is for such pages only. */
function parseShallow(source: string): HtmlTree {
  const tree = parseTree(limitDepth(source).text, Number.POSITIVE_INFINITY);
  return tree ?? { root: { children: [] }, landmarks: [] };
}

const invisible = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'iframe', 'object']);
const blocks = new Set(
  (
    'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'header html legend li main nav p section summary table td th tr tbody thead tfoot'
  ).split(' '),
);

const levels = new Map(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name, index) => [name, index + 1]));

/** Walks the tree and collects loose text into paragraphs until a block begins or ends. */
class HtmlReader {
  readonly #elements: make.Element[] = [];
  readonly #spans: SpanBudget;
  #loose: string[] = [];

  constructor(spans: SpanBudget) {
    this.#spans = spans;
  }

  read(node: HtmlNode): make.Element[] {
    this.#children(node);
    this.#flush();
    return this.#elements;
  }

  #children({ children = [] }: HtmlNode): void {
    for (const child of children) this.#visit(child);
  }

  #visit(node: HtmlNode): void {
    if (node.data !== undefined) this.#loose.push(node.data);
    if (node.name === undefined || invisible.has(node.name)) return;
    const { name, attribs = {} } = node;
    const level = levels.get(name);
    if (level !== undefined) this.#push(make.heading(level, words(node)));
    else if (name === 'br') this.#loose.push('\u2028');
    else if (name === 'ul' || name === 'ol') this.#push(make.list(name === 'ol', items(node, 0)));
    else if (name === 'table' && !isLayout(node)) this.#table(node);
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

  /** The first table whose spans are not all shown stands behind a remark. */
  #table(node: HtmlNode): void {
    const isSpent = this.#spans.left <= 0;
    const element = tableElement(node, words, this.#spans);
    if (!isSpent && this.#spans.left <= 0) this.#push(make.annotation(SPAN_REMARK));
    this.#push(element);
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
    if (this.#loose.length === 0) return;
    const text = collapse(this.#loose.join(''));
    this.#loose = [];
    if (text === '') return;
    const [, label, url] = (text.startsWith('[') && /^\[([^[\]]+)\]\((\S+)\)$/.exec(text)) || [];
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

/** The metadata of a page. A page without a body may have its title anywhere. */
interface Head {
  title: HtmlNode | undefined;
  body: HtmlNode | undefined;
  /** The first content of each name. */
  metas: Map<string, string>;
  /** Text in the head, which a browser shows above the body. */
  stray: HtmlNode[];
}

function headOf(landmarks: readonly HtmlNode[]): Head {
  const head: Head = { title: undefined, body: undefined, metas: new Map(), stray: [] };
  for (const node of landmarks) {
    const { name, attribs = {}, children = [] } = node;
    if (name === 'head') head.stray = head.stray.concat(children.filter(({ data }) => data !== undefined));
    else if (name === 'title') head.title ??= node;
    else if (name === 'body') head.body ??= node;
    else {
      const [key, content] = [attribs.name?.toLowerCase(), attribs.content?.trim()];
      if (key !== undefined && content && !head.metas.has(key)) head.metas.set(key, content);
    }
  }
  return head;
}

/** The first element of a name inside of a node. */
function find({ children = [] }: HtmlNode, name: string): HtmlNode | undefined {
  for (const child of children) {
    const found = child.name === name ? child : find(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function words(node: HtmlNode | undefined): string {
  return collapse(textOf(node));
}

function textOf(node: HtmlNode | undefined): string {
  if (node === undefined) return '';
  const { name, data, children = [] } = node;
  if (name === undefined && data !== undefined) return data;
  if (name === 'br') return '\u2028';
  if (name !== undefined && invisible.has(name) && name !== 'title') return '';
  let text = '';
  for (const child of children) {
    // A block ends the line of the text before what follows it.
    text += child.name !== undefined && blocks.has(child.name) ? `${textOf(child)}\n` : textOf(child);
  }
  return text;
}

const spaces = /[\t\n\r\f\u2028]| {2}/;

/** White space means nothing in HTML; a line separator stands for `<br>` until here. */
function collapse(text: string): string {
  if (!spaces.test(text)) return text.trim();
  return text
    .replace(/[ \t\n\r\f]+/g, ' ')
    .replace(/ ?\u2028 ?/g, '\n')
    .trim();
}
