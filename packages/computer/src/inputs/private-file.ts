import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_RDONLY, O_WRONLY } = constants;

/** Others may read or write. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** In a folder with this bit, as `/tmp` has it, only its owner renames or removes a file. */
const STICKY = 0o1000;

/** Makes the folder of a file that is for its owner alone. Throws when others could put files of theirs in its place. */
export async function preparePrivateFolder(file: string): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await stat(folder);
  if (!isOurs(uid) && uid !== 0) throw refusal(folder, 'belongs to another user', 'choose a folder of your own');
  if (knowsUsers() && (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0) {
    throw refusal(folder, 'can be changed by other users', `run 'chmod 700 ${folder}', or choose a folder of its own`);
  }
}

/**
 * The text of a file that is for its owner alone; undefined when there is none. Throws when others have access to it, or
 * when it is too large.
 */
export async function readPrivateFile(file: string, maxBytes = Infinity): Promise<string | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, O_RDONLY | O_NOFOLLOW);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    if (isCode(error, 'ELOOP')) throw refusal(file, 'is a symbolic link', 'remove it, or name the file it leads to');
    throw error;
  }
  try {
    const stats = await handle.stat();
    checkAccess(file, stats);
    if (stats.size > maxBytes) throw refusal(file, `has more than ${maxBytes} bytes`, 'remove it');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** Creates a file that is for its owner alone. Returns whether it was not there before. */
export async function createPrivateFile(file: string, text: string): Promise<boolean> {
  try {
    await writeNewFile(file, text);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Replaces a file that is for its owner alone. Readers find the old text or the new one. */
export async function replacePrivateFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await writeNewFile(draft, text);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Never writes through a link, nor into a file that is there already. */
async function writeNewFile(file: string, text: string): Promise<void> {
  const handle = await open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await handle.writeFile(text);
    // A token that was replaced is lost for good if the power fails before the new one is on the disk.
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function checkAccess(file: string, stats: Stats): void {
  if (!stats.isFile()) throw refusal(file, 'is no file', 'remove it');
  if (!isOurs(stats.uid)) throw refusal(file, 'belongs to another user', 'remove it, or choose another path');
  if (knowsUsers() && (stats.mode & OTHERS) !== 0) {
    const remedy = `run 'chmod 600 ${file}', and change the secrets in it that others may have read`;
    throw refusal(file, 'is open to other users', remedy);
  }
}

/** Windows has neither user ids nor modes. */
function knowsUsers(): boolean {
  return process.getuid !== undefined;
}

function isOurs(uid: number): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}

function refusal(path: string, problem: string, remedy: string): Error {
  return new Error(`'${path}' ${problem}: ${remedy}`);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
