import { image } from '@a2c-smcp/publish/content';
import { type Block, boundingBox } from './blocks.ts';
import type { Matrix, OperatorList } from './operators.ts';
import type { LargePicture } from './page-budget.ts';
import { OPS } from './pdfjs.ts';

const paints = new Set<number>([OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject]);
const MAX_IMAGES = 50;

/** A picture that a page draws, with its number on the page, from 1. */
export interface DrawnImage {
  number: number;
  operator: number;
  args: unknown;
  box: { left: number; top: number; right: number; bottom: number };
}

/** The pictures on a page. Rules and dots that are drawn as pictures are left out. */
export function* drawnImages(operators: OperatorList, viewport: unknown): Generator<DrawnImage> {
  if (!isMatrix(viewport)) return;
  let number = 0;
  for (const { operator, args, matrix } of drawn(operators, viewport)) {
    const box = paints.has(operator) ? boxOf(matrix) : undefined;
    if (box === undefined || number >= MAX_IMAGES) continue;
    number += 1;
    yield { number, operator, args, box };
  }
}

/** The pictures on a page as elements: those that are drawn, and, at the end, those that are too large to be unpacked. */
export function findImages(
  operators: OperatorList,
  viewport: unknown,
  { page, large }: { page: number; large: readonly LargePicture[] },
): Block[] {
  const blocks = Array.from(drawnImages(operators, viewport), ({ number, box }) => {
    const { left, top, right, bottom } = box;
    const size = `${Math.round(right - left)} by ${Math.round(bottom - top)} points`;
    const metadata = { bounding_box: boundingBox(left, top, right, bottom), part: `${page}.${number}` };
    return { element: { ...image(`Picture ${number}, ${size}`), metadata }, top };
  });
  const others = large.map(({ object, width, height }, index) => {
    const name = `Picture ${blocks.length + index + 1}, ${width} by ${height} pixels`;
    return {
      element: { ...image(name), metadata: { part: `${page}.object${object}` } },
      top: Number.POSITIVE_INFINITY,
    };
  });
  return [...blocks, ...others];
}

/** Every operator with the matrix that holds for it. */
export function* drawn(
  { fnArray, argsArray }: OperatorList,
  viewport: Matrix,
): Generator<{ operator: number; args: unknown; matrix: Matrix }> {
  const stack: Matrix[] = [];
  let matrix = viewport;
  for (const [index, operator] of fnArray.entries()) {
    const args = argsArray[index];
    if (operator === OPS.save || operator === OPS.paintFormXObjectBegin) stack.push(matrix);
    if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = stack.pop() ?? viewport;
    if (operator === OPS.transform && isMatrix(args)) matrix = multiply(matrix, args);
    if (operator === OPS.paintFormXObjectBegin && Array.isArray(args) && isMatrix(args[0]))
      matrix = multiply(matrix, args[0]);
    yield { operator, args, matrix };
  }
}

/** A picture fills the unit square of its matrix. */
function boxOf([a, b, c, d, e, f]: Matrix): DrawnImage['box'] | undefined {
  const xs = [e, e + a, e + c, e + a + c];
  const ys = [f, f + b, f + d, f + b + d];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  return right - left < 8 || bottom - top < 8 ? undefined : { left, top, right, bottom };
}

function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

export function isMatrix(value: unknown): value is Matrix {
  return Array.isArray(value) && value.length === 6 && value.every(part => typeof part === 'number');
}
