/** Bytes of all cached reads. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;
/** A file is fetched in many parts; between two of them its server is not asked again. */
const MAX_AGE_MS = 30_000;

export interface WholeRead {
  bytes: Uint8Array;
  sha256: string;
}

/** Reads of whole files that others fetch in parts. */
export class ReadCache {
  readonly #reads = new Map<string, { read: WholeRead; expires: number }>();
  #size = 0;

  async get(key: string, read: () => Promise<WholeRead>): Promise<WholeRead> {
    const cached = this.#reads.get(key);
    if (cached && cached.expires > performance.now()) return cached.read;
    const fresh = await read();
    this.#drop(key);
    this.#reads.set(key, { read: fresh, expires: performance.now() + MAX_AGE_MS });
    this.#size += fresh.bytes.byteLength;
    for (const oldest of this.#reads.keys()) {
      if (this.#size <= MAX_CACHED_BYTES) break;
      this.#drop(oldest);
    }
    return fresh;
  }

  clear(): void {
    this.#reads.clear();
    this.#size = 0;
  }

  #drop(key: string): void {
    this.#size -= this.#reads.get(key)?.read.bytes.byteLength ?? 0;
    this.#reads.delete(key);
  }
}
