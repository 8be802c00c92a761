import { constants, inflateRawSync } from 'node:zlib';
import { UnreadableError } from '../reader.ts';

/** The parts of an Office file, by name. */
export interface PackageParts {
  has(name: string): boolean;
  /** Uncompressed bytes of a part, 0 if there is none. */
  size(name: string): number;
  /** A whole part, which must be there. */
  read(name: string): Promise<Uint8Array>;
}

/** What a zip archive says of a part. */
export interface PartFacts {
  compressedSize: number;
  uncompressedSize: number;
  isEncrypted: boolean;
  isCompressed: boolean;
}

/** Uncompressed bytes of one part that is read as a stream. */
const MAX_PART_BYTES = 1024 * 1024 * 1024;
/** Deflate reaches 1032 to 1 on nothing but zeros; the most repetitive of real parts stay below this. */
const MAX_RATIO = 500;
const RATIO_MATTERS_FROM = 4 * 1024 * 1024;

/** Refuses a part that is missing, encrypted, or unpacks to far more than it should. */
export function checkPart<P extends PartFacts>(part: P | undefined, name: string): P {
  if (part === undefined) throw new UnreadableError(`The file is damaged: its part '${name}' is missing`);
  const { uncompressedSize: size, compressedSize, isEncrypted } = part;
  if (isEncrypted) throw new UnreadableError('The file is protected by a password');
  if (size > MAX_PART_BYTES || (size > RATIO_MATTERS_FROM && size > compressedSize * MAX_RATIO)) {
    throw new UnreadableError(`The file's part '${name}' unpacks to ${size} bytes, which is more than is safe to read`);
  }
  return part;
}

/** Unpacks a part that was read; it may not be larger than the archive says. */
export function unpack(packed: Buffer, name: string, { isCompressed, uncompressedSize }: PartFacts): Uint8Array {
  try {
    const bytes = isCompressed ? inflateRawSync(packed, { maxOutputLength: Math.max(uncompressedSize, 1) }) : packed;
    if (bytes.length === uncompressedSize) return bytes;
  } catch (cause) {
    throw new UnreadableError(`The file is damaged: its part '${name}' cannot be read`, { cause });
  }
  throw new UnreadableError(`The file is damaged: its part '${name}' cannot be read`);
}

/** Unpacks the beginning of a part; nothing if that does not work. */
export function unpackHead(packed: Buffer): Uint8Array {
  try {
    // Eight kilobytes unpack to eight megabytes at the very most.
    return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return new Uint8Array();
  }
}

/** Office encrypts a file by wrapping it into the container of its old formats. */
export function refuseCompoundFile(head: Buffer): void {
  if (head.length >= 4 && head.readUInt32BE() === 0xd0cf11e0) {
    throw new UnreadableError('The file is protected by a password');
  }
}
