import type { Element } from './element.ts';
import { countedMarks } from './numbers.ts';
import { type Cell, cellText } from './table.ts';

/** The words that a rendering adds to the document. */
export interface Labels {
  chart: string;
  image: string;
}

/** The labels of the protocol's documents are Chinese; English ones are the default here. */
export const labels = {
  en: { chart: 'chart', image: 'image' },
  zh: { chart: '图表', image: '图片' },
} as const satisfies Record<string, Labels>;

/** The fields of an element that a rendering needs. */
export type Renderable = Pick<Element, 'category' | 'summary' | 'content'>;

type Render = (content: Record<string, unknown>, words: Labels) => string;

/** One element in Markdown. Categories without a notation of their own appear as `[category: text]`. */
export function toMarkdown(element: Renderable, words: Labels = labels.en): string {
  const render = markdown[element.category];
  return render === undefined ? `[${element.category}: ${wholeSummary(element)}]` : render(element.content, words);
}

/** A summary that was cut, as of long notes of a slide, in full. */
function wholeSummary({ summary, content: { text, author } }: Renderable): string {
  if (!summary.endsWith('…') || typeof text !== 'string') return summary;
  const words = text.replace(/\s+/g, ' ').trim();
  return author === undefined ? words : `${author}: ${words}`;
}

/** One element as plain text: the words of the document without any notation. */
export function toText(element: Renderable): string {
  const render = plain[element.category];
  if (render !== undefined) return render(element.content, labels.en);
  const { text } = element.content;
  return typeof text === 'string' ? withoutLinks(text) : element.summary;
}

const markdown: Partial<Record<Element['category'], Render>> = {
  heading: ({ level, text }) => `${'#'.repeat(Number(level))} ${oneLine(text)}`,
  text: ({ text }) => String(text),
  table: ({ headers, rows, total_rows, total_columns }) =>
    pipeTable(texts(headers), cells(rows), { rows: Number(total_rows), columns: Number(total_columns) }),
  list: content => bullets(content, 'markdown'),
  code: ({ language, text }) => fence(typeof language === 'string' ? language : '', String(text)),
  chart: ({ title, data_summary }, words) => joined(`[${words.chart}: ${oneLine(title)}]`, data_summary),
  image: ({ alt, url, description }, words) =>
    typeof url === 'string'
      ? `![${bracketed(alt)}](${destination(url)})`
      : `[${words.image}: ${oneLine(description ?? alt)}]`,
  link: ({ text, url }) => `[${bracketed(text)}](${destination(String(url))})`,
  formula: ({ expression }) => `$ ${oneLine(expression)} $`,
};

const plain: Partial<Record<Element['category'], Render>> = {
  table: ({ headers, rows }) =>
    [texts(headers), ...cells(rows).map(row => row.map(cellText))].map(row => row.map(oneLine).join('\t')).join('\n'),
  list: content => bullets(content, 'text'),
  chart: ({ title, data_summary }) => joined(oneLine(title), data_summary),
  image: ({ alt, description }) => oneLine(alt === '' ? (description ?? '') : alt),
  link: ({ text, url }) => (text === url ? String(url) : `${oneLine(text)} (${url})`),
  formula: ({ expression }) => String(expression),
};

/** Characters of the names and the first row of columns that stand beside each other; further ones follow below. */
const MAX_WIDTH = 6000;
/** Characters of a table; columns that do not fit are counted. */
const MAX_TABLE_LENGTH = 19_000;
/** Longer texts of cells are cut; the element has them in full. */
const MAX_CELL_LENGTH = 4000;

/** The end of the columns from `first` on whose names and first cells fit, of which there is at least one. */
function fittingColumns(headers: readonly string[], row: readonly Cell[], first: number): number {
  let width = 0;
  for (let column = first; column < headers.length; column += 1) {
    const name = Math.min(headers[column]?.length ?? 0, MAX_CELL_LENGTH);
    width += name + Math.min(cellText(row[column] ?? null).length, MAX_CELL_LENGTH) + 12;
    if (width > MAX_WIDTH && column > first) return column;
  }
  return headers.length;
}

function pipeTable(headers: string[], rows: Cell[][], total: { rows: number; columns: number }): string {
  const end = fittingColumns(headers, rows[0] ?? [], 0);
  const isWide = end < headers.length;
  const parts = [pipeColumns(isWide ? headers.slice(0, end) : headers, rows)];
  const shown = isWide ? addColumns(parts, end, headers, rows) : end;
  const left = [
    ...(total.rows > rows.length ? [`${rows.length} of ${total.rows} rows`] : []),
    ...(total.columns > shown ? [`${shown} of ${total.columns} columns`] : []),
  ];
  if (left.length > 0) parts.push(`(${left.join(', ')})`);
  return parts.join('\n\n');
}

