import { hash } from 'node:crypto';
import type { ElementCategory } from '@a2c-smcp/protocol';
import { countedMarks } from './numbers.ts';
import { type Cell, type TableContent, type TableOverflow, tableContent } from './table.ts';

/** One element as a reader finds it, before it has an id. */
export interface Element {
  category: ElementCategory;
  /** One line for a reader who decides whether to read the element. */
  summary: string;
  content: Record<string, unknown>;
  /** The place of the element in the file, shown at Level 3 only. */
  metadata?: Record<string, unknown>;
  /** Text from which the id is made; it survives changes elsewhere in the document. @default category and content */
  identity?: string;
  /** Rows of a long table after those in `content`, in portions. */
  overflow?: TableOverflow;
}

/** An element that can be addressed. */
export interface IdentifiedElement extends Element {
  id: string;
}

/** A page as a reader finds it. */
export interface Page<E extends Element = Element> {
  title: string;
  elements: E[];
}

/** White space that a line does not have: two in a row, at an end, or another one than a blank. */
const unusualSpace = /\s{2}|[^\S ]|^ | $/;

/** The first `length` characters of `text` on one line, for a summary. */
export function shorten(text: string, length = 120): string {
  // One character more than is shown: without unusual space in it, nothing after it matters.
  const head = text.slice(0, length + 1);
  if (!unusualSpace.test(head)) return text.length <= length ? text : `${head.slice(0, length - 1).trimEnd()}…`;
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}

/** A heading; levels run from 1 to 6. Its number, if it has one, stands before its text. */
export function heading(level: number, text: string, number?: string): Element {
  const content = { level: Math.min(Math.max(level, 1), 6), text };
  const shown = number === undefined ? text : `${number} ${text}`;
  const identity = JSON.stringify(content);
  return { category: 'heading', summary: shorten(shown), content: { ...content, text: shown }, identity };
}

/** A paragraph with its own line breaks. */
export function paragraph(text: string): Element {
  return { category: 'text', summary: shorten(text), content: { text } };
}

/** An item with its nesting, 0 at the outside. */
export interface ListItem {
  text: string;
  level: number;
  /** Its number or letter as the document has it, as in `4.2` or `(b)`; `-` for a bullet. @default it counts from 1 */
  mark?: string | undefined;
}

const MAX_LEVEL = 20;

/**
 * A list. Nested items are indented by two spaces per level, up to twenty, so that `items` stay strings. `marks` are
 * those of the document where they are not bullets, or numbers from 1 on each level.
 */
export function list(ordered: boolean, items: readonly ListItem[]): Element {
  const usual = ordered ? countedMarks(items.map(({ level }) => level)) : items.map(() => '-');
  const marks = items.map(({ mark }, index) => mark ?? usual[index] ?? '-');
  const isUsual = marks.every((mark, index) => mark === usual[index]);
  const texts = items.map(({ text, level }) => `${'  '.repeat(Math.min(level, MAX_LEVEL))}${text}`);
  const summary = `${items.length} ${items.length === 1 ? 'item' : 'items'}: ${shorten(texts.slice(0, 90).join('; '), 90)}`;
  const content = { ordered, items: texts };
  // The id does not change with the number of an earlier list.
  return {
    category: 'list',
    summary,
    content: { ...content, ...(!isUsual && { marks }) },
    identity: JSON.stringify(content),
  };
}

/** Preformatted text. Without `language` the fence stays bare. */
export function code(text: string, language?: string): Element {
  const content = language === undefined ? { text } : { language, text };
  return { category: 'code', summary: shorten(text.split('\n').find(line => line.trim() !== '') ?? 'Empty'), content };
}

/** A table held in memory; what exceeds a page's share of rows becomes its overflow. */
export function table(headers: readonly string[], rows: Iterable<Cell[]>, title?: string): Element {
  const { content, overflow } = tableContent(headers, rows);
  return {
    category: 'table',
    summary: tableSummary(content.headers, content, title),
    content: { ...content },
    identity: content.headers.join('\u001f'),
    ...(overflow && { overflow }),
  };
}

