import type { Writable } from 'node:stream';
import { settle } from '@a2c-smcp/core';

/** Bytes of a service's log that may be pending. Writes to pipes are asynchronous and would pile up without a limit. */
const MAX_PENDING_BYTES = 512 * 1024;

/**
 * Writes lines to standard error. A reader that is slow, stopped or gone, and a full disk, lose lines but neither block nor
 * end the process.
 */
export class LineWriter {
  readonly #stream: Writable;
  readonly #onDropped: (count: number) => void;
  #isBounded = false;
  #dropped = 0;

  /** @param onDropped gets the number of dropped lines, once lines are being read again */
  constructor(stream: Writable, onDropped: (count: number) => void) {
    this.#stream = stream;
    this.#onDropped = onDropped;
    // Each failed write is counted by its own callback; the standard streams of Node stay usable after errors.
    stream.on('error', () => {});
  }

  write(line: string): void {
    if (this.#isBounded && this.#stream.writableLength > MAX_PENDING_BYTES) {
      this.#dropped += 1;
      return;
    }
    this.#stream.write(`${line}\n`, error => {
      if (error) this.#dropped += 1;
      else if (this.#stream.writableLength === 0) this.#report();
    });
  }

  /** From now on drops lines while more than `MAX_PENDING_BYTES` are pending. */
  bound(): void {
    this.#isBounded = true;
  }

  /** Resolves to false when lines are still pending after `timeout` milliseconds. */
  async flush(timeout: number): Promise<boolean> {
    if (this.#stream.writableLength === 0) return true;
    const flushed = settle<boolean>(
      resolve => {
        this.#stream.write('', () => resolve(true));
        return undefined;
      },
      { timeout },
    );
    return flushed.catch(() => false);
  }

  #report(): void {
    const count = this.#dropped;
    this.#dropped = 0;
    if (count > 0) this.#onDropped(count);
  }
}
