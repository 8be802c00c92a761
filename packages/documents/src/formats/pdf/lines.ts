import { closeUp } from './letters.ts';

/** A piece of text where the page puts it, in points from the top left. */
export interface Piece {
  text: string;
  x: number;
  /** The baseline. */
  y: number;
  width: number;
  /** The height of its letters. */
  size: number;
  /** True if all letters are equally wide, as in listings. */
  isMonospaced?: boolean;
  /** True if it reads from right to left. */
  isRtl?: boolean;
}

/** Pieces on one baseline, with no gap between them wide enough to be a column. */
export interface Segment {
  text: string;
  left: number;
  right: number;
  isRtl?: boolean;
}

/** The segments on one baseline, in reading order. */
export interface Line {
  segments: Segment[];
  y: number;
  size: number;
  isMonospaced: boolean;
}

/** Lines that a piece may continue, counted from the last: cells of several lines are written one after the other. */
const LOOK_BACK_LINES = 4;

/** Joins pieces into lines. The order is that of the file, which is the order of reading for what programs write today. */
export function joinPieces(pieces: readonly Piece[]): Line[] {
  const lines: Line[] = [];
  for (const piece of closeUp(pieces)) {
    if (piece.text === '') continue;
    const line = lines.slice(-LOOK_BACK_LINES).findLast(candidate => continues(candidate, piece));
    if (line !== undefined) append(line, piece);
    else if (piece.text.trim() !== '')
      lines.push({
        segments: [segmentOf(piece)],
        y: piece.y,
        size: piece.size,
        isMonospaced: piece.isMonospaced === true,
      });
  }
  return lines.map(tidy).filter(({ segments }) => segments.length > 0);
}

/** A piece goes on to the right of a line, or to the left of one that reads from right to left. */
function continues({ segments, y, size }: Line, piece: Piece): boolean {
  const last = segments.at(-1);
  if (last === undefined || Math.abs(y - piece.y) > 0.35 * Math.max(size, piece.size)) return false;
  return piece.isRtl && last.isRtl ? true : piece.x >= last.right - size;
}

function append(line: Line, piece: Piece): void {
  const last = line.segments.at(-1);
  if (last === undefined) return;
  const isLeft = piece.isRtl === true && piece.x < last.left;
  const gap = isLeft ? last.left - (piece.x + piece.width) : piece.x - last.right;
  if (piece.text.trim() === '') {
    // Spaces that reach far are the gap between columns, not words.
    if (piece.width <= 1.2 * line.size) last.text += ' ';
    return;
  }
  if (gap > 1.2 * line.size) line.segments.push(segmentOf(piece));
  else {
    const space = gap > 0.15 * line.size ? ' ' : '';
    // Some programs write a line of Arabic from its end.
    const isBefore = piece.isRtl === true && last.isRtl === true && !isLeft;
    last.text = isBefore
      ? `${piece.text}${space}${last.text}`
      : `${last.text}${last.text.endsWith(' ') ? '' : space}${piece.text}`;
    last.left = Math.min(last.left, piece.x);
    last.right = Math.max(last.right, piece.x + piece.width);
  }
  line.size = Math.max(line.size, piece.size);
  line.isMonospaced &&= piece.isMonospaced === true;
}

function segmentOf({ text, x, width, isRtl }: Piece): Segment {
  return { text, left: x, right: x + width, ...(isRtl && { isRtl }) };
}

function tidy(line: Line): Line {
  const segments = line.segments
    .map(segment => ({ ...segment, text: segment.text.replace(/\s+/g, ' ').trim() }))
    .filter(({ text }) => text !== '');
  return { ...line, segments };
}
