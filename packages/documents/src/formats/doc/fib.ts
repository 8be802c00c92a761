import { UnreadableError } from '../../file.ts';
import type { CompoundFile } from '../compound/compound-file.ts';

/** Signatures of Word 97 and later, of Word 6 and 95, and of Word 2. */
const SIGNATURE = 0xa5ec;
export const WORD2_SIGNATURE = 0xa5db;
const FAR_EASTERN_SIGNATURES = [0xa697, 0xa698, 0xa699];
const OLD_SIGNATURES = [0xa5dc, ...FAR_EASTERN_SIGNATURES, WORD2_SIGNATURE];
const PLACES_AT = 154;
const WORD2_PLACES_AT = 88;

/** Places in the table stream, by their order in the header of the file. */
export const Place = {
  styles: 1,
  footnoteReferences: 2,
  footnotes: 3,
  commentReferences: 4,
  comments: 5,
  headers: 11,
  characters: 12,
  paragraphs: 13,
  pieces: 33,
  commentAuthors: 36,
  endnoteReferences: 46,
  endnotes: 47,
  lists: 73,
  listOverrides: 74,
} as const;

/** The texts that follow each other in a file, by their lengths in characters. */
export const texts = ['main', 'footnotes', 'headers', 'macros', 'comments', 'endnotes', 'boxes'] as const;
export type TextName = (typeof texts)[number];

/** The header of a Word file, and the streams that it leads to. */
export class Fib {
  readonly main: Buffer;
  readonly data: Buffer;
  /** Before Word 97 there are no Unicode letters, and everything is in the main stream. */
  readonly isOld: boolean;
  readonly isMac: boolean;
  /** The language identifier of Windows; undefined in Far Eastern files of Word 6 and 95, which all say English. */
  readonly language: number | undefined;
  readonly #isWord2: boolean;
  readonly #table: Buffer;

  constructor(file: Pick<CompoundFile, 'stream'>) {
    const main = file.stream('WordDocument');
    const signature = main === undefined || main.length < PLACES_AT ? 0 : main.readUInt16LE(0);
    if (main === undefined || (signature !== SIGNATURE && !OLD_SIGNATURES.includes(signature)))
      throw new UnreadableError('The file is damaged: it is not a Word document');
    const flags = main.readUInt16LE(10);
    if (flags & 0x100) throw new UnreadableError('The file is protected by a password');
    this.main = main;
    this.isOld = signature !== SIGNATURE;
    this.#isWord2 = signature === WORD2_SIGNATURE;
    this.isMac = main[0x12] === 1;
    this.language = FAR_EASTERN_SIGNATURES.includes(signature) ? undefined : main.readUInt16LE(6);
    this.data = file.stream('Data') ?? Buffer.alloc(0);
    this.#table = (this.isOld ? main : file.stream(flags & 0x200 ? '1Table' : '0Table')) ?? Buffer.alloc(0);
  }

  /** Where a text begins and ends, in characters. */
  range(name: TextName): [from: number, to: number] {
    const at = this.isOld ? 0x34 : 0x4c;
    // Word 2 has neither endnotes nor boxes, and other fields in their places.
    const count = this.#isWord2 ? texts.indexOf('endnotes') : texts.length;
    const lengths = texts.map((_, index) => (index < count ? Math.max(this.main.readInt32LE(at + index * 4), 0) : 0));
    const index = texts.indexOf(name);
    const from = lengths.slice(0, index).reduce((sum, length) => sum + length, 0);
    return [from, from + (lengths[index] ?? 0)];
  }

  /** The bytes at a place; empty if there are none. */
  at(place: number): Buffer {
    const [from, size] = this.#place(place);
    return this.#table.subarray(from, from + size);
  }

  /** The bytes from the end of a place on. */
  after(place: number): Buffer {
    const [from, size] = this.#place(place);
    return size === 0 ? Buffer.alloc(0) : this.#table.subarray(from + size);
  }

  #place(place: number): [from: number, size: number] {
    if (this.#isWord2) return this.#word2Place(place);
    // Word 95 has the places of pieces only in common with later versions.
    const at = this.isOld ? (place === Place.pieces ? 0x160 : this.main.length) : PLACES_AT + place * 8;
    if (at + 8 > this.main.length) return [0, 0];
    return [this.main.readUInt32LE(at), this.main.readUInt32LE(at + 4)];
  }

  /** Word 2 has sizes of two bytes. Its properties differ, so that only pieces are looked up. */
  #word2Place(place: number): [from: number, size: number] {
    const at = WORD2_PLACES_AT + place * 6;
    if (place !== Place.pieces || at + 6 > this.main.length) return [0, 0];
    return [this.main.readUInt32LE(at), this.main.readUInt16LE(at + 4)];
  }
}

/** The positions of a table of positions and data, of which each entry has `size` bytes. */
export function positions(bytes: Buffer, size: number): number[] {
  const count = Math.floor((bytes.length - 4) / (4 + size));
  return count < 0 ? [] : Array.from({ length: count + 1 }, (_, index) => bytes.readUInt32LE(index * 4));
}
