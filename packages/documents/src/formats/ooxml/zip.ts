import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { UnreadableError } from '../reader.ts';

const MAX_ENTRIES = 20_000;
/** Uncompressed bytes of one part that is read as a stream. */
const MAX_PART_BYTES = 1024 * 1024 * 1024;
/** Deflate reaches 1032 to 1 on nothing but zeros; the most repetitive of real parts stay below this. */
const MAX_RATIO = 500;
const RATIO_MATTERS_FROM = 4 * 1024 * 1024;

/** The parts of an Office file. Sizes come from the directory and are enforced while reading, so a bomb does not go off. */
export class ZipPackage {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(path: string): Promise<ZipPackage> {
    await refuseCompoundFile(path);
    const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch(cause => {
      throw new UnreadableError('The file is damaged: it is not a complete zip archive', { cause });
    });
    try {
      if (zip.entryCount > MAX_ENTRIES) throw new UnreadableError(`The file has more than ${MAX_ENTRIES} parts`);
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
      return new ZipPackage(zip, entries);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Uncompressed bytes of a part, 0 if there is none. */
  size(name: string): number {
    return this.#entries.get(name)?.uncompressedSize ?? 0;
  }

  /** The content of a part as it is inflated. */
  async stream(name: string): Promise<Readable> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new UnreadableError(`The file is damaged: its part '${name}' is missing`);
    if (entry.isEncrypted()) throw new UnreadableError('The file is protected by a password');
    const { uncompressedSize: size, compressedSize } = entry;
    if (size > MAX_PART_BYTES || (size > RATIO_MATTERS_FROM && size > compressedSize * MAX_RATIO)) {
      throw new UnreadableError(
        `The file's part '${name}' unpacks to ${size} bytes, which is more than is safe to read`,
      );
    }
    return this.#zip.openReadStreamPromise(entry);
  }

  async close(): Promise<void> {
    this.#zip.close();
  }
}

/** Office encrypts a file by wrapping it into the container of its old formats. */
async function refuseCompoundFile(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    if (buffer.readUInt32BE() === 0xd0cf11e0) throw new UnreadableError('The file is protected by a password');
  } finally {
    await file.close();
  }
}
