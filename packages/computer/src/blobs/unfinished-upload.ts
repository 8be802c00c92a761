import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SerialQueue } from '@a2c-smcp/core';
import { uploadFailure } from './upload-failure.ts';

/** Creates a file that did not exist, and never follows a link. */
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

export interface UnfinishedUploadOptions {
  id: string;
  /** The sender. Parts of other senders are refused. */
  owner: object;
  /** A folder that does not exist yet, for this file alone. */
  folder: string;
  name: string;
  /** Bytes of the whole. */
  size: number;
  /** Of the whole, in lower case. */
  sha256: string;
}

/** A part that has arrived. */
export interface ArrivedPart {
  offset: number;
  bytes: Buffer;
  isLast: boolean;
}

/** A file that has landed. */
export interface LandedFile {
  path: string;
  size: number;
  sha256: string;
}

/** A file that arrives part by part. It is deleted unless its last part completes it. */
export class UnfinishedUpload {
  readonly id: string;
  readonly owner: object;
  readonly size: number;
  readonly folder: string;
  readonly #sha256: string;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  /** Parts are checked and written one after the other, in whatever order they arrive. */
  readonly #queue = new SerialQueue();
  #received = 0;
  #isOver = false;

  private constructor({ id, owner, size, folder, sha256 }: UnfinishedUploadOptions, path: string, file: FileHandle) {
    this.id = id;
    this.owner = owner;
    this.size = size;
    this.folder = folder;
    this.#sha256 = sha256;
    this.#path = path;
    this.#file = file;
  }

  static async create(options: UnfinishedUploadOptions): Promise<UnfinishedUpload> {
    const { folder, name } = options;
    const path = join(folder, name);
    await mkdir(folder, { mode: 0o700 });
    try {
      return new UnfinishedUpload(options, path, await open(path, CREATE, 0o600));
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /**
   * Takes the next part. A part in the wrong place changes nothing, unless it is an empty last one: by that an Agent gives
   * up, and it need not know whether the part before arrived. Resolves with the file when it was the last one. Throws 4019.
   */
  add(part: ArrivedPart): Promise<LandedFile | undefined> {
    return this.#queue.run(async () => {
      if (this.#isOver) throw uploadFailure('invalid_upload', 'This upload is over', { upload_id: this.id });
      const isGivenUp = part.isLast && part.bytes.length === 0;
      if (!isGivenUp) this.#checkOrder(part);
      try {
        this.#checkOrder(part);
        this.#checkLength(part);
        await this.#write(part.bytes);
        return part.isLast ? await this.#finish() : undefined;
      } catch (error) {
        await this.#delete();
        throw error;
      }
    });
  }

  /** Deletes the file, if it has not landed. */
  drop(): Promise<void> {
    return this.#queue.run(() => this.#delete());
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  #checkOrder({ offset }: ArrivedPart): void {
    if (offset === this.#received) return;
    throw this.#outOfRange(`The part begins at ${offset}, and ${this.#received} bytes have been received`);
  }

  #checkLength({ bytes, isLast }: ArrivedPart): void {
    const end = this.#received + bytes.length;
    if (end > this.size) throw this.#outOfRange(`The part ends at ${end}, and ${this.size} bytes were declared`);
    if (isLast && end < this.size) throw this.#outOfRange(`Only ${end} of ${this.size} bytes have been received`);
  }

  async #write(bytes: Buffer): Promise<void> {
    await this.#file.writeFile(bytes);
    this.#hash.update(bytes);
    this.#received += bytes.length;
  }

  async #finish(): Promise<LandedFile> {
    const sha256 = this.#hash.digest('hex');
    if (sha256 !== this.#sha256) {
      throw uploadFailure('integrity', 'The bytes do not match their SHA-256 sum', { upload_id: this.id });
    }
    await this.#file.close();
    this.#isOver = true;
    return { path: this.#path, size: this.size, sha256 };
  }

  async #delete(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#file.close().catch(() => {});
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #outOfRange(message: string): Error {
    const details = { upload_id: this.id, chunk_offset: this.#received, total_size: this.size };
    return uploadFailure('range', message, details);
  }
}
