import { annotation, type Element, image } from '@a2c-smcp/publish/content';
import type { Block } from './blocks.ts';
import type { OperatorList } from './operators.ts';
import { OPS } from './pdfjs.ts';
import { canRender } from './render.ts';

/** Characters on a scanned page that were added to it, such as a stamp or a page number. */
const MAX_STAMP_CHARACTERS = 100;
/** A picture with a larger share of the page is the page. */
const WHOLE_SHARE = 0.8;

const paints = new Set<number>([
  OPS.constructPath,
  OPS.shadingFill,
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintSolidColorImageMask,
]);

export interface ScanOptions {
  /** From 1. */
  page: number;
  width: number;
  height: number;
  /** Degrees by which the page is turned to be shown. */
  rotation: number;
  /** Characters of its text. */
  characters: number;
  /** Its pictures, of which those without a place are too large to be unpacked with the page. */
  pictures: readonly Block[];
  operators: OperatorList;
}

/** The pictures of a page, and the one that stands for all of it if its words are not text. */
export interface PagePictures {
  pictures: Block[];
  scan?: string;
  /** Why a page without text has none. */
  remark?: Element;
}

/**
 * A page without text of its own is shown as a picture: as its scan is stored if that is all of the page, and drawn otherwise.
 * A scan behind recognised text shows the same as the text and goes to the end.
 */
export function withScan(options: ScanOptions): PagePictures {
  const { page, width, height, rotation, characters, pictures, operators } = options;
  const whole = pictures.filter(block => fills(block, width * height));
  if (characters > MAX_STAMP_CHARACTERS) {
    return { pictures: [...pictures.filter(block => !whole.includes(block)), ...whole.map(atEnd)] };
  }
  const [only] = whole.length === 1 && pictures.length === 1 ? whole : [];
  if (only !== undefined && (rotation === 0 || !canRender())) {
    const scan = partOf(only);
    return { pictures: [only], ...(scan !== undefined && { scan }), ...(characters === 0 && { remark: remarks.scan }) };
  }
  const isDrawn = pictures.length > 0 || operators.fnArray.some(operator => paints.has(operator));
  if (!isDrawn) return { pictures: [], ...(characters === 0 && { remark: remarks.blank }) };
  if (characters > 0 && whole.length === 0) return { pictures: [...pictures] };
  if (!canRender()) return { pictures: [...pictures], remark: remarks.cannotDraw };
  const scan = `${page}.page`;
  const size = `${Math.round(width)} by ${Math.round(height)} points`;
  const drawn = { element: { ...image(`Page ${page} as a picture, ${size}`), metadata: { part: scan } }, top: 0 };
  return { pictures: [drawn, ...pictures], scan, ...(characters === 0 && { remark: remarks.drawn }) };
}

const remarks = {
  scan: annotation('The page has no text: it is a scanned picture'),
  drawn: annotation(
    'The page has no text: what it shows is drawn or scanned in parts, and one picture shows all of it',
  ),
  cannotDraw: annotation(
    "The page has no text, and is not shown as one picture: the optional package '@napi-rs/canvas' is not installed",
  ),
  blank: annotation('The page is empty'),
};

/** True if a picture covers most of the page. One without a place is too large to be anything else. */
function fills({ element, top }: Block, area: number): boolean {
  if (!Number.isFinite(top)) return true;
  const { width = 0, height = 0 } = (element.metadata?.bounding_box ?? {}) as Record<string, number>;
  return width * height > WHOLE_SHARE * area;
}

function atEnd(block: Block): Block {
  return { ...block, top: Number.POSITIVE_INFINITY };
}

function partOf({ element }: Block): string | undefined {
  const { part } = element.metadata ?? {};
  return typeof part === 'string' ? part : undefined;
}
