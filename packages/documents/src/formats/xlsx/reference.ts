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