/** Summarises a table by its size and its columns. */
export function tableSummary(
  headers: readonly string[],
  { total_rows: rows, total_columns: columns }: Pick<TableContent, 'total_rows' | 'total_columns'>,
  title?: string,
): string {
  const shape = `${rows} ${rows === 1 ? 'row' : 'rows'} by ${columns} ${columns === 1 ? 'column' : 'columns'}`;
  const shown = columns > headers.length ? `, of which the first ${headers.length} are shown` : '';
  const name = title === undefined ? '' : `${shorten(title, 60)}: `;
  return `${name}${shape}${shown}: ${shorten(headers.filter(Boolean).join(', '), 90)}`;
}

/** A picture: `url` when a reader could follow it, otherwise a description. */
export function image(alt: string, url?: string): Element {
  const content = url === undefined ? { alt, description: alt === '' ? 'no description' : alt } : { alt, url };
  return { category: 'image', summary: shorten(alt === '' ? 'Picture without description' : alt), content };
}

/** A reference to somewhere else. */
export function link(text: string, url: string): Element {
  return {
    category: 'link',
    summary: shorten(text === '' ? url : text),
    content: { text: text === '' ? url : text, url },
  };
}

/** A remark that is not part of the text: a comment, speaker's notes, or why a file cannot be read. */
export function annotation(text: string, author?: string): Element {
  const content = author === undefined ? { text } : { text, author };
  return {
    category: 'annotation',
    summary: shorten(author === undefined ? text : `${author}: ${text}`, 2000),
    content,
  };
}

/** A chart in words: its kind, its title and its numbers. */
export function chart(type: string, title: string, dataSummary: string): Element {
  return {
    category: 'chart',
    summary: shorten(title === '' ? `${type} chart` : `${type} chart: ${title}`),
    content: { chart_type: type, title, data_summary: dataSummary },
  };
}

/** A formula; `expression` names its cell when it has one, as in `B7 = SUM(B2:B6)`. */
export function formula(expression: string, facts: Record<string, unknown> = {}): Element {
  return { category: 'formula', summary: shorten(expression), content: { expression, ...facts } };
}

/** Anything without a content shape of its own, shown by its summary. */
export function other(category: Element['category'], text: string, facts: Record<string, unknown> = {}): Element {
  return { category, summary: shorten(text, 2000), content: { text, ...facts } };
}

/**
 * Assigns ids to elements. An id comes from the content of the element, not from its place, so it survives edits
 * elsewhere in the document; only elements with equal content are numbered in their order.
 *
 * @param scope names the page where the format has a lasting name for it, so that the id leads back to the page
 */
export class Identifier {
  readonly #scope: string;
  readonly #seen = new Map<string, number>();

  constructor(scope = '') {
    this.#scope = scope === '' ? '' : `${scope}.`;
  }

  /** @param earlier the number of equal elements before the first that this identifier got */
  identify(element: Element, earlier = 0): IdentifiedElement {
    const identity = element.identity ?? JSON.stringify(element.content);
    const id = `${this.#scope}${element.category}-${digest(`${element.category}\n${identity}`)}`;
    const count = (this.#seen.get(id) ?? earlier) + 1;
    this.#seen.set(id, count);
    return { ...element, id: count === 1 ? id : `${id}-${count}` };
  }
}

/** The scope that an id begins with, if it has one. */
export function scopeOf(id: string): string | undefined {
  const dot = id.indexOf('.');
  return dot < 0 ? undefined : id.slice(0, dot);
}

/** The id of the portion of a table that begins after `index` earlier ones. */
export function portionId(id: string, index: number): string {
  return index === 0 ? id : `${id}~${index}`;
}

/** Splits the id of a portion into the table's id and the portion's index. */
export function parsePortionId(id: string): { base: string; index: number } {
  const match = /^(.+)~([1-9]\d{0,8})$/.exec(id);
  return match?.[1] === undefined ? { base: id, index: 0 } : { base: match[1], index: Number(match[2]) };
}

/** Ten characters that differ whenever the text does, for all practical purposes. */
export function digest(text: string): string {
  const bits = BigInt(`0x${hash('sha256', text, 'hex').slice(0, 16)}`);
  return bits.toString(36).padStart(13, '0').slice(-10);
}
