import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { FrontMatter } from './front-matter.ts';
import { type OpenBytes, without } from './open-bytes.ts';
import { ENTRY_FILE, fileError, insidePath, isCredentialsPath } from './paths.ts';

/** Larger files of a skill are not served. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Windows has neither flag. A pipe in the place of a file would block without the first. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** A skill on disk. Nothing here is resolved: links may change between two reads. */
export interface SkillFolder {
  /** The folder of the skill. */
  root: string;
  /** Folders of which one must contain the real path of `root`. */
  allowed: readonly string[];
}

/** The folder without links. Throws 4017 `traversal` when it is in none of the allowed ones. */
export async function realRoot({ root, allowed }: SkillFolder, path = ENTRY_FILE): Promise<string> {
  const real = await realpath(root).catch(() => {
    throw fileError('not_found', path);
  });
  const folders = await Promise.all(allowed.map(folder => realpath(folder).catch(() => undefined)));
  if (folders.some(folder => folder !== undefined && isBelow(folder, real))) return real;
  throw fileError('traversal', path);
}

/**
 * Opens a file as an Agent gets it: the entry without its front matter. The real path is checked again at every call,
 * and that of the open file too, because a folder on the way may be replaced by a link meanwhile. Throws 4017.
 */
export async function openServed(folder: SkillFolder, path: string): Promise<OpenBytes> {
  const inside = insidePath(path);
  const file = await openInside(folder, inside);
  if (inside !== ENTRY_FILE) return file;
  try {
    return without(file, (await frontMatterOf(file)).length);
  } catch (error) {
    await file[Symbol.asyncDispose]();
    throw error;
  }
}

/** The front matter of a skill, and the version of the file that has it. Throws 4017. */
export async function readEntry(folder: SkillFolder): Promise<FrontMatter & { version: string }> {
  await using file = await openInside(folder, ENTRY_FILE);
  return { ...(await frontMatterOf(file)), version: file.version };
}

export async function frontMatterOf(bytes: OpenBytes): Promise<FrontMatter> {
  // Most Computers have no skill, and need no parser of YAML.
  const { MAX_FRONT_MATTER_BYTES, readFrontMatter } = await import('./front-matter.ts');
  return readFrontMatter(await bytes.read(0, Math.min(bytes.size, MAX_FRONT_MATTER_BYTES)));
}

/** @param path as `insidePath` gives it */
async function openInside(folder: SkillFolder, path: string): Promise<OpenBytes> {
  const root = await realRoot(folder, path);
  const failed = (error: unknown): never => {
    throw openError(error, path);
  };
  const real = await realpath(join(root, path)).catch(failed);
  if (!isBelow(root, real)) throw fileError('traversal', path);
  if (isCredentialsPath(relative(root, real))) throw fileError('forbidden', path);
  const handle = await open(real, FLAGS).catch(failed);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw fileError('not_found', path);
    if (!(await isOpenedInside(handle, root, real))) throw fileError('traversal', path);
    const size = Number(stats.size);
    if (size > MAX_FILE_BYTES) throw fileError('too_large', path, { size });
    const version = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
    return opened(handle, { size, version });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function opened(handle: FileHandle, facts: { size: number; version: string }): OpenBytes {
  return {
    ...facts,
    async read(position, length) {
      const bytes = Buffer.allocUnsafeSlow(Math.max(length, 0));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

function openError(error: unknown, path: string): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') return fileError('forbidden', path);
  return fileError(code === 'ELOOP' ? 'traversal' : 'not_found', path);
}

/** True if an open file lies below a folder without links, and is not a file of credentials. */
async function isOpenedInside(handle: FileHandle, root: string, path: string): Promise<boolean> {
  // Linux names the file behind a descriptor.
  const link = process.platform === 'linux' ? readlink(`/proc/self/fd/${handle.fd}`) : undefined;
  const name = await link?.catch(() => undefined);
  if (name !== undefined) return isBelow(root, name) && !isCredentialsPath(relative(root, name));
  return isSameInside(handle, root, path);
}

/** True if a path leads, below a folder, to the open file: for systems that do not name open files. */
async function isSameInside(handle: FileHandle, root: string, path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || !isBelow(root, real)) return false;
  const there = await stat(real, { bigint: true }).catch(() => undefined);
  const opened = await handle.stat({ bigint: true });
  return there?.dev === opened.dev && there.ino === opened.ino;
}

/** True if a path is below a folder, both without links. */
function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
