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

/** Bytes beyond ASCII from which a guess is better than the language of the file. */
const MIN_GUESSED_BYTES = 20;
/** The language of files whose text may be in any, since it is that of most programs. */
const ENGLISH = 0x09;
/** Catalan, Danish, German, English, Spanish, Finnish, French, Icelandic, Italian, Dutch, Norwegian, Portuguese and Swedish. */
const westernLanguages = new Set([0x03, 0x06, 0x07, ENGLISH, 0x0a, 0x0b, 0x0c, 0x0f, 0x10, 0x13, 0x14, 0x16, 0x1d]);

/** Files of Word 6 and 95 do not say in which encoding they are, only in which language. */
function oldEncoding({ main, isMac, language }: Fib, pieces: readonly Piece[]): string {
  if (isMac) return 'macroman';
  const bytes = Buffer.concat(pieces.map(piece => bytesOf(main, piece)));
  return isShortWestern(bytes, language) ? 'windows-1252' : guessEncoding(bytes);
}

/** True if the language is Western and the text has too few other letters for a guess: `öäü` is also Chinese. */
function isShortWestern(bytes: Buffer, language = 0): boolean {
  // The other bits are the country.
  const primary = language & 0x3ff;
  if (!westernLanguages.has(primary)) return false;
  const foreign = bytes.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0);
  return foreign < MIN_GUESSED_BYTES && (primary !== ENGLISH || foreign < bytes.length / 4);
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
