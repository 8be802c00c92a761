import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { plainPath } from './paths.ts';
import { readTar } from './tar.ts';

/** Bytes of an archive. */
export const MAX_PACKED_BYTES = 64 * 1024 * 1024;
/** Bytes of all its members. */
export const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
const MAX_MEMBERS = 10_000;

const FORMATS = ['tar.gz', 'zip'] as const;
export type ArchiveFormat = (typeof FORMATS)[number];

export function isArchiveFormat(format: unknown): format is ArchiveFormat {
  return FORMATS.some(known => known === format);
}

/** One member of an archive of either format. */
interface Member {
  path: string;
  type: 'file' | 'folder' | 'other';
  isExecutable: boolean;
  bytes: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
}

/** Unpacks an archive into an empty folder. Throws for links, odd paths and everything above the limits. */
export async function unpack(
  packed: Buffer,
  format: ArchiveFormat,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const limits = { members: MAX_MEMBERS, bytes: MAX_UNPACKED_BYTES };
  for await (const member of format === 'zip' ? zipMembers(packed) : tarMembers(packed)) {
    signal.throwIfAborted();
    limits.members -= 1;
    if (limits.members < 0) throw new Error(`The archive has more than ${MAX_MEMBERS} members`);
    if (member.type === 'other') throw new Error('The archive has a link or a device in it');
    const path = plainPath(member.path);
    if (path === undefined) throw new Error('The archive has a path that leads out of its folder');
    const target = join(folder, path);
    if (member.type === 'folder') {
      await mkdir(target, { recursive: true, mode: 0o700 });
      continue;
    }
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    // Exclusive, so that no member replaces another one under a name that only looks different.
    const file = createWriteStream(target, { flags: 'wx', mode: member.isExecutable ? 0o700 : 0o600 });
    await pipeline(Readable.from(counted(await member.bytes(), limits)), file, { signal });
  }
}

/** Passes bytes on until the budget is used up. */
async function* counted(parts: AsyncIterable<Uint8Array>, budget: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    budget.bytes -= part.byteLength;
    if (budget.bytes < 0) throw new Error(`The archive has more than ${MAX_UNPACKED_BYTES} bytes unpacked`);
    yield part;
  }
}

async function* tarMembers(packed: Buffer): AsyncGenerator<Member> {
  const unzipped = Readable.from([packed]).pipe(createGunzip());
  // Headers and skipped members count too: they may be as large as files.
  yield* readTar(counted(unzipped, { bytes: MAX_UNPACKED_BYTES + MAX_MEMBERS * 1024 }));
}

const FILE_TYPE = 0o170000;
const SYMBOLIC_LINK = 0o120000;

async function* zipMembers(packed: Buffer): AsyncGenerator<Member> {
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(packed, { lazyEntries: true, validateEntrySizes: true, strictFileNames: true });
  if (zip.entryCount > MAX_MEMBERS) throw new Error(`The archive has more than ${MAX_MEMBERS} members`);
  for await (const entry of zip.eachEntry()) {
    // The upper half is the mode of Unix where the archive comes from there, and zero elsewhere.
    const mode = entry.externalFileAttributes >>> 16;
    const isOther = (mode & FILE_TYPE) === SYMBOLIC_LINK || entry.isEncrypted();
    yield {
      path: entry.fileName,
      type: isOther ? 'other' : entry.fileName.endsWith('/') ? 'folder' : 'file',
      isExecutable: (mode & 0o100) !== 0,
      bytes: () => zip.openReadStreamPromise(entry),
    };
  }
}