/** Adds the columns of a wide table that follow `first`, some at a time. Returns the number of those that are shown. */
function addColumns(parts: string[], first: number, headers: readonly string[], rows: readonly Cell[][]): number {
  let length = parts.reduce((sum, part) => sum + part.length, 0);
  let shown = first;
  while (shown < headers.length) {
    const end = fittingColumns(headers, rows[0] ?? [], shown);
    const columns = pipeColumns(
      headers.slice(shown, end),
      rows.map(row => row.slice(shown, end)),
    );
    const part = `(columns ${shown + 1} to ${end})\n\n${columns}`;
    length += part.length + 2;
    if (length > MAX_TABLE_LENGTH) break;
    parts.push(part);
    shown = end;
  }
  return shown;
}

function pipeColumns(headers: readonly string[], rows: readonly Cell[][]): string {
  const body = rows.map(row => pipeRow(row, headers.length));
  return [pipeRow(headers, headers.length), `|${' --- |'.repeat(headers.length)}`, ...body].join('\n');
}

/** Stands between cells that are looked at together: no character of Unicode, so that no text has it. */
const BETWEEN = '\ufdd0';
/** White space at an end of a cell, line ends, and bars. */
const unusualCells = /[\n|]|\s\ufdd0|\ufdd0\s|^\s|\s$/;

function pipeRow(row: readonly Cell[], width: number): string {
  if (row.length === width && row.every(isPlain)) {
    // Most rows are looked at in whole, which takes a fraction of the time of looking at each cell.
    const text = row.join(BETWEEN);
    if (text.length <= MAX_CELL_LENGTH && !unusualCells.test(text)) return `| ${text.replaceAll(BETWEEN, ' | ')} |`;
  }
  const columns = Array.from({ length: width }, (_, column) => pipeCell(cellText(row[column] ?? null)));
  return `| ${columns.join(' | ')} |`;
}

function isPlain(cell: Cell): boolean {
  return cell === null || typeof cell !== 'object';
}

function pipeCell(text: string): string {
  const line = oneLine(text).replaceAll('|', '\\|');
  return line.length <= MAX_CELL_LENGTH ? line : `${line.slice(0, MAX_CELL_LENGTH)}…`;
}

/** Nested items carry their indentation. A mark that Markdown does not know stands behind a bullet. */
function bullets({ ordered, items, marks }: Record<string, unknown>, notation: 'markdown' | 'text'): string {
  const entries = texts(items).map(item => {
    const text = item.trimStart();
    return { text, level: Math.floor((item.length - text.length) / 2) };
  });
  const counted = ordered === true ? countedMarks(entries.map(({ level }) => level)) : entries.map(() => '-');
  const own = Array.isArray(marks) ? texts(marks) : counted;
  const step = own.some(mark => /^\d/.test(mark)) ? '   ' : '  ';
  return entries
    .map(({ text, level }, index) => {
      const mark = own[index] ?? '-';
      const indent = step.repeat(level);
      const isKnown = notation === 'text' || mark === '-' || /^\d{1,9}[.)]$/.test(mark);
      return `${indent}${isKnown ? mark : `- ${mark}`} ${text.replaceAll('\n', `\n${indent}  `)}`;
    })
    .join('\n');
}

/** A fence longer than any inside the text. */
function fence(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text.replace(/\n$/, '')}\n${ticks}`;
}

function joined(first: string, second: unknown): string {
  return second === undefined || second === '' ? first : `${first}\n${second}`;
}

/** Text keeps links as `[words](address)`; plain text has the words, and the address in brackets. */
function withoutLinks(text: string): string {
  return text.replace(/\[([^[\]]+)\]\(([^()\s]+)\)/g, '$1 ($2)');
}

function oneLine(text: unknown): string {
  const line = String(text).trim();
  if (!line.includes('\n')) return line;
  // A pattern for white space around line ends would take time by the square of its length.
  const parts = line.split('\n').map(part => part.trim());
  return parts.filter(part => part !== '').join(' ');
}

function bracketed(text: unknown): string {
  return oneLine(text).replace(/[[\]]/g, '\\$&');
}

function destination(url: string): string {
  return /[\s()<>]/.test(url) ? `<${url.replace(/[<>\s]/g, encodeURIComponent)}>` : url;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function cells(value: unknown): Cell[][] {
  return Array.isArray(value) ? value : [];
}
