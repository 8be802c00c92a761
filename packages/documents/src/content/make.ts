import { type Cell, type Element, shorten, type TableContent } from './element.ts';
import { tableContent } from './table.ts';

/** A heading; levels run from 1 to 6. */
export function heading(level: number, text: string): Element {
  return { category: 'heading', summary: shorten(text), content: { level: Math.min(Math.max(level, 1), 6), text } };
}

/** A paragraph, its own line breaks kept. */
export function paragraph(text: string): Element {
  return { category: 'text', summary: shorten(text), content: { text } };
}

/** An item with its nesting, 0 at the outside. */
export interface ListItem {
  text: string;
  level: number;
}

const MAX_LEVEL = 20;

/** A list. Nested items are indented by two spaces per level, up to twenty, so that `items` stay strings. */
export function list(ordered: boolean, items: readonly ListItem[]): Element {
  const texts = items.map(({ text, level }) => `${'  '.repeat(Math.min(level, MAX_LEVEL))}${text}`);
  const summary = `${items.length} ${items.length === 1 ? 'item' : 'items'}: ${shorten(texts.slice(0, 90).join('; '), 90)}`;
  return { category: 'list', summary, content: { ordered, items: texts } };
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

/** Says what a table is about without showing it. */
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

/** A chart, told in words: what it shows and the numbers behind it. */
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
