import type { ByteReader } from './byte-reader.ts';

const MAX_ENTRIES = 1000;
const MAX_DIRECTORIES = 1000;
/** Bytes of one value. */
const MAX_VALUE_BYTES = 1024 * 1024;
/** Bytes of an item by the type of a value. */
const itemBytes: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 6: 1, 7: 1, 8: 2, 9: 4 };

const EXIF_DIRECTORY = 0x8769;

/** The value of a tag: its bytes, and its first item where that is a number. */
export interface TiffValue {
  bytes: Buffer;
  number: number;
}

export type TiffTags = Map<number, TiffValue>;

/** The directories of a TIFF structure, in a file or in Exif. Those of positions (GPS) are not read. */
export class Tiff {
  readonly #file: ByteReader;
  readonly #isLittle: boolean;
  readonly #wanted: ReadonlySet<number>;

  private constructor(file: ByteReader, isLittle: boolean, wanted: ReadonlySet<number>) {
    this.#file = file;
    this.#isLittle = isLittle;
    this.#wanted = wanted;
  }

  /** Tags of the first directory and of Exif, and the number of directories; undefined if it is no TIFF. */
  static async read(
    file: ByteReader,
    wanted: ReadonlySet<number>,
  ): Promise<{ tags: TiffTags; directories: number } | undefined> {
    const head = await file.read(0, 8);
    const order = head.toString('latin1', 0, 2);
    if (head.length < 8 || (order !== 'II' && order !== 'MM')) return undefined;
    const tiff = new Tiff(file, order === 'II', wanted);
    if (tiff.#short(head, 2) !== 42) return undefined;
    const first = tiff.#long(head, 4);
    const tags = await tiff.#directory(first);
    const exif = tags.get(EXIF_DIRECTORY)?.number;
    const more: TiffTags = exif === undefined ? new Map() : await tiff.#directory(exif);
    return { tags: new Map([...more, ...tags]), directories: await tiff.#count(first) };
  }

  async #directory(at: number): Promise<TiffTags> {
    const tags: TiffTags = new Map();
    const head = await this.#file.read(at, 2);
    if (head.length < 2) return tags;
    const count = Math.min(this.#short(head, 0), MAX_ENTRIES);
    const entries = await this.#file.read(at + 2, 12 * count);
    for (let index = 0; 12 * (index + 1) <= entries.length; index += 1) {
      const entry = entries.subarray(12 * index, 12 * (index + 1));
      const tag = this.#short(entry, 0);
      const value = tag === EXIF_DIRECTORY || this.#wanted.has(tag) ? await this.#value(entry) : undefined;
      if (value !== undefined) tags.set(tag, value);
    }
    return tags;
  }

  /** A value of up to four bytes is in its entry, a longer one elsewhere. */
  async #value(entry: Buffer): Promise<TiffValue | undefined> {
    const type = this.#short(entry, 2);
    const length = (itemBytes[type] ?? 0) * this.#long(entry, 4);
    if (length === 0 || length > MAX_VALUE_BYTES) return undefined;
    const bytes = length <= 4 ? entry.subarray(8, 8 + length) : await this.#file.read(this.#long(entry, 8), length);
    if (bytes.length === 0) return undefined;
    const isShort = (type === 3 || type === 8) && bytes.length >= 2;
    const isLong = (type === 4 || type === 9) && bytes.length >= 4;
    const number = isShort ? this.#short(bytes, 0) : isLong ? this.#long(bytes, 0) : (bytes[0] ?? 0);
    return { bytes, number };
  }

  /** Follows the chain of directories, which may lead in a circle. */
  async #count(first: number): Promise<number> {
    const seen = new Set<number>();
    for (let at = first; at !== 0 && !seen.has(at) && seen.size < MAX_DIRECTORIES; ) {
      const head = await this.#file.read(at, 2);
      if (head.length < 2) break;
      seen.add(at);
      const next = await this.#file.read(at + 2 + 12 * this.#short(head, 0), 4);
      at = next.length < 4 ? 0 : this.#long(next, 0);
    }
    return seen.size;
  }

  #short(bytes: Buffer, at: number): number {
    return this.#isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
  }

  #long(bytes: Buffer, at: number): number {
    return this.#isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  }
}
