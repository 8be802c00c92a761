import type { PdfDictionary, PdfValue } from './objects.ts';

/** Where an object is: at an offset, packed with others into one, or nowhere any more. */
export type ObjectPlace = { offset: number } | { bundle: number } | 'free';

/** A table with the places of objects. */
export interface XrefTable {
  find(number: number): Promise<ObjectPlace | undefined>;
}

type ReadText = (position: number, length: number) => Promise<string>;

const MAX_SECTIONS = 1000;
const ENTRY_BYTES = 20;

/** A table in plain text. Each entry has 20 bytes, so that each is read on request. */
export class ObjectTable implements XrefTable {
  readonly #read: ReadText;
  readonly #sections: readonly { first: number; count: number; at: number }[];
  /** The offset behind the table. */
  readonly end: number;

  private constructor(read: ReadText, sections: readonly { first: number; count: number; at: number }[], end: number) {
    this.#read = read;
    this.#sections = sections;
    this.end = end;
  }

  static async read(read: ReadText, place: number): Promise<ObjectTable> {
    const sections: { first: number; count: number; at: number }[] = [];
    let at = place + (/^\s*xref/.exec(await read(place, 32))?.[0].length ?? 0);
    while (sections.length < MAX_SECTIONS) {
      const match = /^\s*(\d+)\s+(\d+)\s*?(?:\r\n|\r|\n)/.exec(await read(at, 64));
      if (match === null) return new ObjectTable(read, sections, at);
      const [first, count] = [Number(match[1]), Number(match[2])];
      sections.push({ first, count, at: at + match[0].length });
      at += match[0].length + count * ENTRY_BYTES;
    }
    throw new RangeError('The table of objects has too many sections');
  }

  async find(number: number): Promise<ObjectPlace | undefined> {
    const section = this.#sections.find(({ first, count }) => number >= first && number < first + count);
    if (section === undefined) return undefined;
    const entry = await this.#read(section.at + (number - section.first) * ENTRY_BYTES, ENTRY_BYTES);
    const match = /^(\d{10}) \d{5} ([nf])/.exec(entry);
    if (match === null) throw new RangeError('The table of objects breaks the rules of the format');
    return match[2] === 'f' ? 'free' : { offset: Number(match[1]) };
  }
}

/** A table that is packed into a stream: rows of numbers, each of a few bytes. */
export class StreamTable implements XrefTable {
  readonly #rows: Buffer;
  readonly #widths: readonly [number, number, number];
  readonly #sections: readonly { first: number; count: number; row: number }[];

  constructor(dictionary: PdfDictionary, bytes: Buffer) {
    const [type, second, third] = numbersOf(dictionary.get('W'));
    if (type === undefined || second === undefined || third === undefined) throw new RangeError('Rows have no width');
    this.#widths = [type, second, third];
    this.#rows = unpredict(bytes, dictionary, type + second + third);
    const index = numbersOf(dictionary.get('Index') ?? [0, dictionary.get('Size') ?? 0]);
    let row = 0;
    const sections: { first: number; count: number; row: number }[] = [];
    for (let pair = 0; pair + 1 < index.length; pair += 2) {
      const [first = 0, count = 0] = index.slice(pair, pair + 2);
      sections.push({ first, count, row });
      row += count;
    }
    this.#sections = sections;
  }

  async find(number: number): Promise<ObjectPlace | undefined> {
    const section = this.#sections.find(({ first, count }) => number >= first && number < first + count);
    if (section === undefined) return undefined;
    const [type, second, third] = this.#widths;
    const at = (section.row + number - section.first) * (type + second + third);
    if (at + type + second + third > this.#rows.length) throw new RangeError('The table of objects is cut off');
    const kind = type === 0 ? 1 : this.#number(at, type);
    const value = this.#number(at + type, second);
    if (kind === 0) return 'free';
    return kind === 1 ? { offset: value } : { bundle: value };
  }

  #number(at: number, width: number): number {
    let value = 0;
    for (let index = at; index < at + width; index += 1) value = value * 256 + (this.#rows[index] ?? 0);
    return value;
  }
}

function numbersOf(value: PdfValue | undefined): number[] {
  return Array.isArray(value) ? value.filter(part => typeof part === 'number') : [];
}

/** Undoes the usual filter, by which each row holds the differences from the row above. */
function unpredict(bytes: Buffer, dictionary: PdfDictionary, width: number): Buffer {
  const given = dictionary.get('DecodeParms');
  const [parameters = given] = Array.isArray(given) ? given : [];
  const predictor = parameters instanceof Map ? (parameters.get('Predictor') ?? 1) : 1;
  if (predictor === 1) return bytes;
  if (typeof predictor !== 'number' || predictor < 10) throw new RangeError('Rows are filtered in an unusual way');
  const count = Math.floor(bytes.length / (width + 1));
  const rows = Buffer.alloc(count * width);
  for (let row = 0; row < count; row += 1) {
    const filter = bytes[row * (width + 1)];
    if (filter !== 0 && filter !== 2) throw new RangeError('Rows are filtered in an unusual way');
    for (let column = 0; column < width; column += 1) {
      const above = filter === 2 && row > 0 ? (rows[(row - 1) * width + column] ?? 0) : 0;
      rows[row * width + column] = (bytes[row * (width + 1) + 1 + column] ?? 0) + above;
    }
  }
  return rows;
}
