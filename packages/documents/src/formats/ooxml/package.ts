import { Readable } from 'node:stream';
import { inflateRawSync } from 'node:zlib';
import {
  type Entry,
  fromFdPromise,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { type FileLocation, FileSource, UnreadableError } from '../../file.ts';

const MAX_PARTS = 20_000;
/** Uncompressed bytes of one part that is read as a stream. */
const MAX_PART_BYTES = 1024 * 1024 * 1024;
/** Deflate reaches 1032 to 1 on nothing but zeros; the most repetitive of real parts stay below this. */
const MAX_RATIO = 500;
/** Uncompressed bytes from which the ratio is checked. */
const RATIO_FROM_BYTES = 4 * 1024 * 1024;
/** Begins the last record of an archive, which has this many bytes and a comment behind them. */
const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');
const END_BYTES = 22;
/** A smaller archive is read at once, and a smaller part unpacked at once. */
const MAX_WHOLE_BYTES = 4 * 1024 * 1024;
const MAX_SMALL_PART_BYTES = 256 * 1024;
/** Bytes of a piece of a part in memory: of one large piece, all would be inflated before the first is taken. */
const PIECE_BYTES = 64 * 1024;
const MAX_TRIMMED_BYTES = 64 * 1024 * 1024;
/** The first bytes of a compound file, into which Office wraps a file to encrypt it. */
const COMPOUND_SIGNATURE = 0xd0cf11e0;
/** Bytes of an encrypted file that is read. */
const MAX_ENCRYPTED_BYTES = 64 * 1024 * 1024;

/**
 * An Office file: a zip archive of parts. Sizes come from its directory and are enforced while reading, so that a zip bomb
 * is refused before it is unpacked.
 */
export class Package implements AsyncDisposable {
  readonly #zip: ZipFile;
  readonly #source: FileSource;
  /** The archive: the file, or what was encrypted in it. */
  readonly #bytes: ByteSource;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(
    zip: ZipFile,
    { source, bytes }: { source: FileSource; bytes: ByteSource },
    entries: ReadonlyMap<string, Entry>,
  ) {
    this.#zip = zip;
    this.#source = source;
    this.#bytes = bytes;
    this.#entries = entries;
  }

  static async open(location: FileLocation): Promise<Package> {
    const source = await FileSource.open(location);
    try {
      const head = await source.read(0, 4);
      const isEncrypted = head.length === 4 && head.readUInt32BE() === COMPOUND_SIGNATURE;
      const size = await source.size();
      const isSmall = size <= MAX_WHOLE_BYTES;
      const archive = isEncrypted ? await decrypted(source) : isSmall ? await source.read(0, size) : undefined;
      // The descriptor stays the source's: the archive is not closed, which would close it too.
      const opening = archive ? openBuffer(archive) : fromFdPromise(source.fd, ZIP_OPTIONS);
      const damaged = (cause: unknown) => {
        throw new UnreadableError('The file is damaged: it is not a complete zip archive', { cause });
      };
      const zip = await opening.catch(async cause => {
        const whole = withoutTail(archive ?? (await readWhole(source, size)));
        return whole === undefined ? damaged(cause) : openBuffer(whole).catch(damaged);
      });
      if (zip.entryCount > MAX_PARTS) throw new UnreadableError(`The file has more than ${MAX_PARTS} parts`);
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(nameOf(entry), entry);
      const bytes: ByteSource = archive
        ? { read: async (position, length) => archive.subarray(position, position + length) }
        : source;
      return new Package(zip, { source, bytes }, entries);
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  /** The first part whose name ends so. */
  find(end: string): string | undefined {
    for (const name of this.#entries.keys()) if (name.endsWith(end)) return name;
    return undefined;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Uncompressed bytes of a part, 0 if there is none. */
  size(name: string): number {
    return this.#entries.get(name)?.uncompressedSize ?? 0;
  }

  /** The sum of a part that the archive has for it, undefined if there is none. */
  sum(name: string): number | undefined {
    return this.#entries.get(name)?.crc32;
  }

  /** A whole part, which must exist. */
  async read(name: string): Promise<Uint8Array> {
    const entry = this.#find(name);
    const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const packed = await this.#bytes.read(fileDataStart, entry.compressedSize);
    const { uncompressedSize: size } = entry;
    try {
      const bytes = entry.isCompressed() ? inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) }) : packed;
      if (bytes.length !== size) throw new RangeError(`The part has ${bytes.length} bytes instead of ${size}`);
      return bytes;
    } catch (cause) {
      throw new UnreadableError(`The file is damaged: its part '${name}' cannot be read`, { cause });
    }
  }

  /** The content of a part in pieces, of which a large part has many: they are inflated as they are taken. */
  async pieces(name: string): Promise<AsyncIterable<Buffer> | Uint8Array[]> {
    // A stream through the thread pool costs more than a small part itself.
    if (this.size(name) <= MAX_SMALL_PART_BYTES) return [await this.read(name)];
    return this.#zip.openReadStreamPromise(this.#find(name));
  }

  async close(): Promise<void> {
    await this.#source.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Throws if the part is missing, encrypted, or unpacks to far more than it should. */
  #find(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new UnreadableError(`The file is damaged: its part '${name}' is missing`);
    if (entry.isEncrypted()) throw encrypted();
    const { uncompressedSize: size, compressedSize } = entry;
    if (size > MAX_PART_BYTES || (size > RATIO_FROM_BYTES && size > compressedSize * MAX_RATIO)) {
      const message = `The file's part '${name}' unpacks to ${size} bytes, which is more than is safe to read`;
      throw new UnreadableError(message);
    }
    return entry;
  }
}

/** Without `decodeStrings`, yauzl does not refuse an archive for a name that would be unsafe as the path of a file. */
const ZIP_OPTIONS = { autoClose: false, decodeStrings: false, lazyEntries: true };

/** The name of a part. OpenOffice.org 2 begins some with `/`; none is ever used as a path. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false).replace(/^\/+/, '');
}

function openBuffer(bytes: Buffer): Promise<ZipFile> {
  return fromRandomAccessReaderPromise(new BufferReader(bytes), bytes.length, ZIP_OPTIONS);
}

/**
 * Bytes in memory for yauzl, which reads twice for each part of an archive. Its own reader answers in the next turn of the
 * event loop; this one answers at once, which halves the CPU of listing the parts.
 */
export class BufferReader extends RandomAccessReader {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    super();
    this.#bytes = bytes;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead: number) => void,
  ): void {
    // `copy` throws for a position behind the end, which the directory of a damaged archive may name.
    const from = Math.min(position, this.#bytes.length);
    callback(null, this.#bytes.copy(buffer, offset, from, position + length));
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(piecesOf(this.#bytes.subarray(start, end)));
  }
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

interface ByteSource {
  read(position: number, length: number): Promise<Buffer>;
}

/** All bytes of a file; none if it is very large. */
async function readWhole(source: FileSource, size: number): Promise<Buffer> {
  return size > MAX_TRIMMED_BYTES ? Buffer.alloc(0) : source.read(0, size);
}

/** An archive without the bytes after its end, which programs ignore; undefined if it has no end. */
function withoutTail(bytes: Buffer): Buffer | undefined {
  const end = bytes.lastIndexOf(END_SIGNATURE);
  if (end < 0 || end + END_BYTES > bytes.length) return undefined;
  return bytes.subarray(0, end + END_BYTES + bytes.readUInt16LE(end + END_BYTES - 2));
}

/** The archive of a file that Excel opens without asking for a password. */
async function decrypted(source: FileSource): Promise<Buffer> {
  const size = await source.size();
  if (size > MAX_ENCRYPTED_BYTES) throw encrypted();
  const { unlock } = await import('../compound/default-password.ts');
  const archive = unlock(await source.read(0, size));
  if (archive === undefined) throw encrypted();
  return archive;
}

function encrypted(): UnreadableError {
  return new UnreadableError('The file is protected by a password');
}
