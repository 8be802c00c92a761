import {
  annotation,
  type Cell,
  cellText,
  type Element,
  formula,
  MAX_COLUMNS,
  paragraph,
  RowCollector,
  tableSummary,
} from '@a2c-smcp/publish/content';

/** Cells of a table, with empty ones before others. Each row of a sheet may have one cell far away. */
const MAX_PLACES = 20_000_000;
/** Columns that are shown of the rows behind these. */
const NEAR_COLUMNS = 1000;

/** Rows that are collected before the shape of a block is decided. */
const PROBE_ROWS = 50;
const MAX_BLOCKS = 100;
/** Characters of the blocks that a page shows; those behind it would be mentioned by their ids only. */
const PAGE_CHARACTERS = 18_500;
/** Characters after which all further rows are of one table, whose later portions can be read one after the other. */
const CROWDED_CHARACTERS = 15_500;
const MAX_FORMULAS = 100;

/** A row of a sheet: its number from 0 and its cells by column. */
export interface SheetRow {
  row: number;
  cells: Map<number, Cell>;
}

/**
 * Turns the rows of a sheet, as they stream by, into elements. Blank rows separate blocks; a block is a table, or text
 * when it is one column of words. A single cell above a wider block is its title.
 */
export class BlockCollector {
  readonly elements: Element[] = [];
  readonly #sheet: string;
  #probe: SheetRow[] = [];
  #table: TableBlock | undefined;
  #lastRow = -1;
  /** Characters of the finished elements on the page. */
  #characters = 0;

  constructor(sheet: string) {
    this.#sheet = sheet;
  }

