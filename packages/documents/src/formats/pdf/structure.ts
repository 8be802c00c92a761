import { constants, inflateSync } from 'node:zlib';
import type { FileSource } from '../../file.ts';
import { type PdfDictionary, PdfParser, type PdfReference, type PdfValue } from './objects.ts';
import { type ObjectPlace, ObjectTable, StreamTable, type XrefTable } from './xref.ts';

const TAIL_BYTES = 64 * 1024;
/** Bytes that are read for an object, more each time until it is complete. */
const OBJECT_BYTES = [2 * 1024, 64 * 1024, 1024 * 1024];
const TRAILER_BYTES = 64 * 1024;
const MAX_STREAM_BYTES = 4 * 1024 * 1024;
const MAX_UPDATES = 100;

/** Thrown for a stream that unpacks to more bytes than allowed. */
export class StreamSizeError extends Error {
  override readonly name = 'StreamSizeError';
}

/** Objects that are packed together: their text, and where each begins in it. */
interface Bundle {
  text: string;
  places: ReadonlyMap<number, number>;
}

/**
 * The objects of a PDF, each read on request, for `PageBudget` and for stored pictures. Throws where a file breaks the rules of the format:
 * pdf.js repairs such files, and their pages are limited by time and memory only.
 */
export class PdfStructure {
  readonly #source: FileSource;
  readonly #tail: { start: number; text: string };
  readonly #tables: XrefTable[] = [];
  readonly #bundles = new Map<number, Promise<Bundle>>();

  private constructor(source: FileSource, tail: { start: number; text: string }) {
    this.#source = source;
    this.#tail = tail;
  }

