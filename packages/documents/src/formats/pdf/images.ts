import { image } from '@a2c-smcp/publish/content';
import { type Block, boundingBox } from './blocks.ts';
import { OPS } from './pdfjs.ts';

export type Matrix = readonly [number, number, number, number, number, number];

/** The drawing operators of a page in the form of pdf.js. */
export interface OperatorList {
  fnArray: number[];
  argsArray: unknown[];
}

const paints = new Set<number>([OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject]);
const MAX_IMAGES = 50;

/** The pictures on a page. Rules and dots that are drawn as pictures are left out. */
export function findImages({ fnArray, argsArray }: OperatorList, viewport: unknown): Block[] {
  if (!isMatrix(viewport)) return [];
  const blocks: Block[] = [];
  for (const { operator, matrix } of drawn({ fnArray, argsArray }, viewport)) {
    if (paints.has(operator) && blocks.length < MAX_IMAGES) blocks.push(...imageAt(matrix, blocks.length + 1));
  }
  return blocks;
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
function imageAt([a, b, c, d, e, f]: Matrix, number: number): Block[] {
  const xs = [e, e + a, e + c, e + a + c];
  const ys = [f, f + b, f + d, f + b + d];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  if (right - left < 8 || bottom - top < 8) return [];
  const size = `${Math.round(right - left)} by ${Math.round(bottom - top)} points`;
  const element = {
    ...image(`Picture ${number}, ${size}`),
    metadata: { bounding_box: boundingBox(left, top, right, bottom) },
  };
  return [{ element, top }];
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
