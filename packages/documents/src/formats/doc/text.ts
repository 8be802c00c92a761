import { UnreadableError } from '../../file.ts';
import { guessEncoding } from '../text/detect.ts';
import { createDecoder } from '../text/encoding.ts';
import { type Fib, Place, positions } from './fib.ts';

interface Piece {
  from: number;
  to: number;
  /** The place of its first character in the main stream. */
  at: number;
  /** Bytes of a character. */
  width: 1 | 2;
}

const PIECE_BYTES = 8;
const COMPRESSED = 0x40000000;

/** All texts of a Word file in one string, and the places of its characters in the file. */
export class DocText {
  readonly text: string;
  readonly #pieces: readonly Piece[];

  constructor(fib: Fib) {
    this.#pieces = readPieces(fib);
    if ((this.#pieces.at(-1)?.to ?? 0) > fib.main.length)
      throw new UnreadableError('The file is damaged: it claims more text than it has');
    const encoding = fib.isOld ? oldEncoding(fib, this.#pieces) : 'windows-1252';
    this.text = this.#pieces.map(piece => decode(fib.main, piece, encoding)).join('');
  }

  /** The place of a character in the main stream. */
  placeOf(position: number): { at: number; width: 1 | 2 } {
    const pieces = this.#pieces;
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((pieces[middle]?.from ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    const { from = 0, at = 0, width = 1 } = pieces[low] ?? {};
    return { at: at + (position - from) * width, width };
  }
}

/** Files of Word 6 and 95 do not say in which encoding they are. */
function oldEncoding({ main, isMac }: Fib, pieces: readonly Piece[]): string {
  return isMac ? 'macroman' : guessEncoding(Buffer.concat(pieces.map(piece => bytesOf(main, piece))));
}

/** A text of the same length as its piece, whatever the file has at its place. */
function decode(main: Buffer, piece: Piece, encoding: string): string {
  const bytes = bytesOf(main, piece);
  const length = piece.to - piece.from;
  const text = piece.width === 2 ? bytes.toString('utf16le') : createDecoder(encoding)(bytes);
  return text.padEnd(length, ' ').slice(0, length);
}

function bytesOf(main: Buffer, { from, to, at, width }: Piece): Buffer {
  return main.subarray(at, at + (to - from) * width);
}

function readPieces(fib: Fib): Piece[] {
  const table = findTable(fib.at(Place.pieces));
  if (table === undefined) {
    const [, to] = fib.range('boxes');
    return [{ from: 0, to, at: fib.main.readUInt32LE(0x18), width: 1 }];
  }
  const borders = positions(table, PIECE_BYTES);
  const pieces: Piece[] = [];
  for (let index = 0; index + 1 < borders.length; index += 1) {
    const place = table.readUInt32LE(borders.length * 4 + index * PIECE_BYTES + 2);
    const isCompressed = (place & COMPRESSED) !== 0;
    const [from, to] = [borders[index] ?? 0, borders[index + 1] ?? 0];
    if (from !== (pieces.at(-1)?.to ?? 0) || to < from)
      throw new UnreadableError('The file is damaged: its pieces of text do not follow each other');
    const at = isCompressed && !fib.isOld ? (place & ~COMPRESSED) / 2 : place;
    pieces.push({ from, to, at, width: isCompressed || fib.isOld ? 1 : 2 });
  }
  return pieces;
}

/** The table of pieces behind lists of changes. */
function findTable(bytes: Buffer): Buffer | undefined {
  let at = 0;
  while (at + 3 <= bytes.length && bytes[at] === 1) at += 3 + bytes.readUInt16LE(at + 1);
  return at + 5 <= bytes.length && bytes[at] === 2
    ? bytes.subarray(at + 5, at + 5 + bytes.readUInt32LE(at + 1))
    : undefined;
}
