import type { ElementCategory } from '@a2c-smcp/protocol';

/** A value of a cell. When it is shown differently from what it is, as with dates and percentages, `text` is what is shown. */
export type Cell = string | number | boolean | null | { value: string | number | boolean; text: string };

/** What a table holds while it is inside this package; `rows` become plain values on their way out. */
export interface TableContent {
  headers: string[];
  rows: Cell[][];
  total_rows: number;
  /** More than there are headers when columns are left out. */
  total_columns: number;
}

/** One element as a reader finds it, before it has an id. */
export interface Element {
  category: ElementCategory;
  /** One line for somebody who decides whether to read on. */
  summary: string;
  content: Record<string, unknown>;
  /** What only Level 3 tells: where the element stands in the file. */
  metadata?: Record<string, unknown>;
  /** What stays the same when other parts of the document change. @default its category and content */
  identity?: string;
  /** Rows of a long table after those in `content`, in portions. */
  overflow?: TableOverflow;
}

/** The rows of a table that its page does not show, each portion already serialised. */
export interface TableOverflow {
  portions: Uint8Array[];
  /** Rows per portion, the last one excepted. */
  size: number;
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

/** The first `length` characters of `text` on one line, for a summary. */
export function shorten(text: string, length = 120): string {
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}
