import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';

/** The first byte of a WebSocket frame that holds one whole text message. */
const WHOLE_TEXT = 0x81;

/** The consumer of messages. */
interface Taker {
  readonly readyState: number;
  receive(text: Buffer): void;
}

const OPEN = 1;
const MASKED = 0x80;
const MASK_BYTES = 4;
/** The length of a frame whose real length is in the next two bytes. */
const TWO_BYTE_LENGTH = 126;

/**
 * Reads the frames of a client that are whole, short text messages, and hands on their texts. Returns where the first
 * byte is that it has not read: of a frame of another kind, of one that has not arrived in full or is not UTF-8.
 */
export function readFrames(chunk: Buffer, taker: Taker): number {
  let start = 0;
  while (start + 2 + MASK_BYTES <= chunk.length && chunk[start] === WHOLE_TEXT && taker.readyState === OPEN) {
    const second = chunk[start + 1] ?? 0;
    if (second < MASKED) break;
    let length = second - MASKED;
    let mask = start + 2;
    if (length === TWO_BYTE_LENGTH) {
      length = ((chunk[mask] ?? 0) << 8) | (chunk[mask + 1] ?? 0);
      mask += 2;
    } else if (length > TWO_BYTE_LENGTH) break;
    const end = mask + MASK_BYTES + length;
    if (end > chunk.length) break;
    const key = chunk.subarray(mask, mask + MASK_BYTES);
    const text = chunk.subarray(mask + MASK_BYTES, end);
    unmask(text, key);
    if (!isUtf8(text)) {
      unmask(text, key);
      break;
    }
    start = end;
    taker.receive(text);
  }
  return start;
}

/** Applies a mask of four bytes to a message of a client, in place. Applied twice it changes nothing. */
type Unmask = (message: Buffer, mask: Buffer) => void;

/** From this many bytes on a call of native code pays. */
const LONG_BYTES = 48;

const native = nativeUnmask();

function unmask(message: Buffer, mask: Buffer): void {
  const apply = native && message.length >= LONG_BYTES ? native : unmaskShort;
  apply(message, mask);
}

function unmaskShort(message: Buffer, mask: Buffer): void {
  for (let index = 0; index < message.length; index++) {
    message[index] = (message[index] ?? 0) ^ (mask[index & 3] ?? 0);
  }
}

/** That of `bufferutil`, an optional dependency: not every machine can build it. */
function nativeUnmask(): Unmask | undefined {
  try {
    const { unmask } = createRequire(import.meta.url)('bufferutil') as { unmask?: Unmask };
    return unmask;
  } catch {
    return undefined;
  }
}

/** From this many bytes on it is cheaper to write a body on its own than to copy it. */
const LARGE_BODY_BYTES = 16_384;

/** A frame, but for a large body that follows on its own. */
interface Frame {
  /** How long the message is, with its body. */
  length: number;
  /** ASCII. */
  head: string;
  body: string | Buffer;
}

/** Messages that leave together, as the WebSocket frames of a server. */
export class Batch {
  /** Chunks before the frames; most batches have none. */
  #chunks?: Buffer[];
  /** Those that are encoded already are shared with other batches. */
  #frames: (Frame | Buffer)[] = [];
  #size = 0;

  /** Adds a message that consists of a head of ASCII and a body. */
  add(head: string, body: string | Buffer): void {
    const isText = typeof body === 'string';
    const length = head.length + (isText ? Buffer.byteLength(body) : body.length);
    this.#size += headerSize(length) + length;
    if (isText || body.length < LARGE_BODY_BYTES) {
      this.#frames.push({ length, head, body });
    } else {
      this.#size -= body.length;
      this.#frames.push({ length, head, body: '' });
      this.#chunks ??= [];
      this.#chunks.push(this.#join(), body);
    }
  }

  /** Adds a message that `encodeFrame` has encoded. */
  addFrame(frame: Buffer): void {
    this.#size += frame.length;
    this.#frames.push(frame);
  }

