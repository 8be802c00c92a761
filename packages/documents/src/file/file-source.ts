import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type FileLocation, isOpenedInside } from './location.ts';
import { UnreadableError } from './unreadable-error.ts';

/** A file that is read piece by piece. */
export class FileSource implements AsyncDisposable {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /**
   * Opens a file of the shared folders; every file that is parsed is opened here. Throws before anything is read if it
   * lies outside of them, or is not a plain file: a pipe in its place would block a thread of the process for ever.
   */
  static async open(location: FileLocation): Promise<FileSource> {
    // Without `O_NONBLOCK`, opening a pipe waits for its other end. Windows has neither.
    const handle = await open(location.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!(await handle.stat()).isFile()) throw new TypeError(`'${location.path}' is not a file`);
      if (!(await isOpenedInside(handle, location)))
        throw new UnreadableError('The file is outside the shared folders');
      return new FileSource(handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get fd(): number {
    return this.#handle.fd;
  }

  /** Bytes of the file as it is now. */
  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  /** The whole file; the source is closed with the stream. */
  stream(highWaterMark: number): Readable & { bytesRead: number } {
    return this.#handle.createReadStream({ highWaterMark });
  }

  /** The bytes from `position` on; fewer than `length` at the end of the file. */
  async read(position: number, length: number): Promise<Buffer<ArrayBuffer>> {
    const bytes = Buffer.allocUnsafeSlow(Math.max(length, 0));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await this.#handle.read(bytes, filled, bytes.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
