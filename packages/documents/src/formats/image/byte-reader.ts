import type { FileSource } from '../../file.ts';

/** Reads of one file, and bytes of them all. Metadata of a picture is some kilobytes in some dozens of places. */
const MAX_READS = 5000;
const MAX_TOTAL_BYTES = 8 * 1024 * 1024;
/** Bytes of one part, such as the metadata of one program. */
export const MAX_PART_BYTES = 1024 * 1024;

/** Bytes of a file or of a part of it, read where they are needed. */
export interface ByteReader {
  readonly size: number;
  /** At most `length` bytes: fewer at the end, none beyond it or once the limits of the file are used up. */
  read(at: number, length: number): Promise<Buffer>;
}

/** A file, of which a limited number of bytes is read however it is built. */
export function fileReader(source: FileSource, size: number): ByteReader {
  let [reads, bytes] = [0, 0];
  return {
    size,
    async read(at, length) {
      const wanted = Math.min(length, MAX_PART_BYTES, size - at);
      reads += 1;
      bytes += Math.max(wanted, 0);
      if (wanted <= 0 || at < 0 || reads > MAX_READS || bytes > MAX_TOTAL_BYTES) return Buffer.alloc(0);
      return source.read(at, wanted);
    },
  };
}

/** Bytes that were read already. */
export function bufferReader(buffer: Buffer): ByteReader {
  return {
    size: buffer.length,
    read: async (at, length) => (at < 0 ? Buffer.alloc(0) : buffer.subarray(at, at + length)),
  };
}
