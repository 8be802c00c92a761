/** A cell. When its text differs from its value, as with dates and percentages, it has both. */
export type Cell = string | number | boolean | null | { value: string | number | boolean; text: string };

/** The content of a table inside this package; `rows` become plain values at the protocol boundary. */
export interface TableContent {
  headers: string[];
  rows: Cell[][];
  total_rows: number;
  /** More than there are headers when columns are left out. */
  total_columns: number;
}

/** The rows of a table that its page does not show, each portion already serialised. */
export interface TableOverflow {
  portions: Uint8Array[];
  /** Rows per portion, the last one excepted. */
  size: number;
}

const PORTION_ROWS = 200;
const PORTION_CELLS = 5000;
/** Further columns are left out; `total_columns` counts them. */
export const MAX_COLUMNS = 1000;

/** The share of a table that fits a page, and the rest in portions. */
export interface PortionedTable {
  content: TableContent;
  overflow?: TableOverflow;
}

/** Rows in one portion: at most 200, fewer when they are wide. */
export function portionSize(columns: number): number {
  return Math.max(1, Math.min(PORTION_ROWS, Math.floor(PORTION_CELLS / Math.max(columns, 1))));
}

/** Splits rows that are already in memory. */
export function tableContent(headers: readonly string[], rows: Iterable<Cell[]>): PortionedTable {
  const collector = new RowCollector(headers.length);
  for (const row of rows) collector.add(row);
  return collector.finish(headers);
}

/** Collects rows one by one; all but the first portion are serialised, which takes a tenth of their size as objects. */
export class RowCollector {
  readonly #size: number;
  readonly #first: Cell[][] = [];
  readonly #portions: Uint8Array[] = [];
  #pending: Cell[][] = [];
  #count = 0;
  #width = 0;

  constructor(columns: number) {
    this.#size = portionSize(Math.min(columns, MAX_COLUMNS));
  }

  get count(): number {
    return this.#count;
  }

  /** The most columns of a row. */
  get width(): number {
    return this.#width;
  }

  add(cells: Cell[]): void {
    const row = cells.length > MAX_COLUMNS ? cells.slice(0, MAX_COLUMNS) : cells;
    this.#width = Math.max(this.#width, cells.length);
    this.#count += 1;
    if (this.#first.length < this.#size) {
      this.#first.push(row);
      return;
    }
    this.#pending.push(row);
    if (this.#pending.length === this.#size) this.#flush();
  }

  /** @param columns those of the table, with the ones that are left out */
  finish(headers: readonly string[], columns = headers.length): PortionedTable {
    if (this.#pending.length > 0) this.#flush();
    const content = {
      headers: headers.slice(0, MAX_COLUMNS),
      rows: this.#first,
      total_rows: this.#count,
      total_columns: columns,
    };
    return this.#portions.length === 0
      ? { content }
      : { content, overflow: { portions: this.#portions, size: this.#size } };
  }

  #flush(): void {
    this.#portions.push(Buffer.from(JSON.stringify(this.#pending)));
    this.#pending = [];
  }
}

/** The plain value of a cell. */
export function cellValue(cell: Cell): string | number | boolean | null {
  return cell !== null && typeof cell === 'object' ? cell.value : cell;
}

/** The text that a cell shows. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'object' ? cell.text : String(cell);
}
