import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Limiter } from '@a2c-smcp/core';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { decodeBase64, decodedSize } from './base64.ts';

export interface SpoolOptions {
  /** Bytes of all results together. The oldest ones make room for new ones. @default 512 MiB */
  maxBytes?: number;
  /** Milliseconds after which bytes are deleted. @default 600_000 */
  maxAge?: number;
}

/** The metadata of spooled bytes. */
export interface SpooledBlob {
  handle: string;
  size: number;
  sha256: string;
}

interface Entry {
  owner: object;
  path: string;
  size: number;
  sha256: string;
  mimeType: string;
  expiry: NodeJS.Timeout;
}

/** A part that an Agent wants, in bytes. */
export interface PartWanted {
  offset: number;
  length: number;
}

/** A part, as it is on the wire. */
export interface SpooledPart {
  blob_handle: string;
  mime_type: string;
  total_size: number;
  sha256: string;
  chunk_offset: number;
  eof: boolean;
  blob: string;
}

const MAX_BYTES = 512 * 1024 * 1024;
const MAX_AGE_MS = 10 * 60_000;
/** Each is a file. */
const MAX_ENTRIES = 10_000;
/** Files that are open at the same time. */
const MAX_OPEN_FILES = 16;
/** Characters of base64 that are decoded at once. A multiple of four. */
const STEP = 1024 * 1024;
const HANDLE = /^[\w-]{22}$/;
/** Creates a file that did not exist, and never follows a link. */
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Bytes of results, as files in a private folder, until Agents have fetched them. Every entry has an owner; no other reader
 * can read it, and it is deleted with its owner at the latest.
 */
export class Spool {
  readonly #maxBytes: number;
  readonly #maxAge: number;
  /** By handle, oldest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #files = new Limiter(MAX_OPEN_FILES);
  #bytes = 0;
  #folder: Promise<string> | undefined;
  #isClosed = false;

  constructor({ maxBytes = MAX_BYTES, maxAge = MAX_AGE_MS }: SpoolOptions = {}) {
    this.#maxBytes = maxBytes;
    this.#maxAge = maxAge;
  }

  /** Writes the bytes of a base64 text. Rejects when it is none, or the bytes cannot be kept. */
  async put(owner: object, base64: string, mimeType: string): Promise<SpooledBlob> {
    const size = decodedSize(base64);
    if (this.#isClosed) throw new Error('The spool is closed');
    if (size > this.#maxBytes) throw new Error(`${size} bytes are more than the spool keeps`);
    const handle = randomBytes(16).toString('base64url');
    const entry: Entry = { owner, path: '', size, sha256: '', mimeType, expiry: this.#expiryOf(handle) };
    // Before it is written, so that its owner and the limits can drop it meanwhile.
    this.#entries.set(handle, entry);
    this.#bytes += size;
    this.#makeRoom();
    try {
      entry.path = join(await this.#ensureFolder(), handle);
      entry.sha256 = await this.#files.run(() => this.#write(handle, entry, base64));
    } catch (error) {
      this.#drop(handle);
      throw error;
    }
    return { handle, size, sha256: entry.sha256 };
  }

  /** A part of at most `length` bytes. Throws 4018. */
  async read(owner: object, handle: string, { offset, length }: PartWanted): Promise<SpooledPart> {
    const entry = this.#find(owner, handle);
    const { path, size, sha256, mimeType } = entry;
    if (offset > size) throw notAccessible('range', `Offset ${offset} is beyond the end of ${size} bytes`);
    const wanted = Math.min(length, size - offset);
    const part = await this.#files.run(() => readAt(path, offset, wanted)).catch(() => undefined);
    if (part?.length !== wanted) throw gone();
    return {
      blob_handle: handle,
      mime_type: mimeType,
      total_size: size,
      sha256,
      chunk_offset: offset,
      eof: offset + wanted === size,
      blob: part.toString('base64'),
    };
  }

  /** Deletes everything of an owner. */
  release(owner: object): void {
    for (const [handle, entry] of this.#entries) if (entry.owner === owner) this.#drop(handle);
  }

  /** Deletes everything. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const handle of this.#entries.keys()) this.#drop(handle);
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #find(owner: object, handle: string): Entry {
    const entry = this.#entries.get(handle);
    if (!entry)
      throw HANDLE.test(handle) ? gone() : notAccessible('invalid_handle', 'This is no handle of this computer');
    if (entry.owner !== owner) throw notAccessible('forbidden', 'This handle belongs to another Agent');
    return entry;
  }

  /** Apart from `put`: closures of one function share their variables, and the timer would hold the text. */
  #expiryOf(handle: string): NodeJS.Timeout {
    return setTimeout(() => this.#drop(handle), this.#maxAge).unref();
  }

  #ensureFolder(): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'a2c-spool-')).catch(error => {
      this.#folder = undefined;
      throw error;
    });
    return this.#folder;
  }

  /** Returns the SHA-256 sum. */
  async #write(handle: string, { path }: Entry, base64: string): Promise<string> {
    const hash = createHash('sha256');
    const file = await open(path, CREATE, 0o600);
    try {
      for (let at = 0; at < base64.length; at += STEP) {
        if (at > 0 && base64[at - 1] === '=') throw new Error('The text is padded in its middle');
        const bytes = decodeBase64(base64.slice(at, at + STEP));
        if (!this.#entries.has(handle)) throw new Error('The bytes are not wanted any more');
        hash.update(bytes);
        await file.writeFile(bytes);
      }
    } finally {
      await file.close();
      // A blob that was dropped before its file existed could not be deleted then.
      if (!this.#entries.has(handle)) await rm(path, { force: true });
    }
    return hash.digest('hex');
  }

  #makeRoom(): void {
    for (const handle of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes && this.#entries.size <= MAX_ENTRIES) return;
      this.#drop(handle);
    }
  }

  #drop(handle: string): void {
    const entry = this.#entries.get(handle);
    if (!entry) return;
    this.#entries.delete(handle);
    this.#bytes -= entry.size;
    clearTimeout(entry.expiry);
    // A file that cannot be deleted now is deleted with its folder.
    if (entry.path !== '') rm(entry.path, { force: true }).catch(() => {});
  }
}

async function readAt(path: string, offset: number, length: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function gone(): SmcpError {
  return notAccessible('gone', 'These bytes were deleted: run the tool again');
}

function notAccessible(reason: string, message: string): SmcpError {
  return new SmcpError(ErrorCode.BlobNotAccessible, message, { details: { reason } });
}
