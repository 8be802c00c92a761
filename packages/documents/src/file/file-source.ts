import { type FileHandle, open } from 'node:fs/promises';

/** A file that is read piece by piece. */
export class FileSource implements AsyncDisposable {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async open(path: string): Promise<FileSource> {
    return new FileSource(await open(path));
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
