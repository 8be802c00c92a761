import { createSha256, nodeModule } from './bytes.ts';

/** Bytes that can be read several times, such as a `Blob` or a `File` of a browser. */
export interface RereadableBytes {
  readonly size: number;
  stream(): AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
}

/** The source of an upload: bytes, something that yields them, or in Node the path of a file. */
export type UploadSource = Uint8Array | ArrayBuffer | RereadableBytes | AsyncIterable<Uint8Array> | string;

/** A source with its size and sum, which a Computer wants to know before the first byte. */
export interface MeasuredSource {
  size: number;
  sha256: string;
  stream(): AsyncIterable<Uint8Array>;
}

/**
 * Reads a source once for its sum. A `Blob` and a file are not in memory as a whole; bytes that can be read only once
 * are.
 */
export async function measure(source: UploadSource, signal: AbortSignal | undefined): Promise<MeasuredSource> {
  const { size, stream } = await open(source);
  const hash = createSha256();
  let length = 0;
  for await (const bytes of stream()) {
    signal?.throwIfAborted();
    hash.update(bytes);
    length += bytes.length;
  }
  if (length !== size) throw new TypeError(`The source has ${length} bytes instead of ${size}`);
  if (size === 0) throw new TypeError('An empty file cannot be uploaded: the protocol has none');
  return { size, sha256: hash.hex(), stream };
}

/** The bytes of a stream in pieces of `length`, the last of which may be shorter. */
export async function* inPieces(stream: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let piece = new Uint8Array(length);
  let filled = 0;
  for await (const bytes of stream) {
    for (let at = 0; at < bytes.length; ) {
      const more = bytes.subarray(at, at + length - filled);
      piece.set(more, filled);
      filled += more.length;
      at += more.length;
      if (filled < length) continue;
      yield piece;
      piece = new Uint8Array(length);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

async function open(source: UploadSource): Promise<Pick<MeasuredSource, 'size' | 'stream'>> {
  if (typeof source === 'string') return openFile(source);
  if (source instanceof Uint8Array) return inMemory(source);
  if (source instanceof ArrayBuffer) return inMemory(new Uint8Array(source));
  if ('stream' in source) return { size: source.size, stream: () => iterate(source.stream()) };
  const pieces: Uint8Array[] = [];
  // A source may fill the same buffer again and again.
  for await (const bytes of source) pieces.push(bytes.slice());
  return { size: pieces.reduce((sum, piece) => sum + piece.length, 0), stream: () => iterateAll(pieces) };
}

function inMemory(bytes: Uint8Array): Pick<MeasuredSource, 'size' | 'stream'> {
  return { size: bytes.length, stream: () => iterateAll([bytes]) };
}

function openFile(path: string): Pick<MeasuredSource, 'size' | 'stream'> {
  const fs = nodeModule('fs');
  if (!fs) throw new TypeError('A path can be uploaded in Node only: pass a File or bytes');
  const stats = fs.statSync(path);
  if (!stats.isFile()) throw new TypeError(`'${path}' is not a file`);
  const { size } = stats;
  // No more bytes than it has now, so that a growing file can be uploaded.
  return { size, stream: () => (size === 0 ? iterateAll([]) : fs.createReadStream(path, { start: 0, end: size - 1 })) };
}

async function* iterateAll(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** Streams of some browsers cannot be iterated. */
async function* iterate(stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (Symbol.asyncIterator in stream) {
    yield* stream as AsyncIterable<Uint8Array>;
    return;
  }
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
