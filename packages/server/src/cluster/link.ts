import type { Socket } from 'node:net';
import { depart, type Sender } from '../wire/ws.ts';

/** The length of a batch, before it. */
const LENGTH_BYTES = 4;
/** Larger batches are not collected. */
const MAX_BATCHED_BYTES = 65_536;
/** Bytes of the longest batch: of one message, and of those that it was collected with. */
const MAX_BATCH_BYTES = 512 * 1024 * 1024;
/** Bytes that may be written and not yet read by the other node. */
const MAX_UNSENT_BYTES = 256 * 1024 * 1024;

/** A connection to another node. Writes together all messages that some input causes, or all of one turn of the event loop. */
export class Link implements Sender {
  /** True if the other node has accepted it. */
  isReady = false;
  readonly #socket: Socket;
  #waiting: Buffer[] = [];
  #size = 0;
  #isDue = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setKeepAlive(true);
    socket.unref();
  }

  /** Sends a message soon. */
  add(message: readonly Buffer[]): void {
    for (const part of message) {
      this.#waiting.push(part);
      this.#size += part.length;
    }
    if (this.#size > MAX_BATCHED_BYTES) {
      this.flush();
    } else if (!this.#isDue) {
      this.#isDue = true;
      depart(this);
    }
  }

  flush(): void {
    this.#isDue = false;
    if (this.#size === 0) return;
    const length = Buffer.allocUnsafe(LENGTH_BYTES);
    length.writeUInt32BE(this.#size);
    this.#socket.write(Buffer.concat([length, ...this.#waiting], LENGTH_BYTES + this.#size));
    this.#waiting = [];
    this.#size = 0;
    // A node that hangs is lost; that its messages are kept for it must not cost this one its memory.
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) this.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

/** Finds the batches in what arrives. */
export class BatchReader {
  readonly #receive: (batch: Buffer) => void;
  /** The beginning of a batch whose end has not come yet. */
  #parts: Buffer[] = [];
  #received = 0;
  /** How much of it there must be before it can be read. */
  #wanted = LENGTH_BYTES;

  constructor(receive: (batch: Buffer) => void) {
    this.#receive = receive;
  }

  /** Returns false when a batch is longer than any may be. */
  read(chunk: Buffer): boolean {
    this.#parts.push(chunk);
    this.#received += chunk.length;
    if (this.#received < this.#wanted) return true;
    const bytes = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts, this.#received);
    let start = 0;
    for (;;) {
      const left = bytes.length - start;
      const length = left < LENGTH_BYTES ? 0 : bytes.readUInt32BE(start);
      if (length > MAX_BATCH_BYTES) return false;
      this.#wanted = LENGTH_BYTES + length;
      if (left < this.#wanted) break;
      this.#receive(bytes.subarray(start + LENGTH_BYTES, start + this.#wanted));
      start += this.#wanted;
    }
    this.#parts = start < bytes.length ? [bytes.subarray(start)] : [];
    this.#received = bytes.length - start;
    return true;
  }
}
