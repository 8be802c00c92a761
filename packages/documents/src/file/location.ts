import type { FileHandle } from 'node:fs/promises';
import { readlink, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';

/** Where a file is, and the shared folders, links resolved, of which one has to hold what its path leads to. */
export interface FileLocation {
  path: string;
  folders: readonly string[];
}

/** Whether a path is below a folder, both without links. */
export function contains(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Whether a path, links resolved, is below one of the folders at the moment. */
export async function isInside({ path, folders }: FileLocation): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && isBelow(folders, real);
}

/**
 * Whether a file that is open lies below one of the folders. Its path alone does not tell: a folder on the way may be
 * exchanged with a link before, while and after the path is looked at.
 */
export async function isOpenedInside(handle: FileHandle, location: FileLocation): Promise<boolean> {
  // Linux names the file behind a descriptor.
  const link = process.platform === 'linux' ? readlink(`/proc/self/fd/${handle.fd}`) : undefined;
  const opened = await link?.catch(() => undefined);
  return opened === undefined ? isSameInside(handle, location) : isBelow(location.folders, opened);
}

/** Whether a path leads, within the folders, to the file that is open: for systems that do not name open files. */
export async function isSameInside(handle: FileHandle, { path, folders }: FileLocation): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || !isBelow(folders, real)) return false;
  const there = await stat(real, { bigint: true }).catch(() => undefined);
  const opened = await handle.stat({ bigint: true });
  return there?.dev === opened.dev && there.ino === opened.ino;
}

function isBelow(folders: readonly string[], path: string): boolean {
  return folders.some(folder => contains(folder, path));
}
