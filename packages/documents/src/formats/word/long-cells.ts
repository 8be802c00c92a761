/** Markdown shows this many characters of a cell. Cells of texts with more are there for the layout of a page. */
export const MAX_CELL_CHARACTERS = 4000;
const POINTER = '(see the text below)';

/** A table, and the paragraphs of its cells that are too long for it. */
export interface ShortTable {
  /** Empty if nothing but long cells was in it. */
  rows: readonly (readonly string[])[];
  paragraphs: string[];
}

/** Takes long cells out of a table, so that no word of them is cut off. */
export function takeLongCells(rows: readonly (readonly string[])[]): ShortTable {
  const isLong = (cell: string) => cell.length > MAX_CELL_CHARACTERS;
  if (!rows.some(row => row.some(isLong))) return { rows, paragraphs: [] };
  const cells = rows.flat();
  const paragraphs = cells.filter(isLong).flatMap(cell => cell.split('\n').filter(line => line.trim() !== ''));
  const hasOthers = cells.some(cell => cell.trim() !== '' && !isLong(cell));
  return { rows: hasOthers ? rows.map(row => row.map(cell => (isLong(cell) ? POINTER : cell))) : [], paragraphs };
}
