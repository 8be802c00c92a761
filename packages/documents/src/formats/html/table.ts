import { type Element, table } from '@a2c-smcp/publish/content';
import { MAX_CELL_CHARACTERS } from '../word/long-cells.ts';
import type { HtmlNode } from './tree.ts';
import { textOf } from './words.ts';

/** Cells that one cell may stand for, and rows that it may reach over; browsers have limits, too. */
const MAX_SPAN = 1000;
/** Further columns are counted and left out: a few spans would fill them all. */
const MAX_COLUMNS = 1000;
const MAX_ROW_SPAN = 10_000;
/** Places of a whole document that cells fill beyond their own; further cells stay in the place where they begin. */
export const MAX_SPANNED = 1_000_000;
const parts = new Set(['thead', 'tbody', 'tfoot']);

/** Places that the cells of a document may still fill by their spans. */
export interface SpanBudget {
  left: number;
}

interface GridCell {
  text: string;
  isHeader: boolean;
}

/** The cells of a row that are shown, and the columns that it reaches over. */
interface GridRow {
  cells: (GridCell | undefined)[];
  width: number;
}

/** Tables around other tables arrange a page; their cells are read as its blocks. */
export function isLayout(node: HtmlNode): boolean {
  const { role } = node.attribs ?? {};
  return role === 'presentation' || role === 'none' || node.hasTable === true;
}

/**
 * A table with each cell in all the rows and columns that it spans: its text in the first, and in rows below. Undefined if
 * a cell is too long for a table, which then arranges the page.
 */
export function tableElement(
  node: HtmlNode,
  words: (node: HtmlNode | undefined) => string,
  budget: SpanBudget,
): Element | undefined {
  const rows = spread(rowsOf(node), words, budget);
  if (rows.some(({ cells }) => cells.some(cell => (cell?.text.length ?? 0) > MAX_CELL_CHARACTERS))) return undefined;
  const [{ cells: first } = { cells: [] }, ...rest] = rows;
  const width = rows.reduce((most, row) => Math.max(most, row.width), 0);
  const isNamed =
    rest.length > 0 && first.length > 0 && (first.every(cell => cell?.isHeader) || areNames(first, width));
  const headers = Array.from({ length: width }, (_, column) =>
    isNamed ? (first[column]?.text ?? '') : `Column ${column + 1}`,
  );
  const body = (isNamed ? rest : rows).map(({ cells }) => cells.map(cell => cell?.text ?? ''));
  return table(headers, body, words(captionOf(node)) || undefined);
}

export function captionOf({ children = [] }: HtmlNode): HtmlNode | undefined {
  return children.find(({ name }) => name === 'caption');
}

/** Words in every cell of a row, and no number among them. */
function areNames(row: readonly (GridCell | undefined)[], width: number): boolean {
  return (
    row.length === width && row.every(cell => cell !== undefined && /\p{L}/u.test(cell.text) && cell.text.length <= 60)
  );
}

/** The rows of a table itself. Cells directly inside of a part are a row. */
function rowsOf({ children = [] }: HtmlNode, rows: HtmlNode[] = []): HtmlNode[] {
  for (const child of children) {
    if (child.name === 'tr') rows.push(child);
    else if (child.name !== undefined && parts.has(child.name)) {
      const loose = cellsOf(child);
      if (loose.length > 0) rows.push({ ...child, children: loose });
      rowsOf(child, rows);
    }
  }
  return rows;
}

const inTables = new Set(['caption', 'col', 'colgroup', 'td', 'th']);

/** Text of a table that is in none of its cells, as templates have it. */
export function strayText({ children = [] }: HtmlNode): string {
  let text = '';
  for (const { data, name = '', kind, children: inner = [] } of children) {
    if (data !== undefined) text += data;
    else if (name === 'tr' || parts.has(name)) text += strayText({ children: inner });
    else if (kind !== 'invisible' && !inTables.has(name)) text += ` ${textOf({ children: inner })} `;
  }
  return text.trim() === '' ? '' : text;
}

function cellsOf({ children = [] }: HtmlNode): HtmlNode[] {
  const cells: HtmlNode[] = [];
  for (const child of children) if (child.name === 'td' || child.name === 'th') cells.push(child);
  return cells;
}

function spread(rows: readonly HtmlNode[], words: (node: HtmlNode) => string, budget: SpanBudget): GridRow[] {
  /** Cells that reach down from rows above, by column, with the number of rows they still cover. */
  const reaching = new Map<number, { cell: GridCell; rows: number }>();
  return rows.map(row => {
    const line: (GridCell | undefined)[] = [];
    const own = cellsOf(row);
    if (reaching.size === 0 && own.length <= MAX_COLUMNS && !own.some(spans)) {
      const cells = own.map(node => ({ text: words(node), isHeader: node.name === 'th' }));
      return { cells, width: cells.length };
    }
    const isSpent = budget.left <= 0;
    if (isSpent) reaching.clear();
    let [column, left] = [0, 0];
    const takeReaching = () => {
      for (let above = reaching.get(column); above !== undefined; above = reaching.get(column)) {
        line[column] = above.cell;
        above.rows -= 1;
        if (above.rows === 0) reaching.delete(column);
        column += 1;
      }
    };
    for (const node of own) {
      takeReaching();
      if (column >= MAX_COLUMNS) {
        // Counted, but not shown.
        left += spanOf(node.attribs?.colspan, MAX_SPAN);
        continue;
      }
      const cell = { text: words(node), isHeader: node.name === 'th' };
      const columns = isSpent ? 1 : spanOf(node.attribs?.colspan, MAX_SPAN);
      const below = isSpent ? 0 : spanOf(node.attribs?.rowspan, MAX_ROW_SPAN) - 1;
      for (let end = Math.min(column + columns, MAX_COLUMNS), isFirst = true; column < end; column += 1) {
        line[column] = isFirst || cell.isHeader ? cell : { text: '', isHeader: cell.isHeader };
        if (below > 0) reaching.set(column, { cell: line[column] ?? cell, rows: below });
        isFirst = false;
      }
    }
    takeReaching();
    budget.left -= Math.max(line.length - own.length, 0);
    return { cells: Array.from(line), width: line.length + left };
  });
}

function spans({ attribs }: HtmlNode): boolean {
  return attribs?.colspan !== undefined || attribs?.rowspan !== undefined;
}

function spanOf(text: string | undefined, limit: number): number {
  return Math.min(Math.max(Number.parseInt(text ?? '1', 10) || 1, 1), limit);
}
