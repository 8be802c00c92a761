import type { FileSource } from '../../file/file-source.ts';
import { UnreadableError } from '../reader.ts';
import { checkPart, type PackageParts, type PartFacts, refuseCompoundFile, unpack, unpackHead } from './parts.ts';

const TAIL_BYTES = 64 * 1024;
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;
/** No part that the catalogue needs is larger. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

/** Compressed bytes at the beginning of a part. */
const HEAD_BYTES = 8 * 1024;

const END_SIGNATURE = Buffer.from('504b0506', 'hex');
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const LOCAL_NAMES = 256;

interface Entry extends PartFacts {
  /** Where the part's own header is. */
  offset: number;
}

/** The directory of a zip archive, read at once from the end of the file: little work for the catalogue. */
export class ZipDirectory implements PackageParts {
  readonly #source: FileSource;
  readonly #tail: { start: number; bytes: Buffer };
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(source: FileSource, tail: { start: number; bytes: Buffer }, entries: ReadonlyMap<string, Entry>) {
    this.#source = source;
    this.#tail = tail;
    this.#entries = entries;
  }

  /** Nothing for a directory that is damaged or of the large kind, which takes a library to understand. */
  static async read(source: FileSource, size: number): Promise<ZipDirectory | undefined> {
    const start = Math.max(0, size - TAIL_BYTES);
    const tail = { start, bytes: await source.read(start, size - start) };
    refuseCompoundFile(start === 0 ? tail.bytes : await source.read(0, 4));
    const end = tail.bytes.lastIndexOf(END_SIGNATURE);
    if (end < 0 || end + END_BYTES > tail.bytes.length) return undefined;
    if (end + END_BYTES + tail.bytes.readUInt16LE(end + 20) !== tail.bytes.length) return undefined;
    const count = tail.bytes.readUInt16LE(end + 10);
    const length = tail.bytes.readUInt32LE(end + 12);
    const offset = tail.bytes.readUInt32LE(end + 16);
    if (offset + length > start + end || length > MAX_DIRECTORY_BYTES) return undefined;
    const bytes = offset >= start ? tail.bytes.subarray(offset - start, end) : await source.read(offset, length);
    const entries = parseEntries(bytes);
    return entries.size === count ? new ZipDirectory(source, tail, entries) : undefined;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  size(name: string): number {
    return this.#entries.get(name)?.uncompressedSize ?? 0;
  }

  async read(name: string): Promise<Uint8Array> {
    const entry = checkPart(this.#entries.get(name), name);
    if (Math.max(entry.uncompressedSize, entry.compressedSize) > MAX_READ_BYTES) {
      throw new UnreadableError(`The file's part '${name}' is too large to read`);
    }
    return unpack(await this.#packed(entry, entry.compressedSize), name, entry);
  }

  /** The beginning of a part that is too large to be read, or nothing if it cannot be unpacked. */
  async readHead(name: string): Promise<Uint8Array> {
    const entry = checkPart(this.#entries.get(name), name);
    const packed = await this.#packed(entry, Math.min(entry.compressedSize, HEAD_BYTES));
    return entry.isCompressed ? unpackHead(packed) : packed;
  }

  /** A part's own header is as long as its name, and what some programs add to it. */
  async #packed({ offset }: Entry, length: number): Promise<Buffer> {
    const bytes = await this.#bytes(offset, LOCAL_BYTES + LOCAL_NAMES + length);
    if (bytes.length < LOCAL_BYTES) throw new UnreadableError('The file is damaged: it is not a complete zip archive');
    const begin = LOCAL_BYTES + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
    if (begin > LOCAL_BYTES + LOCAL_NAMES) return this.#bytes(offset + begin, length);
    return bytes.subarray(begin, begin + length);
  }

  /** Small files were read with their directory. */
  async #bytes(position: number, length: number): Promise<Buffer> {
    const { start, bytes } = this.#tail;
    if (position < start) return this.#source.read(position, length);
    return bytes.subarray(position - start, position - start + length);
  }
}

function parseEntries(bytes: Buffer): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let at = 0; at + ENTRY_BYTES <= bytes.length && bytes.readUInt32LE(at) === ENTRY_SIGNATURE; ) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const begin = at + ENTRY_BYTES;
    entries.set(bytes.toString('utf8', begin, begin + nameLength), {
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      isCompressed: bytes.readUInt16LE(at + 10) !== 0,
      compressedSize: bytes.readUInt32LE(at + 20),
      uncompressedSize: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    });
    at = begin + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}
