import { createHash, randomUUID } from 'node:crypto';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import type { PartWanted, SpooledPart } from '../blobs/spool.ts';
import type { OpenBytes } from './open-bytes.ts';

/** Bytes of one part. Base64 makes them a third more. */
const MAX_PART_BYTES = 256 * 1024;
/** The oldest handle is dropped for a new one. */
const MAX_HANDLES = 1000;
const MAX_DIGESTS = 1000;
const HASH_BLOCK_BYTES = 256 * 1024;
/** Ours; another one never was a handle of this Computer. */
const HANDLE = /^skill-[0-9a-f-]{36}$/;

/** Something whose bytes an Agent may fetch in parts. */
export interface BlobSource {
  /** The same source gets the same handle. */
  id: string;
  mimeType: string;
  /** Checks that the bytes may still be read, and opens their present version. Throws an `SmcpError`. */
  open(): Promise<OpenBytes>;
}

/** True if a handle is one of a skill's file. */
export function isSkillHandle(handle: string): boolean {
  return HANDLE.test(handle);
}

/** Handles for bytes. Each is random, belongs to one office, and opens its source again for every part. */
export class BlobHandles {
  readonly #sources = new Map<string, { source: BlobSource; office: string }>();
  readonly #handles = new Map<string, string>();
  /** By version, so that bytes are hashed once while they do not change. */
  readonly #digests = new Map<string, Promise<string>>();

  /** A handle that Agents of this office may use. */
  handleFor(source: BlobSource, office: string): string {
    const key = JSON.stringify([office, source.id]);
    const handle = this.#handles.get(key) ?? `skill-${randomUUID()}`;
    this.#handles.set(key, handle);
    this.#sources.set(handle, { source, office });
    if (this.#sources.size > MAX_HANDLES) this.#dropOldest();
    return handle;
  }

  /** Reads a part. Throws 4018. */
  async read(handle: string, { offset, length: wish }: PartWanted, office: string): Promise<SpooledPart> {
    const { source } = this.#find(handle, office);
    await using bytes = await source.open().catch(cause => {
      throw inaccessible(cause);
    });
    const { size } = bytes;
    if (offset > size) throw blobError('range', `Offset ${offset} is beyond the ${size} bytes`, { total_size: size });
    const sha256 = await this.digest(bytes);
    const length = Math.min(wish, MAX_PART_BYTES, size - offset);
    const part = await bytes.read(offset, length);
    if (part.byteLength < length) throw blobError('gone', 'The file was cut while it was read: ask for it again');
    return {
      blob_handle: handle,
      mime_type: source.mimeType,
      total_size: size,
      sha256,
      chunk_offset: offset,
      eof: offset + length === size,
      blob: Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('base64'),
    };
  }

  /** The SHA-256 of all bytes. */
  async digest(bytes: OpenBytes): Promise<string> {
    if (bytes.sha256 !== undefined) return bytes.sha256;
    const { version } = bytes;
    const known = this.#digests.get(version);
    if (known) return known;
    const digest = hash(bytes);
    this.#digests.set(version, digest);
    digest.catch(() => this.#digests.delete(version));
    const [oldest] = this.#digests.keys();
    if (this.#digests.size > MAX_DIGESTS && oldest !== undefined) this.#digests.delete(oldest);
    return digest;
  }

  #find(handle: string, office: string): { source: BlobSource } {
    const found = this.#sources.get(handle);
    if (!found) throw blobError('gone', 'The handle has expired: ask for the file again');
    if (found.office !== office) throw blobError('forbidden', 'The handle belongs to another office');
    return found;
  }

  #dropOldest(): void {
    const [oldest] = this.#sources;
    if (!oldest) return;
    const [handle, { source, office }] = oldest;
    this.#sources.delete(handle);
    this.#handles.delete(JSON.stringify([office, source.id]));
  }
}

async function hash(bytes: OpenBytes): Promise<string> {
  const sum = createHash('sha256');
  for (let position = 0; position < bytes.size; position += HASH_BLOCK_BYTES) {
    sum.update(await bytes.read(position, Math.min(HASH_BLOCK_BYTES, bytes.size - position)));
  }
  return sum.digest('hex');
}

function blobError(reason: string, message: string, facts: object = {}): SmcpError {
  return new SmcpError(ErrorCode.BlobNotAccessible, message, { details: { reason, ...facts } });
}

/** Translates a failure to open into the error codes of blobs. */
function inaccessible(cause: unknown): unknown {
  if (!(cause instanceof SmcpError)) return cause;
  const isForbidden = ['traversal', 'forbidden'].includes(String(cause.details?.reason));
  return blobError(isForbidden ? 'forbidden' : 'gone', `${cause.message}`);
}
