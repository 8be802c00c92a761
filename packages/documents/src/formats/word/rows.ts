/** Columns that Word has at most. */
const MAX_COLUMNS = 63;
/** Twips by which the edges of cells in one column differ: rows are not drawn exactly below each other. */
const EDGE_TWIPS = 30;

/** A row of a table, and where its cells end on paper, in twips. */
export interface DrawnRow {
  cells: string[];
  edges: readonly number[];
}

/** Rows with as many cells as the table has columns: a cell over several of them is followed by empty ones. */
export function alignRows(rows: readonly DrawnRow[]): string[][] {
  const edges: number[] = [];
  for (const edge of rows.flatMap(row => row.edges).toSorted((a, b) => a - b)) {
    if (edge - (edges.at(-1) ?? Number.NEGATIVE_INFINITY) > EDGE_TWIPS) edges.push(edge);
  }
  if (edges.length > MAX_COLUMNS) return rows.map(({ cells }) => cells);
  const columnOf = (edge: number) => edges.findLastIndex(known => known <= edge);
  return rows.map(row => {
    if (row.edges.length < row.cells.length) return row.cells;
    const aligned: string[] = [];
    for (const [index, cell] of row.cells.entries()) {
      aligned.push(cell);
      while (aligned.length <= columnOf(row.edges[index] ?? 0)) aligned.push('');
    }
    return aligned;
  });
}
