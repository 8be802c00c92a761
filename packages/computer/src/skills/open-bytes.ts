/** Bytes at one version, open for reading. */
export interface OpenBytes extends AsyncDisposable {
  /** Bytes of another version have another one, whatever their number. */
  readonly version: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 in lower-case hexadecimal digits, where it is known already. */
  readonly sha256?: string;
  /** The bytes from `position` on; fewer than `length` at the end, and where the file was cut meanwhile. */
  read(position: number, length: number): Promise<Uint8Array>;
}

/** The bytes after the first `skip`. */
export function without(bytes: OpenBytes, skip: number): OpenBytes {
  if (skip === 0) return bytes;
  return {
    version: `${bytes.version}+${skip}`,
    size: bytes.size - skip,
    read: (position, length) => bytes.read(position + skip, Math.min(length, bytes.size - skip - position)),
    [Symbol.asyncDispose]: () => bytes[Symbol.asyncDispose](),
  };
}

/** Bytes in memory. @param sha256 of all of them; it is their version */
export function inMemory(all: Uint8Array, sha256: string): OpenBytes {
  return {
    version: sha256,
    size: all.byteLength,
    sha256,
    read: async (position, length) => all.subarray(position, position + length),
    [Symbol.asyncDispose]: async () => {},
  };
}
