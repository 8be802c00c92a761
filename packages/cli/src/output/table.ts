import { stripVTControlCharacters } from 'node:util';
import { clip } from '@a2c-smcp/core';
import type { Style } from './style.ts';

/** Characters of a cell. Peers choose names and descriptions of any length. */
const MAX_CELL_LENGTH = 10_000;
/** Columns to which all cells of a column are padded at most, so that one long cell does not shift every row. */
const MAX_PADDED_WIDTH = 120;
/** Combining marks on one character. More of them only draw over other lines. */
const MAX_MARKS = 8;

/** Aligns the columns of all rows. The last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.min(Math.max(widths[index] ?? 0, displayWidth(cell)), MAX_PADDED_WIDTH);
    }
  }
  return rows.map(row =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : padEnd(cell, widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

export interface TableOptions {
  style: Style;
  /** The column that is never cut. On a narrow terminal others are left out instead, the last first. */
  keep?: number;
  /** Marks a cell. Gets the text after `safeText`, which would remove the marks. */
  paint?: (cell: string, column: number) => string;
}

/** A table for people: a line of headings, then a line per row. The widest columns are cut to the terminal's width. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { style, keep, paint = cell => cell }: TableOptions,
): string[] {
  const cells = [headings, ...rows.map(row => row.map(cell => briefLine(cell, MAX_CELL_LENGTH)))];
  const widths = fittingWidths(cells, style.width, keep);
  const fitted = cells.map(row =>
    row.flatMap((cell, column) => {
      const width = widths[column] ?? 0;
      return width === 0 ? [] : [{ text: cut(cell, width), column }];
    }),
  );
  const [head = '', ...lines] = columns(
    fitted.map((row, index) => row.map(({ text, column }) => (index === 0 ? text : paint(text, column)))),
  );
  return [style.dim(head), ...lines];
}

/** Columns that hardly tell anything below this width are left out for the sake of `keep`. */
const MIN_COLUMN_WIDTH = 6;
const GAP = 2;

/** The widths of columns that fit into `width`: the widest share what is left. 0 is for a column that is left out. */
function fittingWidths(rows: readonly (readonly string[])[], width: number, keep: number | undefined): number[] {
  const natural: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) natural[index] = Math.max(natural[index] ?? 0, displayWidth(cell));
  }
  if (natural.reduce((sum, each) => sum + each + GAP, -GAP) <= width) return natural;
  const kept = keep === undefined ? 0 : (natural[keep] ?? 0) + GAP;
  let shown = natural.map((_, index) => index).filter(index => index !== keep);
  let cap = share(shown, natural, width - kept);
  while (keep !== undefined && shown.length > 0 && cap < MIN_COLUMN_WIDTH) {
    shown = shown.slice(0, -1);
    cap = share(shown, natural, width - kept);
  }
  return natural.map((each, index) => (index === keep ? each : shown.includes(index) ? Math.min(each, cap) : 0));
}

/** The largest width such that all columns, cut to it, fit into `room`. */
function share(shown: readonly number[], natural: readonly number[], room: number): number {
  const widths = shown.map(index => natural[index] ?? 0).toSorted((a, b) => a - b);
  let left = room - GAP * Math.max(0, widths.length - 1);
  for (const [index, each] of widths.entries()) {
    const equal = Math.floor(left / (widths.length - index));
    if (each > equal) return Math.max(1, equal);
    left -= each;
  }
  return Number.POSITIVE_INFINITY;
}

/** A peer's text on one line, clipped. */
export function briefLine(text: string, maxLength: number): string {
  return oneLine(clip(text, maxLength));
}

/** A peer's text on one line, with spaces in place of line breaks. */
export function oneLine(text: string): string {
  return safeText(text.replace(/\s+/g, ' ')).trim();
}

/**
 * A peer's text without control characters other than line breaks and tabs, without bidi marks and without invisible
 * characters, so that it can neither control the terminal nor pretend to be another text.
 */
export function safeText(text: string): string {
  return text.replace(UNSAFE, char => (char === '\n' || char === '\t' ? char : '')).replace(MARK_FLOOD, '$1');
}

/** Without the joiners U+200C and U+200D, which scripts and emoji need. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\u2060-\u2064\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
const MARK_FLOOD = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, 'gu');

/** A mark of the style, such as `ESC[31m`, or one character. */
const PARTS = new RegExp(`${String.fromCharCode(27)}\\[\\d+m|.`, 'gsu');

/** Cuts a text to `width` columns, with an ellipsis. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let room = width - 1;
  for (const [part] of text.matchAll(PARTS)) {
    // Marks of the style have no width. All are kept, so that none stays open.
    if (part.length > 2) kept += part;
    else if (room >= 0) {
      room -= charWidth(part);
      kept += room < 0 ? '…' : part;
    }
  }
  return kept;
}

/** Columns of the text on a terminal. */
export function displayWidth(text: string): number {
  // Fast path: most texts are ASCII.
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...stripVTControlCharacters(text)].reduce((sum, char) => sum + charWidth(char), 0);
}

/** Like `String.padEnd`, in columns of the terminal. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Columns of a character on a terminal: East Asian scripts and emoji have two. */
export function charWidth(char: string): number {
  return /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u.test(
    char,
  )
    ? 2
    : 1;
}