  /** Has everything that was added written, in order. Ends the batch. */
  write(stream: Writable): void {
    if (!this.#chunks) {
      stream.write(this.#join());
      return;
    }
    stream.cork();
    for (const chunk of this.#chunks) stream.write(chunk);
    if (this.#size > 0) stream.write(this.#join());
    stream.uncork();
  }

  /** All frames as one chunk. */
  #join(): Buffer {
    const [only] = this.#frames;
    const isShared = this.#frames.length === 1 && Buffer.isBuffer(only);
    const chunk = isShared ? only : joinFrames(this.#frames, this.#size);
    this.#frames = [];
    this.#size = 0;
    return chunk;
  }
}

/** A message as the frame that all its receivers get. */
export function encodeFrame(head: string, body: Buffer): Buffer {
  const length = head.length + body.length;
  return joinFrames([{ length, head, body }], headerSize(length) + length);
}

function joinFrames(frames: readonly (Frame | Buffer)[], size: number): Buffer {
  const chunk = Buffer.allocUnsafe(size);
  let offset = 0;
  for (const frame of frames) {
    if (Buffer.isBuffer(frame)) {
      chunk.set(frame, offset);
      offset += frame.length;
    } else {
      offset = writeFrame(chunk, frame, offset);
    }
  }
  return chunk;
}

/** Returns where the frame ends. */
function writeFrame(chunk: Buffer, { length, head, body }: Frame, start: number): number {
  let end = writeHeader(chunk, length, start);
  for (let index = 0; index < head.length; index++) chunk[end++] = head.charCodeAt(index);
  if (typeof body === 'string') return end + chunk.write(body, end);
  chunk.set(body, end);
  return end + body.length;
}

function headerSize(length: number): number {
  if (length < 126) return 2;
  return length < 65_536 ? 4 : 10;
}

/** Returns where the header ends. */
function writeHeader(chunk: Buffer, length: number, start: number): number {
  const offset = chunk.writeUInt8(WHOLE_TEXT, start);
  if (length < 126) return chunk.writeUInt8(length, offset);
  if (length < 65_536) return chunk.writeUInt16BE(length, chunk.writeUInt8(126, offset));
  return chunk.writeBigUInt64BE(BigInt(length), chunk.writeUInt8(127, offset));
}

/** The private parts of Node that the option `onread` of `net.connect` sets. There is no such option for a server. */
interface PrivateSocket extends Duplex {
  _handle?: { useUserBuffer?: (buffer: Uint8Array) => void };
  [part: symbol]: unknown;
}

/** As many as Node reads at once. */
const READ_BYTES = 64 * 1024;

const [BUFFER, CALLBACK] = ['kBuffer', 'kBufferCb'].map(findPart);

/** True if this Node lets the connections of a server share the buffer they read into. */
export const canShareReads = BUFFER !== undefined && CALLBACK !== undefined;

/** All connections read into it. Node hands on what it has read before it reads again. */
let buffer: Buffer | undefined;

/**
 * Has a TCP connection read into the shared buffer and emit each chunk as a copy. By itself Node allocates 64 KiB for each
 * read and moves the chunk through the queue of the stream, which takes 12 % of the Server's CPU for a call of 200 B. No-op
 * for TLS, and where Node lacks the parts.
 */
export function shareReads(stream: Duplex): void {
  const socket = stream as PrivateSocket;
  if (!BUFFER || !CALLBACK || Object.getPrototypeOf(socket) !== Socket.prototype || socket[BUFFER]) return;
  if (!socket._handle?.useUserBuffer) return;
  buffer ??= Buffer.allocUnsafeSlow(READ_BYTES);
  socket[BUFFER] = buffer;
  socket[CALLBACK] = emitCopy;
  socket._handle.useUserBuffer(buffer);
}

function emitCopy(this: Duplex, length: number, read: Buffer): boolean {
  const chunk = Buffer.allocUnsafe(length);
  read.copy(chunk, 0, 0, length);
  this.emit('data', chunk);
  return true;
}

function findPart(name: string): symbol | undefined {
  return Object.getOwnPropertySymbols(new Socket()).find(({ description }) => description === name);
}
