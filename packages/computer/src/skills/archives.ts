import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitSignal } from '@a2c-smcp/core';
import { COMPUTER_TIMEOUT_MS } from '@a2c-smcp/protocol';
import { type ArchiveFormat, MAX_PACKED_BYTES, unpack } from './unpack.ts';

/** Folders of unpacked archives at a time, over all MCP servers. */
const MAX_ARCHIVES = 20;

export interface ArchiveSource {
  uri: string;
  format: ArchiveFormat;
  /** Of the archive, where its server says one. */
  sha256: string | undefined;
  /** Reads the archive. */
  read(signal: AbortSignal): Promise<Buffer>;
}

/** Archives of MCP servers, unpacked into private folders that are deleted when the Computer is closed. */
export class Archives {
  /** Where each archive is unpacked, by SHA-256 of its bytes. The oldest is deleted for a new one. */
  readonly #folders = new Map<string, Promise<string>>();
  readonly #closed = new AbortController();

  /** The folder that has the members of an archive. The same bytes are unpacked once. */
  async folderOf({ uri, format, sha256, read }: ArchiveSource): Promise<string> {
    const known = sha256 === undefined ? undefined : this.#folders.get(keyOf(format, sha256));
    if (known) return known;
    const signal = limitSignal(this.#closed.signal, COMPUTER_TIMEOUT_MS);
    const packed = await read(signal);
    if (packed.byteLength > MAX_PACKED_BYTES) throw new Error(`The archive '${uri}' has more than 64 MiB`);
    const sum = createHash('sha256').update(packed).digest('hex');
    if (sha256 !== undefined && sha256.toLowerCase() !== sum) throw new Error(`The archive '${uri}' has another sum`);
    return this.#unpacked(keyOf(format, sum), () => unpackNew(packed, format, signal));
  }

  async close(): Promise<void> {
    this.#closed.abort();
    const folders = await Promise.allSettled(this.#folders.values());
    this.#folders.clear();
    for (const folder of folders) if (folder.status === 'fulfilled') await remove(folder.value);
  }

  #unpacked(key: string, unpackFolder: () => Promise<string>): Promise<string> {
    const known = this.#folders.get(key);
    if (known) return known;
    this.#closed.signal.throwIfAborted();
    const unpacking = unpackFolder();
    this.#folders.set(key, unpacking);
    unpacking.catch(() => this.#folders.delete(key));
    const [oldest] = this.#folders;
    if (this.#folders.size > MAX_ARCHIVES && oldest) {
      this.#folders.delete(oldest[0]);
      void oldest[1].then(remove, () => {});
    }
    return unpacking;
  }
}

function keyOf(format: ArchiveFormat, sha256: string): string {
  return `${format} ${sha256.toLowerCase()}`;
}

/** Unpacks into a new folder that only this user can read. */
async function unpackNew(packed: Buffer, format: ArchiveFormat, signal: AbortSignal): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'a2c-skill-'));
  try {
    await unpack(packed, format, folder, signal);
    return folder;
  } catch (error) {
    await remove(folder);
    throw error;
  }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Downloads an archive. Follows no redirect, since the address was checked. */
export async function download(url: string, signal: AbortSignal): Promise<Buffer> {
  const response = await fetch(url, { redirect: 'error', signal });
  if (!response.ok || !response.body) throw new Error(`The archive '${url}' is not there: HTTP ${response.status}`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.byteLength;
    if (size > MAX_PACKED_BYTES) throw new Error(`The archive '${url}' has more than 64 MiB`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
