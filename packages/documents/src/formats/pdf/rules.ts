import { drawn, isMatrix } from './images.ts';
import type { Matrix, OperatorList } from './operators.ts';
import { OPS } from './pdfjs.ts';

/** A straight line that is drawn on a page, level or upright, in points from the top left. */
export interface Rule {
  isLevel: boolean;
  /** Its height on the page if it is level, and otherwise its distance from the left. */
  at: number;
  from: number;
  to: number;
}

/** Thinner areas are lines. */
const MAX_THICKNESS = 3;
const MIN_LENGTH = 6;
/** A page with more lines is a drawing. */
const MAX_RULES = 5000;

const strokes = new Set<number>([OPS.stroke, OPS.closeStroke, OPS.fillStroke, OPS.eoFillStroke, OPS.closeFillStroke]);
const fills = new Set<number>([OPS.fill, OPS.eoFill, OPS.fillStroke, OPS.eoFillStroke]);

/** The lines of a page from which tables are drawn: strokes, the borders of boxes, and very thin areas. */
export function findRules(list: OperatorList, viewport: unknown): Rule[] {
  if (!isMatrix(viewport)) return [];
  const rules: Rule[] = [];
  for (const { operator, args, matrix } of drawn(list, viewport)) {
    if (operator !== OPS.constructPath || !Array.isArray(args)) continue;
    const [paint, [path] = []] = args as [number, (ArrayLike<number> | null)[]?];
    if (path === undefined || path === null) continue;
    const isStroke = strokes.has(paint);
    if (!isStroke && !fills.has(paint)) continue;
    for (const points of outlines(path, matrix)) rules.push(...(isStroke ? edges(points) : thin(points)));
    if (rules.length > MAX_RULES) return [];
  }
  return rules;
}

type Point = readonly [x: number, y: number];

/** The corners of each part of a path; a part with a curve is left out. */
function outlines(path: ArrayLike<number>, matrix: Matrix): Point[][] {
  const found: Point[][] = [];
  let current: Point[] = [];
  let isCurved = false;
  const end = () => {
    if (current.length > 1 && !isCurved) found.push(current);
    current = [];
    isCurved = false;
  };
  for (let at = 0; at < path.length; ) {
    const kind = path[at];
    at += 1;
    if (kind === 0 || kind === 1) {
      if (kind === 0) end();
      current.push(toPage(matrix, path[at] ?? 0, path[at + 1] ?? 0));
      at += 2;
    } else if (kind === 4) {
      const [first] = current;
      if (first !== undefined) current.push(first);
      end();
    } else {
      isCurved = true;
      at += kind === 2 ? 6 : 4;
    }
  }
  end();
  return found;
}

function toPage([a, b, c, d, e, f]: Matrix, x: number, y: number): Point {
  return [a * x + c * y + e, b * x + d * y + f];
}

function edges(points: readonly Point[]): Rule[] {
  return points.slice(1).flatMap((point, index) => ruleOf(points[index] ?? point, point));
}

/** An area that is as thin as a line. */
function thin(points: readonly Point[]): Rule[] {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  if (bottom - top <= MAX_THICKNESS) return ruleOf([left, (top + bottom) / 2], [right, (top + bottom) / 2]);
  return right - left <= MAX_THICKNESS ? ruleOf([(left + right) / 2, top], [(left + right) / 2, bottom]) : [];
}

function ruleOf([x1, y1]: Point, [x2, y2]: Point): Rule[] {
  const isLevel = Math.abs(y1 - y2) < 1;
  if (!isLevel && Math.abs(x1 - x2) >= 1) return [];
  const [from, to] = isLevel ? [Math.min(x1, x2), Math.max(x1, x2)] : [Math.min(y1, y2), Math.max(y1, y2)];
  return to - from < MIN_LENGTH ? [] : [{ isLevel, at: isLevel ? y1 : x1, from, to }];
}