  static async read(source: FileSource, size: number): Promise<PdfStructure> {
    const start = Math.max(0, size - TAIL_BYTES);
    const text = (await source.read(start, size - start)).toString('latin1');
    const structure = new PdfStructure(source, { start, text });
    const place = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text.slice(-1024))?.[1];
    if (place === undefined) throw new RangeError('The file does not say where its table of objects is');
    await structure.#readTables(Number(place));
    return structure;
  }

  /** The target of a reference; any other value is returned as it is. */
  async resolve(value: PdfValue | undefined): Promise<PdfValue | undefined> {
    if (!isReference(value)) return value;
    const place = await this.#find(value.ref);
    if (place === undefined || place === 'free') return null;
    if ('offset' in place) return (await this.#objectAt(place.offset, value.ref)).value;
    const bundle = this.#bundles.get(place.bundle) ?? this.#readBundle(place.bundle);
    this.#bundles.set(place.bundle, bundle);
    const { text, places } = await bundle;
    const at = places.get(value.ref);
    return at === undefined ? null : new PdfParser(text, at).value();
  }

  /**
   * The stream that a reference leads to. Throws if there is none, it is packed in an unusual way, or, with a
   * `StreamSizeError`, it unpacks to more than `limit` bytes.
   */
  async stream(value: PdfValue | undefined, limit: number): Promise<{ value: PdfDictionary; bytes: Buffer }> {
    const place = isReference(value) ? await this.#find(value.ref) : undefined;
    if (!isReference(value) || place === undefined || place === 'free' || !('offset' in place)) {
      throw new RangeError('There is no stream where one should be');
    }
    return this.#streamAt(place.offset, { number: value.ref, limit });
  }

  /** A stream as the file has it, packed; undefined if it is longer than `limit` bytes. */
  async packed(number: number, limit: number): Promise<{ value: PdfDictionary; bytes: Buffer } | undefined> {
    const place = await this.#find(number);
    if (place === undefined || place === 'free' || !('offset' in place)) return undefined;
    const { value, after } = await this.#objectAt(place.offset, number);
    return this.#packedAt(dictionaryOf(value), after, limit);
  }

  async #find(number: number): Promise<ObjectPlace | undefined> {
    for (const table of this.#tables) {
      const place = await table.find(number);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  /** A dictionary, followed through references, or an empty one. */
  async dictionary(value: PdfValue | undefined): Promise<PdfDictionary> {
    const found = await this.resolve(value);
    return found instanceof Map ? found : new Map();
  }

  async #readTables(first: number): Promise<void> {
    const pending = [first];
    const seen = new Set<number>();
    for (let place = pending.shift(); place !== undefined; place = pending.shift()) {
      if (seen.has(place)) continue;
      if (seen.size === MAX_UPDATES) throw new RangeError('The file was updated too often');
      seen.add(place);
      const { table, trailer } = await this.#readTable(place);
      this.#tables.push(table);
      // A table for older readers is completed by a second one, which goes before those of earlier versions.
      for (const key of ['XRefStm', 'Prev']) {
        const next = trailer.get(key);
        if (typeof next === 'number') pending.push(next);
      }
    }
  }

  async #readTable(place: number): Promise<{ table: XrefTable; trailer: PdfDictionary }> {
    if (/^\s*xref\s/.test(await this.#text(place, 32))) {
      const table = await ObjectTable.read((position, length) => this.#text(position, length), place);
      const text = await this.#text(table.end, TRAILER_BYTES);
      const parser = new PdfParser(text);
      if (parser.next() !== 'trailer') throw new RangeError('The table of objects has no trailer');
      return { table, trailer: dictionaryOf(parser.value()) };
    }
    const { value, bytes } = await this.#streamAt(place);
    return { table: new StreamTable(value, bytes), trailer: value };
  }

  async #objectAt(offset: number, number?: number): Promise<{ value: PdfValue; after: number }> {
    for (const length of OBJECT_BYTES) {
      const text = await this.#text(offset, length);
      try {
        const parser = new PdfParser(text);
        const found = Number(parser.next());
        const isObject = parser.next() !== '' && parser.next() === 'obj';
        if (!isObject || (number !== undefined && found !== number)) break;
        const value = parser.value();
        // A word after the value shows that the value is complete.
        const word = parser.next();
        return { value, after: offset + (word === 'stream' ? parser.position : 0) };
      } catch (error) {
        if (text.length < length) throw error;
      }
    }
    throw new RangeError(`There is no object at ${offset}`);
  }

  async #streamAt(
    offset: number,
    { number, limit = 4 * MAX_STREAM_BYTES }: { number?: number; limit?: number } = {},
  ): Promise<{ value: PdfDictionary; bytes: Buffer }> {
    const { value, after } = await this.#objectAt(offset, number);
    const dictionary = dictionaryOf(value);
    const packed = await this.#packedAt(dictionary, after, MAX_STREAM_BYTES);
    if (packed === undefined) throw new RangeError('A stream is too long');
    const filter = await this.resolve(dictionary.get('Filter'));
    return { value: dictionary, bytes: unpackStream(packed.bytes, filter, limit) };
  }

  async #packedAt(
    value: PdfDictionary,
    after: number,
    limit: number,
  ): Promise<{ value: PdfDictionary; bytes: Buffer } | undefined> {
    const length = await this.resolve(value.get('Length'));
    if (typeof length !== 'number' || length > limit) return undefined;
    const lineEnd = /^\r?\n/.exec(await this.#text(after, 2))?.[0].length ?? 0;
    return { value, bytes: Buffer.from(await this.#text(after + lineEnd, length), 'latin1') };
  }

  /** Locates objects that are packed together; each is parsed on request. */
  async #readBundle(number: number): Promise<Bundle> {
    const { value, bytes } = await this.stream({ ref: number }, 4 * MAX_STREAM_BYTES);
    const text = bytes.toString('latin1');
    const [count, first] = [value.get('N'), value.get('First')];
    if (typeof count !== 'number' || typeof first !== 'number') throw new RangeError('Objects are not listed');
    const numbers = text.slice(0, first).trim().split(/\s+/).map(Number);
    const places = new Map<number, number>();
    for (let index = 0; index < Math.min(count, numbers.length / 2); index += 1) {
      const [id, at] = [numbers[2 * index], numbers[2 * index + 1]];
      if (id !== undefined && at !== undefined) places.set(id, first + at);
    }
    return { text, places };
  }

  /** Part of the file, a character for each byte. */
  async #text(position: number, length: number): Promise<string> {
    const { start, text } = this.#tail;
    if (position >= start) return text.slice(position - start, position - start + length);
    return (await this.#source.read(position, length)).toString('latin1');
  }
}

function isReference(value: PdfValue | undefined): value is PdfReference {
  return typeof value === 'object' && value !== null && 'ref' in value;
}

function dictionaryOf(value: PdfValue): PdfDictionary {
  if (value instanceof Map) return value;
  throw new RangeError('There is no dictionary where one should be');
}

/** Undoes the filters of a stream. Throws on any but the usual one, and if the result of one is larger than `limit` bytes. */
function unpackStream(packed: Buffer, filter: PdfValue | undefined, limit: number): Buffer {
  const filters = Array.isArray(filter) ? filter : filter === undefined || filter === null ? [] : [filter];
  let bytes = packed;
  for (const name of filters) {
    if (name !== '/FlateDecode') throw new RangeError('A stream is packed in an unusual way');
    bytes = inflate(bytes, limit);
  }
  return bytes;
}

function inflate(packed: Buffer, limit: number): Buffer {
  try {
    // pdf.js, too, reads the beginning of a stream that is cut off.
    return inflateSync(packed, { maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (cause) {
    const isLarge = cause instanceof RangeError && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    if (isLarge) throw new StreamSizeError(`A stream unpacks to more than ${limit} bytes`, { cause });
    throw cause;
  }
}
