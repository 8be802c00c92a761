/** The first byte of a WebSocket frame that holds one whole text message. */
export const WHOLE_TEXT = 0x81;
/** From this many bytes on it is cheaper to write a body on its own than to copy it. */
const LARGE_BODY_BYTES = 16_384;

/** A frame, but for a large body that follows on its own. */
interface Frame {
  /** How long the message is, with its body. */
  length: number;
  head: string;
  body: string | Buffer;
}

/** Messages that leave together, as the WebSocket frames of a server. */
export class Batch {
  readonly #chunks: Buffer[] = [];
  #frames: Frame[] = [];
  #size = 0;

  /** Adds a message that consists of a head and a body. */
  add(head: string, body: string | Buffer): void {
    const length = Buffer.byteLength(head) + Buffer.byteLength(body);
    this.#size += headerSize(length) + length;
    if (typeof body === 'string' || body.length < LARGE_BODY_BYTES) {
      this.#frames.push({ length, head, body });
    } else {
      this.#size -= body.length;
      this.#frames.push({ length, head, body: '' });
      this.#seal();
      this.#chunks.push(body);
    }
  }

  /** Adds a finished frame, which may be in pieces. */
  addFrame(pieces: readonly Buffer[]): void {
    if (this.#size > 0) this.#seal();
    this.#chunks.push(...pieces);
  }

  /** Everything that was added. Ends the batch. */
  chunks(): Buffer[] {
    if (this.#size > 0) this.#seal();
    return this.#chunks;
  }

  #seal(): void {
    const chunk = Buffer.allocUnsafe(this.#size);
    let offset = 0;
    for (const { length, head, body } of this.#frames) {
      offset = writeHeader(chunk, length, offset);
      offset += chunk.write(head, offset);
      if (typeof body === 'string') {
        offset += chunk.write(body, offset);
      } else {
        chunk.set(body, offset);
        offset += body.length;
      }
    }
    this.#chunks.push(chunk);
    this.#frames = [];
    this.#size = 0;
  }
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
