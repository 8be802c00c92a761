import { stripVTControlCharacters } from 'node:util';
import { clip } from '@a2c-smcp/core';
import type { Style } from './style.ts';

/** Characters of a cell. Peers choose names and descriptions. */
const MAX_CELL_LENGTH = 10_000;
/** Columns to which a cell may move what follows it in all other rows. */
const MAX_PADDED_WIDTH = 120;
/** Combining marks on one character, beyond which they only draw over other lines. */
const MAX_MARKS = 8;

/** Lines in which the columns of all rows stand below each other. The last column is as long as it is. */
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
  /** Marks cells of a column. It gets the text after it was made safe. */
  paint?: (cell: string, column: number) => string;
}

/** A table for people: a line of headings, then a line per row, none longer than the terminal is wide. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { style, paint = cell => cell }: TableOptions,
): string[] {
  const painted = rows.map(row => row.map((cell, column) => paint(briefLine(cell, MAX_CELL_LENGTH), column)));
  const [head = '', ...lines] = columns([headings, ...painted]);
  return [style.dim(cut(head, style.width)), ...lines.map(line => cut(line, style.width))];
}

/** The beginning of a peer's text on one line, and how much more there is. */
export function briefLine(text: string, maxLength: number): string {
  return oneLine(clip(text, maxLength));
}

/** A peer's text on one line: every line break is a space. */
export function oneLine(text: string): string {
  return safeText(text.replace(/\s+/g, ' ')).trim();
}

/**
 * A peer's text without control characters but line breaks and tabs, without marks that turn the direction of writing,
 * and without invisible characters: it must neither steer the terminal nor read otherwise than it is.
 */
export function safeText(text: string): string {
  return text.replace(UNSAFE, char => (char === '\n' || char === '\t' ? char : '')).replace(MARK_FLOOD, '$1');
}

/** The joiners U+200C and U+200D stay: scripts and emoji need them. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\u2060-\u2064\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
const MARK_FLOOD = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, 'gu');

/** A mark of the style, such as `ESC[31m`, or one character. */
const PARTS = new RegExp(`${String.fromCharCode(27)}\\[\\d+m|.`, 'gsu');

/** The text, or as much of it as fits into `width` with an ellipsis. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let room = width - 1;
  for (const [part] of text.matchAll(PARTS)) {
    // Marks of the style take no room and are kept, so that none stays open.
    if (part.length > 2) kept += part;
    else if (room >= 0) {
      room -= charWidth(part);
      kept += room < 0 ? '…' : part;
    }
  }
  return kept;
}

/** How many columns a terminal needs for the text. */
export function displayWidth(text: string): number {
  // Most texts are ASCII, and a table may have many.
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...stripVTControlCharacters(text)].reduce((sum, char) => sum + charWidth(char), 0);
}

/** Like `String.padEnd`, in columns of the terminal. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** How many columns a terminal needs for a character: scripts of East Asia and pictures take two. */
export function charWidth(char: string): number {
  return /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u.test(
    char,
  )
    ? 2
    : 1;
}
