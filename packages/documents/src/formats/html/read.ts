import * as make from '@a2c-smcp/publish/content';
import { meantFacts } from '../facts.ts';
import { flowDocument } from '../flow.ts';
import type { DocumentFacts, OpenReader } from '../reader.ts';
import { MAX_TEXT_BYTES, readText } from '../text/encoding.ts';
import { openPlainText } from '../text/read.ts';
import type { HtmlKind } from './elements.ts';
import { listItems } from './list.ts';
import { captionOf, isLayout, MAX_SPANNED, type SpanBudget, strayText, tableElement } from './table.ts';
import { type HtmlNode, parseTree } from './tree.ts';
import { collapse, LINE_BREAK, shiftedText, textOf, words } from './words.ts';

/** HTML: the content that a browser would show, without scripts and styles. Nothing is fetched. */
export const openHtml: OpenReader = async file => {
  if (file.size > MAX_TEXT_BYTES) return openPlainText(file);
  const { facts, elements } = parseHtml(await readText(file));
  return flowDocument(elements, facts, file.name);
};

/** Elements inside of more others than this lose their tags, never their text. */
const MAX_HTML_DEPTH = 250;
const DEPTH_REMARK = `Elements are nested more than ${MAX_HTML_DEPTH} levels deep; below that, only their text is shown`;
const SPAN_REMARK = `Cells of tables span more than ${MAX_SPANNED.toLocaleString('en')} places; further ones are shown in one place each`;

/** Title, summary and keywords from the head of a file, and the elements of its body. */
export function parseHtml(source: string): { facts: DocumentFacts; elements: make.Element[] } {
  const { root, landmarks, isCut } = parseTree(source, MAX_HTML_DEPTH);
  const { title: name, metas } = headOf(landmarks);
  const title = textOf(name).trim();
  const description = metas.get('description');
  const keywords = metas
    .get('keywords')
    ?.split(',')
    .map(keyword => keyword.trim());
  const facts = meantFacts({ title, ...(description && { summary: description }), ...(keywords && { keywords }) });
  const elements = new HtmlReader({ left: MAX_SPANNED }).read(root);
  if (isCut) elements.push(make.annotation(DEPTH_REMARK));
  return { facts, elements };
}

/** Walks the tree and collects loose text into paragraphs until a block begins or ends. */
class HtmlReader {
  readonly #elements: make.Element[] = [];
  readonly #spans: SpanBudget;
  #loose = '';

  constructor(spans: SpanBudget) {
    this.#spans = spans;
  }

  read(node: HtmlNode): make.Element[] {
    this.#children(node);
    this.#flush();
    return this.#elements;
  }

  #children({ children = [] }: HtmlNode): void {
    let before: HtmlNode | undefined;
    for (const child of children) {
      const text = child.data ?? shiftedText(child, before);
      if (text === undefined) this.#visit(child);
      else this.#loose += text;
      before = child;
    }
  }

  #visit(node: HtmlNode): void {
    switch (node.kind) {
      case undefined:
      case 'raised':
      case 'lowered':
        this.#children(node);
        break;
      case 'invisible':
        break;
      case 'break':
        this.#loose += LINE_BREAK;
        break;
      case 'anchor':
        this.#anchor(node);
        break;
      case 'block':
        this.#block(node);
        break;
      case 'table':
        if (isLayout(node)) this.#block(node);
        else this.#table(node);
        break;
      default:
        this.#push(toElement(node, node.kind));
    }
  }

  #block(node: HtmlNode): void {
    this.#flush();
    this.#children(node);
    this.#flush();
  }

  /** The first table whose spans are not all shown stands behind a remark. */
  #table(node: HtmlNode): void {
    const isSpent = this.#spans.left <= 0;
    const element = tableElement(node, words, this.#spans);
    if (element === undefined) {
      this.#block(node);
      return;
    }
    // Browsers show text between cells above the table.
    this.#loose += strayText(node);
    this.#push(make.paragraph(words(captionOf(node))));
    if (!isSpent && this.#spans.left <= 0) this.#push(make.annotation(SPAN_REMARK));
    this.#push(element);
  }

  /** A link inside a sentence is part of the sentence; its address follows its words. */
  #anchor(node: HtmlNode): void {
    const url = safeUrl(node.attribs?.href);
    const text = url === undefined ? '' : words(node);
    if (text === '' || !hasWords(node)) this.#children(node);
    else this.#loose += `[${text}](${url})`;
  }

  #push(element: make.Element): void {
    this.#flush();
    const { text, items: entries } = element.content;
    const isEmpty = text === '' || (Array.isArray(entries) && entries.length === 0);
    if (!isEmpty) this.#elements.push(element);
  }

  #flush(): void {
    if (this.#loose === '') return;
    const text = collapse(this.#loose);
    this.#loose = '';
    if (text === '') return;
    const [, label, url] = (text.startsWith('[') && /^\[([^[\]]+)\]\((\S+)\)$/.exec(text)) || [];
    this.#elements.push(label !== undefined && url !== undefined ? make.link(label, url) : make.paragraph(text));
  }
}

type ElementKind = Exclude<HtmlKind, 'invisible' | 'break' | 'anchor' | 'block' | 'raised' | 'lowered' | 'table'>;

function toElement(node: HtmlNode, kind: ElementKind): make.Element {
  const { name = '', attribs = {} } = node;
  switch (kind) {
    case 'heading':
      return make.heading(Number(name[1]), words(node));
    case 'list':
      return make.list(name === 'ol', listItems(node));
    case 'preformatted':
      return make.code(textOf(node).replaceAll(LINE_BREAK, '\n'), languageOf(node));
    case 'image':
      return make.image(attribs.alt ?? '', safeUrl(attribs.src));
    case 'line':
      return make.other('separator', 'line');
    case 'media':
      return make.other(name === 'audio' ? 'audio' : 'video', attribs.title ?? attribs.src ?? name);
    case 'drawing':
      return make.other('diagram', drawnWords(node));
    case 'control':
      return make.other('widget', widget(node));
  }
}

/** True if there is text beside that of pictures. */
function hasWords({ data, children = [] }: HtmlNode): boolean {
  return data === undefined ? children.some(hasWords) : data.trim() !== '';
}

/** The title of a drawing, and the words in it. */
function drawnWords(node: HtmlNode): string {
  const title = words(find(node, 'title'));
  const text = collapse(labelsOf(node).join(' '));
  return [title, text].filter(Boolean).join(': ');
}

function labelsOf({ name, children = [] }: HtmlNode): string[] {
  return children.flatMap(child => {
    if (child.kind === 'invisible' || child.name === 'desc' || child.name === 'metadata') return [];
    return child.data === undefined ? labelsOf(child) : name === 'svg' || name === 'g' ? [] : [child.data];
  });
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

/** The metadata of a page. */
interface Head {
  title: HtmlNode | undefined;
  /** The first content of each name. */
  metas: Map<string, string>;
}

function headOf(landmarks: readonly HtmlNode[]): Head {
  const head: Head = { title: undefined, metas: new Map() };
  for (const node of landmarks) {
    if (node.name === 'title') head.title ??= node;
    else {
      const { name, content } = node.attribs ?? {};
      const [key, value] = [name?.toLowerCase(), content?.trim()];
      if (key !== undefined && value && !head.metas.has(key)) head.metas.set(key, value);
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
