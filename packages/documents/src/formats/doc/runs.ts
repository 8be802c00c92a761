import { positions } from './fib.ts';

const PAGE_BYTES = 512;

/** A stretch of text with the same properties, by its end in the main stream. */
export interface Run {
  end: number;
  style: number;
  changes: Buffer;
}

const none = Buffer.alloc(0);

/** The properties of characters or paragraphs, which are in pages of 512 bytes that are read when they are needed. */
export class Runs {
  readonly #main: Buffer;
  readonly #isParagraphs: boolean;
  readonly #borders: readonly number[];
  readonly #table: Buffer;
  readonly #pages = new Map<number, { borders: number[]; page: Buffer }>();

  constructor(main: Buffer, table: Buffer, { isParagraphs }: { isParagraphs: boolean }) {
    this.#main = main;
    this.#table = table;
    this.#isParagraphs = isParagraphs;
    this.#borders = positions(table, 4);
  }

  /** The run at a place in the main stream. */
  find(place: number): Run {
    const index = indexOf(this.#borders, place);
    if (index < 0) return { end: Number.POSITIVE_INFINITY, style: 0, changes: none };
    const { borders, page } = this.#page(this.#table.readUInt32LE(this.#borders.length * 4 + index * 4) & 0x3fffff);
    const run = indexOf(borders, place);
    if (run < 0) return { end: this.#borders[index + 1] ?? Number.POSITIVE_INFINITY, style: 0, changes: none };
    return { end: borders[run + 1] ?? place + 1, ...this.#properties(page, borders.length, run) };
  }

  #page(number: number): { borders: number[]; page: Buffer } {
    const known = this.#pages.get(number);
    if (known !== undefined) return known;
    const page = this.#main.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES);
    const count = Math.min(page[PAGE_BYTES - 1] ?? -1, 101);
    const borders = Array.from({ length: count + 1 }, (_, index) => page.readUInt32LE(index * 4));
    this.#pages.set(number, { borders, page });
    return { borders, page };
  }

  #properties(page: Buffer, borders: number, run: number): { style: number; changes: Buffer } {
    const at = 2 * (page[borders * 4 + run * (this.#isParagraphs ? 13 : 1)] ?? 0);
    if (at === 0) return { style: 0, changes: none };
    const size = page[at] ?? 0;
    if (!this.#isParagraphs) return { style: 0, changes: page.subarray(at + 1, at + 1 + size) };
    const [from, length] = size === 0 ? [at + 2, 2 * (page[at + 1] ?? 0)] : [at + 1, 2 * size - 1];
    return { style: page.readUInt16LE(from), changes: page.subarray(from + 2, from + length) };
  }
}

/** The stretch between two borders in which a place lies; -1 for none. */
function indexOf(borders: readonly number[], place: number): number {
  let [low, high] = [0, borders.length - 1];
  if (high < 1 || place < (borders[0] ?? 0) || place >= (borders[high] ?? 0)) return -1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((borders[middle] ?? 0) <= place) low = middle;
    else high = middle;
  }
  return low;
}
