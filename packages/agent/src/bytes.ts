import { sha256 } from '@noble/hashes/sha2.js';

/** A SHA-256 sum in the making. */
export interface Sha256 {
  update(bytes: Uint8Array): unknown;
  /** The sum as 64 hexadecimal digits. Called once. */
  hex(): string;
}

/** The parts of Node that are used where they exist. They are never imported, so that browsers can load this file. */
interface NodeParts {
  crypto: { createHash(name: string): { update(bytes: Uint8Array): unknown; digest(encoding: 'hex'): string } };
  fs: {
    statSync(path: string): { size: number; isFile(): boolean };
    createReadStream(path: string, options: { start: number; end: number }): AsyncIterable<Uint8Array>;
  };
}

interface NodeBuffer extends Uint8Array {
  toString(encoding?: string): string;
}

interface NodeGlobals {
  process?: { getBuiltinModule?: <K extends keyof NodeParts>(name: K) => NodeParts[K] | undefined };
  Buffer?: {
    from(text: string, encoding: 'base64'): NodeBuffer;
    from(buffer: ArrayBufferLike, offset: number, length: number): NodeBuffer;
  };
}

const { process, Buffer } = globalThis as unknown as NodeGlobals;

/** A module of Node; undefined in a browser. */
export function nodeModule<K extends keyof NodeParts>(name: K): NodeParts[K] | undefined {
  return process?.getBuiltinModule?.(name);
}

/** WebCrypto has no incremental sums, and none at all on pages without TLS. Node's are ten times as fast as those here. */
export function createSha256(): Sha256 {
  const native = nodeModule('crypto')?.createHash('sha256');
  if (native) return { update: bytes => native.update(bytes), hex: () => native.digest('hex') };
  const hash = sha256.create();
  return {
    update: bytes => hash.update(bytes),
    hex: () => Array.from(hash.digest(), byte => byte.toString(16).padStart(2, '0')).join(''),
  };
}

/** Characters that are converted in one call: each is an argument of it. */
const STEP = 32_766;

/** The bytes of a base64 text; undefined when it is none. A regular expression would take longer than the decoding. */
export function decodeBase64(text: string): Uint8Array | undefined {
  // Node takes base64url, too.
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = decode(text);
  // Characters that do not belong there were skipped.
  return bytes?.length === (text.length * 3) / 4 - padding ? bytes : undefined;
}

function decode(text: string): Uint8Array | undefined {
  if (Buffer) return Buffer.from(text, 'base64');
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export function encodeBase64(bytes: Uint8Array): string {
  if (Buffer) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  const pieces: string[] = [];
  // A multiple of three bytes at a time, so that no padding comes between the pieces.
  for (let at = 0; at < bytes.length; at += STEP) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + STEP))));
  }
  return pieces.join('');
}
