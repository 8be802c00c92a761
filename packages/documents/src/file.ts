import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';

/** Where a file is, and the shared folders, links resolved, of which one must contain the target of its path. */
export interface FileLocation {
  path: string;
  folders: readonly string[];
}

/** A file at one moment. Another time or size makes it another version. */
export interface FileVersion extends FileLocation {
  /** Without its extension. */
  name: string;
  /** Lower-case extension without the dot. */
  type: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /**
   * The number of this look at the file, if it was taken so soon after a change that another change may leave the same
   * time and size. No other look is of the same version then.
   */
  look?: number;
}

/** Identifies a version of a file, as a key. */
export function versionKey({ path, size, modified, look = 0 }: FileVersion): string {
  return `${path}\n${size}\n${modified}\n${look}`;
}

/** Clocks of file systems advance every few milliseconds, and those without fractions every second or two. */
const CLOCK_MS = 100;
const COARSE_CLOCK_MS = 2100;
let looks = 0;

/** Size and time of a file as it is now, as parts of its version. */
export function versionFacts({ size, mtimeMs }: { size: number; mtimeMs: number }) {
  const modified = Math.trunc(mtimeMs);
  const clock = modified % 1000 === 0 ? COARSE_CLOCK_MS : CLOCK_MS;
  const isFresh = Math.abs(Date.now() - modified) < clock;
  return { size, modified, ...(isFresh && { look: ++looks }) };
}

/** The reason why a file cannot be read, as a sentence for a person. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/**
 * A file that is read piece by piece. Calls of the system are synchronous: readers run in threads of their own, and six
 * calls through the thread pool cost as much CPU as parsing a small file.
 */
export class FileSource implements AsyncDisposable {
  readonly fd: number;
  #isClosed = false;

  private constructor(fd: number) {
    this.fd = fd;
  }

  /**
   * Opens a file of the shared folders; every file that is parsed is opened here. Throws before anything is read if it
   * lies outside of them, or is not a plain file: a pipe in its place would block a thread of the process forever.
   */
  static async open(location: FileLocation): Promise<FileSource> {
    // Without `O_NONBLOCK`, opening a pipe waits for its other end. Windows has neither.
    const fd = openSync(location.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!fstatSync(fd).isFile()) throw new TypeError(`'${location.path}' is not a file`);
      if (!isOpenedInside(fd, location)) throw new UnreadableError('The file is outside the shared folders');
      return new FileSource(fd);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** Bytes of the file as it is now. */
  async size(): Promise<number> {
    return fstatSync(this.fd).size;
  }

  /** The bytes from `position` on; fewer than `length` at the end of the file. */
  async read(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(Math.max(length, 0));
    let filled = 0;
    while (filled < bytes.length) {
      const bytesRead = readSync(this.fd, bytes, filled, bytes.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.fd);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** True if a path is below a folder, both without links. */
export function contains(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** True if a path, links resolved, is below one of the folders at the moment. */
export function isInside({ path, folders }: FileLocation): boolean {
  try {
    return isBelow(folders, realpathSync.native(path));
  } catch {
    return false;
  }
}

/**
 * True if an open file lies below one of the folders. Its path alone is not enough: a folder on the way may be replaced
 * by a link before, while and after the path is resolved.
 */
export function isOpenedInside(fd: number, location: FileLocation): boolean {
  const opened = openedPath(fd);
  return opened === undefined ? isSameInside(fd, location) : isBelow(location.folders, opened);
}

/** Linux names the file behind a descriptor. */
function openedPath(fd: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

/** True if a path leads, within the folders, to the open file: for systems that do not name open files. */
export function isSameInside(fd: number, { path, folders }: FileLocation): boolean {
  try {
    const real = realpathSync(path);
    if (!isBelow(folders, real)) return false;
    const there = statSync(real, { bigint: true });
    const opened = fstatSync(fd, { bigint: true });
    return there.dev === opened.dev && there.ino === opened.ino;
  } catch {
    return false;
  }
}

function isBelow(folders: readonly string[], path: string): boolean {
  return folders.some(folder => contains(folder, path));
}
