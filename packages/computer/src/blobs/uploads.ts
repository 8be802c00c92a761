import { randomBytes } from 'node:crypto';
import { readdir, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { given, type Logger, SerialQueue } from '@a2c-smcp/core';
import { SmcpError } from '@a2c-smcp/protocol';
import { preparePrivateFolder } from '../inputs/private-file.ts';
import { decodeBase64 } from './base64.ts';
import { fileName } from './file-name.ts';
import { type ArrivedPart, type LandedFile, UnfinishedUpload } from './unfinished-upload.ts';
import { uploadFailure } from './upload-failure.ts';

export interface UploadOptions {
  /** Where files land, each in a folder of its own. Made if it does not exist; other users must not be able to write to it. */
  folder: string;
  /** Bytes of one file. @default 100 MiB */
  maxBytes?: number;
  /** Bytes of all files. The oldest landed ones make room for new ones. @default 1 GiB */
  totalBytes?: number;
  /** Unfinished uploads at the same time. @default 4 */
  maxConcurrent?: number;
  /** Milliseconds without a part after which an upload is dropped. @default 120_000 */
  idle?: number;
  /** Milliseconds after which a landed file is deleted. @default 86_400_000, a day */
  maxAge?: number;
}

/** A part as an Agent sends it. The last three fields come with the first part. */
export interface UploadPart {
  uploadId?: string | undefined;
  offset: number;
  isLast: boolean;
  base64: string;
  size?: number | undefined;
  sha256?: string | undefined;
  nameHint?: string | undefined;
}

/** The answer to a part. The file is there after the last one. */
export interface TakenPart {
  uploadId: string;
  file?: LandedFile | undefined;
}

interface Landed {
  folder: string;
  size: number;
  expiry: NodeJS.Timeout;
}

const DEFAULTS = {
  maxBytes: 100 * 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
  maxConcurrent: 4,
  idle: 120_000,
  maxAge: 24 * 60 * 60_000,
};
const MAX_HINT_LENGTH = 4096;
/** Landed files, however small: each takes a folder, a place in the file system and a timer. */
const MAX_FILES = 10_000;
const FOLDER_PREFIX = 'upload-';
const OUR_FOLDER = /^upload-[0-9a-f]{32}$/;

/** Takes files of Agents. Without options it takes none. */
export class Uploads {
  readonly #options: Required<UploadOptions> | undefined;
  readonly #logger: Logger;
  readonly #unfinished = new Map<string, { upload: UnfinishedUpload; expiry: NodeJS.Timeout }>();
  /** By path, oldest first. */
  readonly #landed = new Map<string, Landed>();
  /** First parts are taken one after the other, so that each sees what the ones before have taken. */
  readonly #beginnings = new SerialQueue();
  /** How often the uploads of an owner were dropped: a first part may be written meanwhile. */
  readonly #releases = new WeakMap<object, number>();
  /** Pending deletions. */
  readonly #deletions = new Set<Promise<void>>();
  #folder: Promise<string> | undefined;
  #isClosed = false;

  constructor(options: UploadOptions | undefined, logger: Logger) {
    this.#options = options && { ...DEFAULTS, ...given(options) };
    this.#logger = logger;
  }

  /** Takes a part of a file. Throws 4019. */
  async put(owner: object, part: UploadPart): Promise<TakenPart> {
    if (!this.#options || this.#isClosed) throw uploadFailure('forbidden', 'This computer takes no uploads');
    try {
      return await (part.uploadId === undefined ? this.#begin(owner, part, this.#options) : this.#goOn(owner, part));
    } catch (error) {
      if (error instanceof SmcpError) throw error;
      this.#logger.warn('An uploaded part could not be written', { upload: part.uploadId, error });
      throw uploadFailure('io_error', 'The part could not be written');
    }
  }

  /** Drops the unfinished uploads of an owner. Its landed files stay: another Agent may use them. */
  release(owner: object): void {
    this.#releases.set(owner, this.#releasesOf(owner) + 1);
    for (const { upload } of this.#unfinished.values()) if (upload.owner === owner) this.#drop(upload);
  }

  /** Deletes everything that was uploaded. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#beginnings.idle();
    for (const { upload } of this.#unfinished.values()) this.#drop(upload);
    await Promise.all(this.#deletions);
    // A last part may have landed meanwhile.
    for (const path of this.#landed.keys()) this.#deleteLanded(path);
    await Promise.all(this.#deletions);
  }

  async #begin(owner: object, part: UploadPart, options: Required<UploadOptions>): Promise<TakenPart> {
    const { size, sha256, nameHint } = readDeclaration(part);
    const arrived = readPart(part);
    const { maxBytes, maxConcurrent } = options;
    if (size > maxBytes) {
      throw uploadFailure('too_large', `The file has ${size} bytes, and the limit is ${maxBytes}`, {
        total_size: size,
        limit: maxBytes,
      });
    }
    const releases = this.#releasesOf(owner);
    return this.#beginnings.run(async () => {
      if (this.#unfinished.size >= maxConcurrent) throw uploadFailure('busy', 'Too many uploads are unfinished');
      this.#makeRoom(size, options);
      const parent = await this.#prepareFolder(options);
      const id = randomBytes(16).toString('hex');
      const folder = join(parent, FOLDER_PREFIX + id);
      const upload = await UnfinishedUpload.create({ id, owner, folder, name: fileName(nameHint), size, sha256 });
      // Only a part that was written whole takes one of the places.
      const file = await upload.add(arrived).catch(async error => {
        await upload.drop();
        throw error;
      });
      if (file) this.#land(file, folder, options);
      else if (this.#releasesOf(owner) !== releases) await upload.drop();
      else this.#unfinished.set(id, { upload, expiry: this.#expiryOf(upload) });
      return { uploadId: id, file };
    });
  }

  async #goOn(owner: object, part: UploadPart): Promise<TakenPart> {
    const { uploadId = '', size, sha256, nameHint } = part;
    const found = this.#unfinished.get(uploadId);
    if ([size, sha256, nameHint].some(declared => declared !== undefined)) {
      throw uploadFailure('invalid_declaration', 'Only the first part has a size, a sum and a name', {
        upload_id: uploadId,
      });
    }
    const arrived = readPart(part);
    if (found?.upload.owner !== owner)
      throw uploadFailure('invalid_upload', 'There is no such upload', { upload_id: uploadId });
    const { upload } = found;
    clearTimeout(found.expiry);
    try {
      const file = await upload.add(arrived);
      if (file && this.#options) this.#land(file, upload.folder, this.#options);
      return { uploadId, file };
    } finally {
      clearTimeout(found.expiry);
      if (upload.isOver) this.#unfinished.delete(uploadId);
      else found.expiry = this.#expiryOf(upload);
    }
  }

  #releasesOf(owner: object): number {
    return this.#releases.get(owner) ?? 0;
  }

  #expiryOf(upload: UnfinishedUpload): NodeJS.Timeout {
    const expiry = setTimeout(() => this.#drop(upload), this.#options?.idle);
    return expiry.unref();
  }

  #drop(upload: UnfinishedUpload): void {
    clearTimeout(this.#unfinished.get(upload.id)?.expiry);
    this.#unfinished.delete(upload.id);
    this.#track(upload.drop());
  }

  #track(deletion: Promise<void>): void {
    const done = deletion
      .catch(error => this.#logger.warn('An uploaded file could not be deleted', { error }))
      .then(() => void this.#deletions.delete(done));
    this.#deletions.add(done);
  }

  #land({ path, size }: LandedFile, folder: string, { maxAge }: Required<UploadOptions>): void {
    const expiry = setTimeout(() => this.#deleteLanded(path), maxAge);
    this.#landed.set(path, { folder, size, expiry: expiry.unref() });
  }

  #deleteLanded(path: string): void {
    const landed = this.#landed.get(path);
    if (!landed) return;
    this.#landed.delete(path);
    clearTimeout(landed.expiry);
    this.#track(rm(landed.folder, { recursive: true, force: true, maxRetries: 3 }));
  }

  #makeRoom(size: number, { totalBytes }: Required<UploadOptions>): void {
    const sizes = [...this.#unfinished.values()].map(({ upload }) => upload.size);
    let bytes = [...sizes, ...[...this.#landed.values()].map(landed => landed.size)].reduce(
      (sum, each) => sum + each,
      size,
    );
    for (const [path, landed] of this.#landed) {
      if (bytes <= totalBytes && this.#landed.size < MAX_FILES) return;
      bytes -= landed.size;
      this.#deleteLanded(path);
    }
    if (bytes > totalBytes) throw uploadFailure('busy', 'There is no room for another upload');
  }

  #prepareFolder({ folder, maxAge }: Required<UploadOptions>): Promise<string> {
    this.#folder ??= preparePrivateFolder(join(folder, FOLDER_PREFIX))
      .then(() => realpath(folder))
      .then(async path => {
        await this.#sweep(path, maxAge);
        return path;
      })
      .catch(error => {
        this.#folder = undefined;
        this.#logger.warn('The folder for uploads cannot be used', { folder, error });
        throw uploadFailure('forbidden', 'This computer cannot use its folder for uploads');
      });
    return this.#folder;
  }

  /** Deletes what a Computer that was killed has left behind. */
  async #sweep(folder: string, maxAge: number): Promise<void> {
    const names = (await readdir(folder)).filter(name => OUR_FOLDER.test(name));
    for (const path of names.map(name => join(folder, name))) {
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      if (mtimeMs < Date.now() - maxAge) await rm(path, { recursive: true, force: true }).catch(() => {});
    }
  }
}

function readDeclaration({ size, sha256, nameHint }: UploadPart): {
  size: number;
  sha256: string;
  nameHint: string | undefined;
} {
  if (size === undefined || !Number.isSafeInteger(size) || size < 1) throw invalid("'total_size' must be 1 or more");
  if (sha256 === undefined || !/^[0-9a-f]{64}$/i.test(sha256)) throw invalid("'sha256' must be 64 hexadecimal digits");
  if ((nameHint?.length ?? 0) > MAX_HINT_LENGTH) {
    throw invalid(`'name_hint' must not be longer than ${MAX_HINT_LENGTH} characters`);
  }
  return { size, sha256: sha256.toLowerCase(), nameHint };
}

function readPart({ offset, isLast, base64 }: UploadPart): ArrivedPart {
  try {
    return { offset, isLast, bytes: decodeBase64(base64) };
  } catch {
    throw invalid("'blob' is no base64");
  }
}

function invalid(message: string): SmcpError {
  return uploadFailure('invalid_declaration', message);
}
