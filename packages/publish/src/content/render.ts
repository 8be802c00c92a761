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

/** Characters of a table in Markdown. */
export interface TableLimits {
  /** Of the names and the first row of columns that stand beside each other; further ones follow below. */
  width: number;
  /** Of the whole table; columns that do not fit are counted. */
  length: number;
  /** Of a cell; longer texts are cut, and the element has them in full. */
  cell: number;
}

const pageLimits: TableLimits = { width: 6000, length: 19_000, cell: 4000 };
/** Cuts nothing off, for a text that is not a page. */
export const noLimits: TableLimits = { width: Infinity, length: Infinity, cell: Infinity };

type Render = (content: Record<string, unknown>, words: Labels, limits: TableLimits) => string;

/** One element in Markdown. Categories without a notation of their own appear as `[category: text]`. */
export function toMarkdown(element: Renderable, words: Labels = labels.en, limits: TableLimits = pageLimits): string {
  const render = markdown[element.category];
  if (render === undefined) return `[${element.category}: ${wholeSummary(element)}]`;
  return render(element.content, words, limits);
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
  if (render !== undefined) return render(element.content, labels.en, noLimits);
  const { text } = element.content;
  return typeof text === 'string' ? withoutLinks(text) : element.summary;
}

const markdown: Partial<Record<Element['category'], Render>> = {
  heading: ({ level, text }) => `${'#'.repeat(Number(level))} ${oneLine(text)}`,
  text: ({ text }) => String(text),
  table: ({ headers, rows, total_rows, total_columns }, _, limits) =>
    new PipeTable(texts(headers), cells(rows), limits).render({
      rows: Number(total_rows),
      columns: Number(total_columns),
    }),
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

/** Stands between cells that are looked at together: no character of Unicode, so that no text has it. */
const BETWEEN = '\ufdd0';
/** White space at an end of a cell, line ends, and bars. */
const unusualCells = /[\n|]|\s\ufdd0|\ufdd0\s|^\s|\s$/;

/** A table with bars. Columns that do not fit beside the others follow below. */
class PipeTable {
  readonly #headers: readonly string[];
  readonly #rows: readonly Cell[][];
  readonly #limits: TableLimits;

  constructor(headers: readonly string[], rows: readonly Cell[][], limits: TableLimits) {
    this.#headers = headers;
    this.#rows = rows;
    this.#limits = limits;
  }

  render(total: { rows: number; columns: number }): string {
    const end = this.#fitting(0);
    const isWide = end < this.#headers.length;
    const parts = [this.#columns(isWide ? this.#headers.slice(0, end) : this.#headers, this.#rows)];
    const shown = isWide ? this.#addColumns(parts, end) : end;
    const left = [
      ...(total.rows > this.#rows.length ? [`${this.#rows.length} of ${total.rows} rows`] : []),
      ...(total.columns > shown ? [`${shown} of ${total.columns} columns`] : []),
    ];
    if (left.length > 0) parts.push(`(${left.join(', ')})`);
    return parts.join('\n\n');
  }

  /** The end of the columns from `first` on whose names and first cells fit, of which there is at least one. */
  #fitting(first: number): number {
    const [row = []] = this.#rows;
    let width = 0;
    for (let column = first; column < this.#headers.length; column += 1) {
      const name = Math.min(this.#headers[column]?.length ?? 0, this.#limits.cell);
      width += name + Math.min(cellText(row[column] ?? null).length, this.#limits.cell) + 12;
      if (width > this.#limits.width && column > first) return column;
    }
    return this.#headers.length;
  }

  /** Adds the columns of a wide table that follow `first`, some at a time. Returns the number of those that are shown. */
  #addColumns(parts: string[], first: number): number {
    let length = parts.reduce((sum, part) => sum + part.length, 0);
    let shown = first;
    while (shown < this.#headers.length) {
      const end = this.#fitting(shown);
      const columns = this.#columns(
        this.#headers.slice(shown, end),
        this.#rows.map(row => row.slice(shown, end)),
      );
      const part = `(columns ${shown + 1} to ${end})\n\n${columns}`;
      length += part.length + 2;
      if (length > this.#limits.length) break;
      parts.push(part);
      shown = end;
    }
    return shown;
  }

  #columns(headers: readonly string[], rows: readonly Cell[][]): string {
    const body = rows.map(row => this.#row(row, headers.length));
    return [this.#row(headers, headers.length), `|${' --- |'.repeat(headers.length)}`, ...body].join('\n');
  }

  #row(row: readonly Cell[], width: number): string {
    if (row.length === width && row.every(isPlain)) {
      // Most rows are looked at in whole, which takes a fraction of the time of looking at each cell.
      const text = row.join(BETWEEN);
      if (text.length <= this.#limits.cell && !unusualCells.test(text)) return `| ${text.replaceAll(BETWEEN, ' | ')} |`;
    }
    const columns = Array.from({ length: width }, (_, column) => this.#cell(cellText(row[column] ?? null)));
    return `| ${columns.join(' | ')} |`;
  }

  #cell(text: string): string {
    const line = oneLine(text).replaceAll('|', '\\|');
    return line.length <= this.#limits.cell ? line : `${line.slice(0, this.#limits.cell)}…`;
  }
}

function isPlain(cell: Cell): boolean {
  return cell === null || typeof cell !== 'object';
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
