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
  /** Set if a portion has only some of the columns: all names, and the first column of each portion and the one behind it. */
  wide?: { names: string[]; columns: [from: number, to: number][] };
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
/** Characters of the names of columns in a portion; columns behind them are in portions of their own. */
const BLOCK_CHARACTERS = 8000;
/** As many as a sheet of Excel has. Further columns are left out; `total_columns` counts them. */
export const MAX_COLUMNS = 16_384;

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
  /** Where each block of columns begins and ends; most tables have one. */
  readonly #blocks: [from: number, to: number][];
  /** The block of columns of each portion. */
  readonly #columns: [from: number, to: number][] = [];
  #pending: Cell[][] = [];
  /** The cells beside the first block of columns, by block. */
  #beside: Cell[][][];
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
    this.#blocks = blocksOf(names.slice(0, columns));
    this.#beside = this.#blocks.slice(1).map(() => []);
    this.#size = portionSize(Math.max(...this.#blocks.map(([from, to]) => Math.min(to, columns) - from)));
    const above = namesLength(names.slice(0, this.#blocks[0]?.[1] ?? columns));
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
    const [own = row, ...others] = this.#blocks.length === 1 ? [row] : this.#blocks.map(block => row.slice(...block));
    const characters = Math.max(rowLength(own), ...others.map(rowLength));
    const limit = this.#isFirst ? this.#room : this.#laterRoom;
    const isFull = this.#rows === this.#size || this.#characters + characters > limit;
    if (this.#rows > 0 && isFull) this.#flush();
    (this.#isFirst ? this.#first : this.#pending).push(own);
    for (const [index, cells] of others.entries()) this.#beside[index]?.push(cells);
    if (this.#isFirst) this.#shownCharacters += characters;
    this.#count += 1;
    this.#rows += 1;
    this.#characters += characters;
  }

  /** @param columns those of the table, with the ones that are left out */
  finish(headers: readonly string[], columns = headers.length): PortionedTable {
    if (this.#pending.length > 0 || (this.#beside.length > 0 && this.#rows > 0)) this.#flush();
    const isWide = this.#beside.length > 0;
    const content = {
      headers: headers.slice(0, isWide ? this.#blocks[0]?.[1] : MAX_COLUMNS),
      rows: this.#first,
      total_rows: this.#count,
      total_columns: columns,
    };
    if (this.#portions.length === 0) return { content };
    const wide = isWide && { wide: { names: headers.slice(0, MAX_COLUMNS), columns: this.#columns } };
    return { content, overflow: { portions: this.#portions, starts: this.#starts, ...wide } };
  }

  #flush(): void {
    const [first, ...others] = this.#blocks;
    if (!this.#isFirst && first !== undefined) this.#addPortion(this.#pending, first);
    for (const [index, block] of others.entries()) {
      const rows = this.#beside[index] ?? [];
      // Most columns of a sheet are empty when a single cell lies far away.
      if (rows.some(row => row.some(cell => cell !== null && cell !== ''))) this.#addPortion(rows, block);
    }
    this.#isFirst = false;
    this.#pending = [];
    this.#beside = others.map(() => []);
    this.#rows = 0;
    this.#characters = 0;
  }

  #addPortion(rows: readonly Cell[][], block: [from: number, to: number]): void {
    this.#starts.push(this.#count - this.#rows);
    this.#columns.push(block);
    this.#portions.push(Buffer.from(JSON.stringify(rows)));
  }
}

/** Divides columns whose names are too long to stand above one portion. The last block has all columns behind it. */
function blocksOf(names: readonly string[]): [from: number, to: number][] {
  const starts = [0];
  let length = 0;
  for (const [column, name] of names.entries()) {
    length += name.length + NAME_MARGIN;
    if (length <= BLOCK_CHARACTERS || column === starts.at(-1)) continue;
    starts.push(column);
    length = name.length + NAME_MARGIN;
  }
  return starts.map((from, index) => [from, starts[index + 1] ?? MAX_COLUMNS]);
}

function namesLength(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + name.length + NAME_MARGIN, 0);
}

function rowLength(row: readonly Cell[]): number {
  let length = row.length * CELL_MARGIN;
  for (const cell of row) if (cell !== null) length += cellText(cell).length;
  return length;
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
