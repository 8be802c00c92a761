import type { Element } from '@a2c-smcp/publish/content';
import * as make from '@a2c-smcp/publish/content';
import { joinPieces, type Line, type Piece } from './lines.ts';

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
  /** The name of a field for people. */
  alternativeText?: string;
  checkBox?: boolean;
  radioButton?: boolean;
  /** The value of a radio button when it is chosen. */
  buttonValue?: string | null;
  /** The choices of a list. */
  options?: { exportValue?: string; displayValue?: string }[];
}

/** Points between a field and its caption: beside it, or above it. */
const MAX_BESIDE = 250;
const MAX_BEHIND = 60;
const MAX_ABOVE = 16;

/** Links, remarks and form fields of a page. */
export function markElements(
  marks: readonly PdfMark[],
  pieces: readonly Piece[],
  toTop: (y: number) => number,
): Element[] {
  const lines = marks.some(({ subtype }) => subtype === 'Widget') ? joinPieces(pieces) : [];
  return marks.flatMap(mark => {
    const { subtype, contentsObj, titleObj } = mark;
    if (subtype === 'Link') return linkElement(mark, pieces, toTop);
    if (subtype === 'Widget') return fieldElement(mark, captionOf(mark, lines, toTop));
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

/** A field by its name for people, or by the words beside it, or else by its own name. */
function fieldElement(mark: PdfMark, caption: string): Element[] {
  const { fieldName = '', fieldType, alternativeText = '' } = mark;
  const name = alternativeText.trim() || caption || fieldName;
  const value = shownValue(mark);
  const text = value === '' ? name : `${name}: ${value}`;
  return text === '' ? [] : [make.other('form', text, { name: fieldName, value, type: fieldType })];
}

function shownValue({ fieldValue, checkBox, radioButton, buttonValue, options = [] }: PdfMark): string {
  if (checkBox || radioButton) {
    const isChosen = radioButton ? fieldValue === buttonValue : Boolean(fieldValue) && fieldValue !== 'Off';
    return isChosen ? 'yes' : 'no';
  }
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter(
    value => typeof value === 'string' || typeof value === 'number',
  );
  const shown = (value: string | number) => {
    const option = options.find(({ exportValue }) => exportValue === String(value));
    return option?.displayValue ?? String(value);
  };
  return values.map(shown).join(', ');
}

/** The words behind a box to tick, or else before a field, or else above it. */
function captionOf(
  { rect = [], checkBox, radioButton }: PdfMark,
  lines: readonly Line[],
  toTop: (y: number) => number,
): string {
  const [left = 0, y1 = 0, right = 0, y2 = 0] = rect;
  const [top = 0, bottom = 0] = [toTop(y1), toTop(y2)].toSorted((a, b) => a - b);
  const within = (from: number, to: number) =>
    lines.filter(({ y }) => y >= from && y <= to).flatMap(line => line.segments);
  const level = within(top, bottom + 4);
  const before = level
    .filter(segment => segment.right <= left + 2 && left - segment.right < MAX_BESIDE)
    .toSorted((a, b) => b.right - a.right)[0];
  const behind = level
    .filter(segment => segment.left >= right - 2 && segment.left - right < MAX_BEHIND)
    .toSorted((a, b) => a.left - b.left)[0];
  const above = within(top - MAX_ABOVE, top).find(segment => segment.left < right && segment.right > left);
  const found = checkBox || radioButton ? (behind ?? before ?? above) : (before ?? above);
  return found?.text.replace(/[\s:._…]+$/, '') ?? '';
}
