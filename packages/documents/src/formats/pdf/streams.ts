import { constants, inflateSync } from 'node:zlib';
import type { PdfValue } from './objects.ts';

/** A stream that unpacks to more than it may. */
export class StreamSizeError extends Error {
  override readonly name = 'StreamSizeError';
}

/** Undoes the filters of a stream. Throws on any but the usual one, and if the result of one is larger than `limit` bytes. */
export function unpackStream(packed: Buffer, filter: PdfValue | undefined, limit: number): Buffer {
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
    // Readers take what there is of a stream that is cut off.
    return inflateSync(packed, { maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (cause) {
    const isLarge = cause instanceof RangeError && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    if (isLarge) throw new StreamSizeError(`A stream unpacks to more than ${limit} bytes`, { cause });
    throw cause;
  }
}
