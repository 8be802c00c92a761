import type { Cell, TableContent, TableOverflow } from './element.ts';

const PORTION_ROWS = 200;
const PORTION_CELLS = 5000;

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
export function tableContent(headers: readonly string[], rows: readonly Cell[][]): PortionedTable {
  const collector = new RowCollector(headers.length);
  for (const row of rows) collector.add(row);
  return collector.finish(headers);
}

/** Takes rows one by one and keeps all but the first portion serialised, which is a tenth of their size as objects. */
export class RowCollector {
  readonly #size: number;
  readonly #first: Cell[][] = [];
  readonly #portions: Uint8Array[] = [];
  #pending: Cell[][] = [];
  #count = 0;

  constructor(columns: number) {
    this.#size = portionSize(columns);
  }

  get count(): number {
    return this.#count;
  }

  add(row: Cell[]): void {
    this.#count += 1;
    if (this.#first.length < this.#size) {
      this.#first.push(row);
      return;
    }
    this.#pending.push(row);
    if (this.#pending.length === this.#size) this.#flush();
  }

  finish(headers: readonly string[]): PortionedTable {
    if (this.#pending.length > 0) this.#flush();
    const content = {
      headers: [...headers],
      rows: this.#first,
      total_rows: this.#count,
      total_columns: headers.length,
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

/** What the cell is. */
export function cellValue(cell: Cell): string | number | boolean | null {
  return cell !== null && typeof cell === 'object' ? cell.value : cell;
}

/** What the cell shows. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'object' ? cell.text : String(cell);
}
