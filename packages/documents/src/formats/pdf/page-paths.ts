import { readOperators } from './content-stream.ts';
import type { PdfDictionary, PdfValue } from './objects.ts';
import type { Matrix, OperatorList } from './operators.ts';
import { OPS } from './pdfjs.ts';

/** Forms inside of forms. */
const MAX_FORM_DEPTH = 8;
/** Paths, forms and changes of the matrix; a page with more is a drawing, not a table. */
const MAX_STEPS = 50_000;

/** The content of a form that a page draws. */
export interface Form {
  content: string;
  resources: PdfDictionary;
  matrix: Matrix;
}

export interface PathSource {
  /** The form of a name among the resources; undefined if it is no form. */
  form(name: string, resources: PdfDictionary): Promise<Form | undefined>;
}

/** How paths are painted, by operator. */
const paints: Record<string, number> = {
  S: OPS.stroke,
  s: OPS.closeStroke,
  f: OPS.fill,
  F: OPS.fill,
  'f*': OPS.eoFill,
  B: OPS.fillStroke,
  'B*': OPS.eoFillStroke,
  b: OPS.closeFillStroke,
  'b*': OPS.closeFillStroke,
};

type Step = { operator: number; args: unknown } | { form: string };

/**
 * The paths that a page paints, in the form of pdf.js. Its own list takes as long as the text of the page again, since it
 * has all glyphs and fonts, too. Clipping is not looked at.
 */
export async function readPaths(
  source: PathSource,
  contents: readonly string[],
  resources: PdfDictionary,
): Promise<OperatorList> {
  const list: OperatorList = { fnArray: [], argsArray: [] };
  const cached = new Map<string, Step[]>();
  const add = async (content: string, own: PdfDictionary, depth: number): Promise<void> => {
    const steps = cached.get(content) ?? stepsOf(content);
    cached.set(content, steps);
    for (const step of steps) {
      if (list.fnArray.length > MAX_STEPS) return;
      if ('operator' in step) {
        list.fnArray.push(step.operator);
        list.argsArray.push(step.args);
        continue;
      }
      const form = depth < MAX_FORM_DEPTH ? await source.form(step.form, own) : undefined;
      if (form === undefined) continue;
      list.fnArray.push(OPS.paintFormXObjectBegin);
      list.argsArray.push([form.matrix]);
      await add(form.content, form.resources, depth + 1);
      list.fnArray.push(OPS.paintFormXObjectEnd);
      list.argsArray.push(null);
    }
  };
  // Streams of a page are one content, cut anywhere between two words.
  await add(contents.join('\n'), resources, 0);
  return list;
}

/** Kinds of the parts of a path, as pdf.js numbers them. */
const MOVE = 0;
const LINE = 1;
const CURVE = 2;
const CLOSE = 4;

function stepsOf(content: string): Step[] {
  const steps: Step[] = [];
  let path: number[] = [];
  const step = (operator: number, args: unknown) => steps.push({ operator, args });
  readOperators(content, (operator, numbers, name) => {
    const [a = 0, b = 0, c = 0, d = 0] = numbers;
    if (steps.length > MAX_STEPS) return;
    if (operator === 'm') path.push(MOVE, a, b);
    else if (operator === 'l') path.push(LINE, a, b);
    else if (operator === 're') path.push(MOVE, a, b, LINE, a + c, b, LINE, a + c, b + d, LINE, a, b + d, CLOSE);
    else if (operator === 'h') path.push(CLOSE);
    else if (operator === 'c' || operator === 'v' || operator === 'y')
      path.push(CURVE, 0, 0, 0, 0, ...numbers.slice(-2));
    else if (operator === 'q') step(OPS.save, null);
    else if (operator === 'Q') step(OPS.restore, null);
    else if (operator === 'cm' && numbers.length === 6) step(OPS.transform, [...numbers]);
    else if (operator === 'Do') steps.push({ form: name });
    else if (operator === 'n' || paints[operator] !== undefined) {
      if (operator !== 'n' && path.length > 0) step(OPS.constructPath, [paints[operator], [path]]);
      path = [];
    }
  });
  return steps;
}

/** The matrix of a form, or the one that changes nothing. */
export function matrixOf(value: PdfValue | undefined): Matrix {
  const [a, b, c, d, e, f] = Array.isArray(value) ? value.map(Number) : [];
  const numbers = [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f ?? 0] as const;
  return numbers.every(Number.isFinite) ? numbers : [1, 0, 0, 1, 0, 0];
}
