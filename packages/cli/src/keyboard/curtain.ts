import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';

/** The terminal's output with a curtain that can be drawn, so that a password is not seen while it is typed. */
export class Curtain extends Writable {
  drawn = false;
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
    if (!this.drawn) this.#target.write(chunk);
    // At once, so that nothing is held back until the curtain stands otherwise.
    done();
  }
}
