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
  /** The number of the first row of each portion, counted from 0. */
  starts: number[];
}

const PORTION_ROWS = 200;
const PORTION_CELLS = 5000;
/** Characters of the rows of a portion as Markdown, unless a single one has more, and of the names above them. */
const PORTION_CHARACTERS = 15_000;
const NAME_CHARACTERS = 3000;
/** The bars, the spaces and the line around the name of a column. */
const NAME_MARGIN = 9;
/** The bars and spaces around a cell. */
const CELL_MARGIN = 3;
/** Further columns are left out; `total_columns` counts them. */
export const MAX_COLUMNS = 1000;

/** The share of a table that fits a page, and the rest in portions. */
export interface PortionedTable {
  content: TableContent;
  overflow?: TableOverflow;
}

/** The most rows in one portion: 200, fewer when they are wide. Long cells make them fewer still. */
export function portionSize(columns: number): number {
  return Math.max(1, Math.min(PORTION_ROWS, Math.floor(PORTION_CELLS / Math.max(columns, 1))));
}

/** Splits rows that are already in memory. */
export function tableContent(headers: readonly string[], rows: Iterable<Cell[]>): PortionedTable {
  const collector = new RowCollector(headers);
  for (const row of rows) collector.add(row);
  return collector.finish(headers);
}

/** Collects rows one by one; all but the first portion are serialised, which takes a tenth of their size as objects. */
export class RowCollector {
  readonly #size: number;
  /** Characters of the first portion, and of others. */
  readonly #room: number;
  readonly #laterRoom: number;
  readonly #first: Cell[][] = [];
  readonly #portions: Uint8Array[] = [];
  readonly #starts: number[] = [];
  #pending: Cell[][] = [];
  #isFirst = true;
  /** Rows and characters of the current portion. */
  #rows = 0;
  #characters = 0;
  #count = 0;
  #width = 0;
  #shownCharacters: number;

  /**
   * @param names those of the columns; long ones leave less room for rows, since each portion repeats them
   * @param room characters of the first portion with the names, for a page that has other content, too
   */
  constructor(names: readonly string[], room = Number.POSITIVE_INFINITY) {
    const columns = Math.min(names.length, MAX_COLUMNS);
    this.#size = portionSize(columns);
    const above = names.slice(0, columns).reduce((sum, name) => sum + name.length, NAME_MARGIN * columns);
    this.#laterRoom = PORTION_CHARACTERS - Math.max(0, above - NAME_CHARACTERS);
    this.#room = Math.min(room - above, this.#laterRoom);
    this.#shownCharacters = above;
  }

  /** Characters of the names and the first portion so far. */
  get shownCharacters(): number {
    return this.#shownCharacters;
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
    const characters = row.reduce<number>((sum, cell) => sum + cellText(cell).length + CELL_MARGIN, 0);
    const limit = this.#isFirst ? this.#room : this.#laterRoom;
    const isFull = this.#rows === this.#size || this.#characters + characters > limit;
    if (this.#rows > 0 && isFull) this.#flush();
    (this.#isFirst ? this.#first : this.#pending).push(row);
    if (this.#isFirst) this.#shownCharacters += characters;
    this.#count += 1;
    this.#rows += 1;
    this.#characters += characters;
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
      : { content, overflow: { portions: this.#portions, starts: this.#starts } };
  }

  #flush(): void {
    if (!this.#isFirst) {
      this.#starts.push(this.#count - this.#rows);
      this.#portions.push(Buffer.from(JSON.stringify(this.#pending)));
    }
    this.#isFirst = false;
    this.#pending = [];
    this.#rows = 0;
    this.#characters = 0;
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