  add(row: SheetRow): void {
    if (row.cells.size === 0) return;
    const separated = row.row > this.#lastRow + 1 && !this.#isCrowded;
    if (separated || this.#table?.begins(row) === 'elsewhere') this.finish();
    this.#lastRow = row.row;
    if (this.#table !== undefined) this.#table.add(row);
    else {
      this.#probe.push(row);
      if (this.#probe.length === PROBE_ROWS) this.#decide();
    }
  }

  finish(): Element[] {
    this.#decide();
    if (this.#table !== undefined) {
      this.#characters += this.#table.characters;
      this.elements.push(this.#table.finish());
    }
    this.#table = undefined;
    return this.elements;
  }

  get #isCrowded(): boolean {
    const characters = this.#characters + (this.#table?.characters ?? 0);
    return this.elements.length >= MAX_BLOCKS || characters > CROWDED_CHARACTERS;
  }

  #decide(): void {
    const rows = this.#probe;
    if (rows.length === 0) return;
    this.#probe = [];
    const widest = Math.max(...rows.map(({ cells }) => cells.size));
    const isLast = this.#isCrowded;
    const titles = widest === 1 || isLast ? 0 : rows.findIndex(({ cells }) => cells.size > 1);
    for (const title of rows.splice(0, titles)) this.#addText([title]);
    if (!isLast && widest === 1 && rows.length < PROBE_ROWS && rows.every(isWords)) this.#addText(rows);
    else this.#table = new TableBlock(rows, { sheet: this.#sheet, room: PAGE_CHARACTERS - this.#characters, isLast });
  }

  #addText(rows: readonly SheetRow[]): void {
    const element = this.#text(rows);
    this.#characters += String(element.content.text).length;
    this.elements.push(element);
  }

  #text(rows: readonly SheetRow[]): Element {
    const [first] = rows;
    const text = rows.flatMap(({ cells }) => [...cells.values()].map(cellText)).join('\n');
    const place = { column: [...(first?.cells.keys() ?? [])][0] ?? 0, row: first?.row ?? 0 };
    return { ...paragraph(text), metadata: { sheet: this.#sheet, cell: cellName(place) } };
  }
}

class TableBlock {
  readonly #sheet: string;
  readonly #left: number;
  readonly #headers: Cell[] | undefined;
  readonly #rows: RowCollector;
  readonly #top: number;
  #width: number;
  #bottom: number;
  /** Cells of its rows so far, with empty ones before others. */
  #places = 0;

  /** @param options the last table begins at column A, so that each further row fits it */
  constructor(probe: readonly SheetRow[], { sheet, room, isLast }: { sheet: string; room: number; isLast: boolean }) {
    const columns = probe.flatMap(({ cells }) => [...cells.keys()]);
    this.#sheet = sheet;
    this.#left = isLast ? 0 : columns.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    this.#width = columns.reduce((a, b) => Math.max(a, b), 0) - this.#left + 1;
    const [first, ...rest] = probe;
    this.#top = first?.row ?? 0;
    this.#bottom = this.#top;
    const named = first !== undefined && rest.length > 0 && looksLikeHeader(first, this.#width);
    if (named) this.#headers = this.#align(first);
    this.#rows = new RowCollector(this.#names, room);
    for (const row of named ? rest : probe) this.add(row);
  }

  /** Characters that a page shows of it. */
  get characters(): number {
    return this.#rows.shownCharacters;
  }

  get #names(): string[] {
    return Array.from({ length: Math.min(this.#width, MAX_COLUMNS) }, (_, column) =>
      this.#headers === undefined ? columnName(this.#left + column) : cellText(this.#headers[column] ?? null),
    );
  }

  /** A row that reaches further to the left cannot be part of this table. */
  begins({ cells }: SheetRow): 'here' | 'elsewhere' {
    for (const column of cells.keys()) if (column < this.#left) return 'elsewhere';
    return 'here';
  }

  add(row: SheetRow): void {
    this.#bottom = row.row;
    this.#rows.add(this.#align(row));
  }

  finish(): Element {
    const names = this.#names;
    const { content, overflow } = this.#rows.finish(names, this.#width);
    const corner = { column: this.#left + this.#width - 1, row: this.#bottom };
    return {
      category: 'table',
      summary: tableSummary(content.headers, content),
      content: { ...content },
      identity: names.join('\u001f'),
      metadata: {
        sheet: this.#sheet,
        range: `${cellName({ column: this.#left, row: this.#top })}:${cellName(corner)}`,
      },
      ...(overflow && { overflow }),
    };
  }

  #align({ cells }: SheetRow): Cell[] {
    let end = 0;
    for (const column of cells.keys()) end = Math.max(end, column - this.#left + 1);
    this.#width = Math.max(this.#width, end);
    const row = new Array<Cell>(Math.min(end, this.#places < MAX_PLACES ? MAX_COLUMNS : NEAR_COLUMNS)).fill(null);
    this.#places += row.length;
    for (const [column, cell] of cells) if (column - this.#left < row.length) row[column - this.#left] = cell;
    return row;
  }
}

/** Words, or years beside words, over at least half of the columns. */
function looksLikeHeader({ cells }: SheetRow, width: number): boolean {
  const values = [...cells.values()];
  const words = values.filter(cell => typeof cell === 'string').length;
  const years = values.filter(cell => typeof cell === 'number' && cell >= 1900 && cell <= 2100).length;
  return words > 0 && words + years === values.length && values.length * 2 >= width;
}

function isWords({ cells }: SheetRow): boolean {
  return [...cells.values()].every(cell => typeof cell === 'string');
}

interface FormulaRun {
  first: CellPlace;
  last: CellPlace;
  expression: string;
  relative: string;
}

/** Collects formulas; one that was copied down a column is one formula over a range. */
export class FormulaCollector {
  readonly #runs: FormulaRun[] = [];
  readonly #latest = new Map<number, FormulaRun>();
  #omitted = 0;

  add(place: CellPlace, expression: string): void {
    const relative = relativeFormula(expression, place);
    const above = this.#latest.get(place.column);
    if (above?.relative === relative && above.last.row === place.row - 1) {
      above.last = place;
      return;
    }
    const run = { first: place, last: place, expression, relative };
    this.#latest.set(place.column, run);
    if (this.#runs.length < MAX_FORMULAS) this.#runs.push(run);
    else this.#omitted += 1;
  }

  /** A formula that the file itself shares among cells: those below repeat the one above. */
  repeat(place: CellPlace): void {
    const above = this.#latest.get(place.column);
    if (above !== undefined && above.last.row === place.row - 1) above.last = place;
  }

  elements(sheet: string): Element[] {
    const found = this.#runs.map(({ first, last, expression, relative }) => {
      const range = first.row === last.row ? cellName(first) : `${cellName(first)}:${cellName(last)}`;
      return {
        ...formula(`${range} = ${expression}`),
        identity: `${first.column} ${relative}`,
        metadata: { sheet, range },
      };
    });
    return this.#omitted === 0 ? found : [...found, annotation(`${this.#omitted} further formulas are not listed`)];
  }
}

/** A place in a sheet, both counted from 0. */
export interface CellPlace {
  column: number;
  row: number;
}

const cell = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/;

/** Reads `B12`, dollar signs allowed. */
export function parseCell(reference: string): CellPlace | undefined {
  const match = cell.exec(reference);
  if (match?.[1] === undefined) return undefined;
  return { column: columnIndex(match[1]), row: Number(match[2]) - 1 };
}

/** Writes `B12`. */
export function cellName({ column, row }: CellPlace): string {
  return `${columnName(column)}${row + 1}`;
}

/** Writes `B`, as spreadsheets count columns. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

/** A formula with its references counted from the cell it stands in, so that copies of one formula are equal. */
export function relativeFormula(expression: string, { column, row }: CellPlace): string {
  return expression.replace(/(\$?)\b([A-Z]{1,3})(\$?)(\d{1,7})\b/g, (_, fixedColumn, letters, fixedRow, digits) => {
    const c = fixedColumn === '$' ? letters : `[${columnIndex(letters) - column}]`;
    const r = fixedRow === '$' ? digits : `[${Number(digits) - 1 - row}]`;
    return `R${r}C${c}`;
  });
}

function columnIndex(letters: string): number {
  let index = 0;
  for (let at = 0; at < letters.length; at += 1) index = index * 26 + letters.charCodeAt(at) - 64;
  return index - 1;
}
