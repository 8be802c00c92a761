import { table } from '@a2c-smcp/publish/content';
import { type Block, boundingBox, joinLines, lineText, typed } from './blocks.ts';
import { joinPieces, type Piece } from './lines.ts';
import type { Rule } from './rules.ts';

/** Lines that are closer are the same, or touch. */
const NEAR = 3;
const MAX_LINES = 400;

/** The borders of the columns and rows of a table, ascending. */
interface Grid {
  xs: number[];
  ys: number[];
  rules: Rule[];
}

/** The tables that lines draw on a page, and the pieces of text that are not in one. */
export function takeRuledTables(pieces: readonly Piece[], rules: readonly Rule[]): { blocks: Block[]; rest: Piece[] } {
  let rest = [...pieces];
  const blocks: Block[] = [];
  for (const group of connected(rules)) {
    const grid = gridOf(group);
    if (grid === undefined) continue;
    const inside = rest.filter(piece => isInside(grid, piece));
    const block = tableOf(grid, inside);
    if (block === undefined) continue;
    blocks.push(block);
    const taken = new Set(inside);
    rest = rest.filter(piece => !taken.has(piece));
  }
  return { blocks, rest };
}

/** Groups of lines that touch each other. */
function connected(rules: readonly Rule[]): Rule[][] {
  const groups: { rules: Rule[]; box: Box }[] = [];
  for (const rule of rules) {
    const box = boxOf(rule);
    const [group, ...others] = groups.filter(candidate => overlaps(candidate.box, box));
    if (group === undefined) {
      groups.push({ rules: [rule], box });
      continue;
    }
    // In place: a page may have thousands of lines.
    group.rules.push(rule);
    group.box = around(group.box, box);
    for (const other of others) {
      for (const joined of other.rules) group.rules.push(joined);
      group.box = around(group.box, other.box);
      groups.splice(groups.indexOf(other), 1);
    }
  }
  return groups.map(group => group.rules);
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function boxOf({ isLevel, at, from, to }: Rule): Box {
  return isLevel ? { left: from, right: to, top: at, bottom: at } : { left: at, right: at, top: from, bottom: to };
}

function overlaps(a: Box, b: Box): boolean {
  const isApart =
    a.left > b.right + NEAR || b.left > a.right + NEAR || a.top > b.bottom + NEAR || b.top > a.bottom + NEAR;
  return !isApart;
}

function around(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

/** Two columns and two rows at least; a table may have no lines at its sides, or none at its top and bottom. */
function gridOf(rules: Rule[]): Grid | undefined {
  const level = rules.filter(({ isLevel }) => isLevel);
  const upright = rules.filter(({ isLevel }) => !isLevel);
  if (level.length === 0 || upright.length === 0) return undefined;
  const xs = distinct([...upright.map(({ at }) => at), ...level.flatMap(({ from, to }) => [from, to])]);
  const ys = distinct([...level.map(({ at }) => at), ...upright.flatMap(({ from, to }) => [from, to])]);
  const isTable = xs.length >= 3 && ys.length >= 3 && xs.length < MAX_LINES && ys.length < MAX_LINES;
  return isTable ? { xs, ys, rules } : undefined;
}

function distinct(numbers: readonly number[]): number[] {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted.filter((number, index) => index === 0 || number - (sorted[index - 1] ?? 0) > NEAR);
}

/** A piece is where its middle is. */
function placeOf({ x, y, width, size }: Piece): { x: number; y: number } {
  return { x: x + width / 2, y: y - size * 0.3 };
}

function isInside({ xs, ys }: Grid, piece: Piece): boolean {
  const { x, y } = placeOf(piece);
  return x > (xs[0] ?? 0) && x < (xs.at(-1) ?? 0) && y > (ys[0] ?? 0) && y < (ys.at(-1) ?? 0);
}

function tableOf(grid: Grid, pieces: readonly Piece[]): Block | undefined {
  const { xs, ys } = grid;
  const cells = Array.from({ length: ys.length - 1 }, () => Array.from({ length: xs.length - 1 }, (): Piece[] => []));
  for (const piece of pieces) {
    const { x, y } = placeOf(piece);
    const column = xs.findLastIndex(border => border <= x);
    const row = ys.findLastIndex(border => border <= y);
    const place = firstCell(grid, column, row);
    cells[place.row]?.[place.column]?.push(piece);
  }
  const rows = cells.map(row => row.map(textOf)).filter(row => row.some(text => text !== ''));
  const used = xs.slice(1).map((_, column) => rows.some(row => row[column] !== ''));
  const shown = rows.map(row => row.filter((_, column) => used[column]));
  const full = shown.filter(row => row.filter(text => text !== '').length > 1).length;
  if (full < 2 || full * 2 < shown.length) return undefined;
  const [headers = [], ...body] = shown;
  const [left = 0, right = 0, top = 0, bottom = 0] = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
  const element = {
    ...table(
      headers,
      body.map(row => row.map(typed)),
    ),
    metadata: { bounding_box: boundingBox(left, top, right, bottom) },
  };
  return { element, top };
}

/** The first cell of those that no line divides: a cell over several columns or rows is one. */
function firstCell({ xs, ys, rules }: Grid, column: number, row: number): { column: number; row: number } {
  const middle = (borders: readonly number[], index: number) => ((borders[index] ?? 0) + (borders[index + 1] ?? 0)) / 2;
  const divides = (isLevel: boolean, at: number, through: number) =>
    rules.some(
      rule => rule.isLevel === isLevel && Math.abs(rule.at - at) <= NEAR && rule.from <= through && rule.to >= through,
    );
  const [x, y] = [middle(xs, column), middle(ys, row)];
  let [firstColumn, firstRow] = [column, row];
  while (firstColumn > 0 && !divides(false, xs[firstColumn] ?? 0, y)) firstColumn -= 1;
  while (firstRow > 0 && !divides(true, ys[firstRow] ?? 0, x)) firstRow -= 1;
  return { column: firstColumn, row: firstRow };
}

function textOf(pieces: readonly Piece[]): string {
  return joinPieces(pieces).map(lineText).reduce(joinLines, '');
}
