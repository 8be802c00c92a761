import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';

/** The output of the terminal for `node:readline`. While it is muted, typed keys are not echoed. */
export class MutedOutput extends Writable {
  isMuted = false;
  readonly #target: WriteStream;

  constructor(target: WriteStream) {
    super({ decodeStrings: false });
    this.#target = target;
    target.on('resize', () => this.emit('resize'));
  }

  /** Read by `node:readline` to know where lines break. */
  get columns(): number {
    return this.#target.columns;
  }

  override _write(chunk: string, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (!this.isMuted) this.#target.write(chunk);
    // Synchronous: a chunk in the buffer of this stream would be written or dropped by a later value of `isMuted`.
    done();
  }
}
