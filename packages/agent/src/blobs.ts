import { countdown, type Limiter } from '@a2c-smcp/core';
import { ErrorCode, type GetBlobRet, SmcpError } from '@a2c-smcp/protocol';
import { createSha256, decodeBase64 } from './bytes.ts';

/** Parts that are requested at the same time. */
export const MAX_PARTS_IN_FLIGHT = 4;
/** How often a source that changes while it is read is read again from its beginning. */
const MAX_RESTARTS = 2;

/** Requests the part of a blob that begins at an offset. */
export type FetchPart = (offset: number, timeout: number) => Promise<GetBlobRet>;

/** Bytes that may still be read. Shared by the blobs of one result. */
export interface ByteBudget {
  left: number;
  /** The number it began with, for messages. */
  readonly limit: number;
}

export interface ReadPartsOptions {
  budget: ByteBudget;
  /** Lets some of the requests of several blobs pass at a time. */
  slots: Limiter;
  /** The milliseconds that are left for the next request. */
  left: () => number;
  signal?: AbortSignal | undefined;
  /** The known facts about the whole. */
  expected?: { size?: number | undefined; sha256?: string | undefined };
}

/** The bytes behind a handle. */
export interface BlobContents {
  data: Uint8Array;
  mimeType: string;
  /** In lower-case hexadecimal digits. */
  sha256: string;
}

/** The time for one part: what is left of the whole, but no more than any other request gets. */
export function partTimeout(whole: number | undefined, each: number): () => number {
  if (whole === undefined) return () => each;
  const left = countdown(whole);
  return () => Math.min(left(), each);
}

/** Reads a blob part by part and checks its size and sum. Restarts when the source changed meanwhile. */
export async function readParts(fetch: FetchPart, options: ReadPartsOptions): Promise<BlobContents> {
  for (let restarts = 0; ; restarts++) {
    try {
      return await new BlobRead(fetch, options).run();
    } catch (error) {
      if (!(error instanceof SourceChanged)) throw error;
      if (restarts === MAX_RESTARTS) throw new SmcpError(ErrorCode.BlobNotAccessible, error.message);
    }
  }
}

class SourceChanged extends Error {}

/** One attempt to read a blob from its beginning. */
class BlobRead {
  readonly #fetch: FetchPart;
  readonly #options: ReadPartsOptions;
  #data = new Uint8Array();
  #sha256 = '';
  /** Where the next part begins that is not requested yet. */
  #next = 0;
  /** The length of the first part, which the others are expected to have. */
  #stride = 0;

  constructor(fetch: FetchPart, options: ReadPartsOptions) {
    this.#fetch = fetch;
    this.#options = options;
  }

  async run(): Promise<BlobContents> {
    const { budget } = this.#options;
    const first = await this.#request(0);
    const { total_size: size, mime_type: mimeType } = first;
    if (size > budget.left) throw tooLarge(size, budget.limit);
    budget.left -= size;
    try {
      this.#begin(first);
      await Promise.all(Array.from({ length: MAX_PARTS_IN_FLIGHT }, () => this.#work()));
      const hash = createSha256();
      hash.update(this.#data);
      if (hash.hex() !== this.#sha256) throw new SourceChanged('Its bytes do not match their SHA-256 sum');
      return { data: this.#data, mimeType, sha256: this.#sha256 };
    } catch (error) {
      budget.left += size;
      throw error;
    } finally {
      // After a failure, the requests in flight are the last ones.
      this.#next = Number.POSITIVE_INFINITY;
    }
  }

  #begin(first: GetBlobRet): void {
    const { total_size: size, sha256 } = first;
    const { size: expectedSize = size, sha256: expectedSum = sha256 } = this.#options.expected ?? {};
    this.#sha256 = sha256.toLowerCase();
    if (size !== expectedSize || this.#sha256 !== expectedSum.toLowerCase()) throw changed();
    this.#data = new Uint8Array(size);
    this.#stride = this.#place(first, 0);
    this.#next = this.#stride;
  }

  async #work(): Promise<void> {
    while (this.#next < this.#data.length) {
      const start = this.#next;
      const end = Math.min(start + this.#stride, this.#data.length);
      this.#next = end;
      for (let at = start; at < end; ) at += this.#place(await this.#request(at), at);
    }
  }

  /** Copies the bytes of a part to their place, and returns their number. */
  #place(part: GetBlobRet, offset: number): number {
    if (part.total_size !== this.#data.length || part.sha256.toLowerCase() !== this.#sha256) throw changed();
    const bytes = decodeBase64(part.blob);
    if (!bytes) throw malformed('is no base64');
    if (part.chunk_offset !== offset) throw malformed(`begins at ${part.chunk_offset} instead of ${offset}`);
    if (bytes.length === 0 && offset < this.#data.length) throw malformed('is empty');
    if (offset + bytes.length > this.#data.length) throw malformed('is too long');
    this.#data.set(bytes, offset);
    return bytes.length;
  }

  #request(offset: number): Promise<GetBlobRet> {
    const { slots, left, signal } = this.#options;
    return slots.run(async () => {
      signal?.throwIfAborted();
      return this.#fetch(offset, left());
    });
  }
}

function tooLarge(size: number, limit: number): SmcpError {
  return new SmcpError(ErrorCode.TooLarge, `It has ${size} bytes, and 'maxBlobBytes' allows ${limit}`, {
    details: { size, limit },
  });
}

function changed(): SourceChanged {
  return new SourceChanged('Its bytes changed while they were read');
}

function malformed(problem: string): SmcpError {
  return new SmcpError(ErrorCode.Internal, `A part of it ${problem}`);
}
