import type { Element } from '@a2c-smcp/publish/content';
import * as make from '@a2c-smcp/publish/content';
import type { Piece } from './lines.ts';

/** An annotation as pdf.js gives it, as far as it is used. */
export interface PdfMark {
  subtype?: string;
  url?: string;
  unsafeUrl?: string;
  rect?: number[];
  contentsObj?: { str?: string };
  titleObj?: { str?: string };
  fieldName?: string;
  fieldValue?: unknown;
  fieldType?: string;
}

/** Links, remarks and form fields of a page. */
export function markElements(
  marks: readonly PdfMark[],
  pieces: readonly Piece[],
  toTop: (y: number) => number,
): Element[] {
  return marks.flatMap(mark => {
    const { subtype, contentsObj, titleObj } = mark;
    if (subtype === 'Link') return linkElement(mark, pieces, toTop);
    if (subtype === 'Widget') return fieldElement(mark);
    const text = contentsObj?.str?.trim() ?? '';
    return text === '' || subtype === 'Popup' ? [] : [make.annotation(text, titleObj?.str || undefined)];
  });
}

/** A link is named by the words it lies over. */
function linkElement(
  { url, unsafeUrl, rect }: PdfMark,
  pieces: readonly Piece[],
  toTop: (y: number) => number,
): Element[] {
  const target = url ?? unsafeUrl;
  if (target === undefined || rect === undefined) return [];
  const [left = 0, y1 = 0, right = 0, y2 = 0] = rect;
  const [top, bottom] = [toTop(y1), toTop(y2)].toSorted((a, b) => a - b);
  const words = pieces.filter(({ x, y, width }) => {
    const centre = x + width / 2;
    return centre >= left && centre <= right && y >= (top ?? 0) - 1 && y <= (bottom ?? 0) + 2;
  });
  return [
    make.link(
      words
        .map(({ text }) => text)
        .join('')
        .trim(),
      target,
    ),
  ];
}

function fieldElement({ fieldName = '', fieldValue, fieldType }: PdfMark): Element[] {
  const value = typeof fieldValue === 'string' || typeof fieldValue === 'number' ? String(fieldValue) : '';
  const text = value === '' ? fieldName : `${fieldName}: ${value}`;
  return text === '' ? [] : [make.other('form', text, { name: fieldName, value, type: fieldType })];
}
