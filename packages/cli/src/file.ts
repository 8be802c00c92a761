import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** Bytes of a file that is read as a whole: configurations, settings, scripts, keys. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Without it, opening a pipe waits for a writer. Windows does not have it. */
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** Reads a text file. Refuses pipes and devices, which may never end, and files that are too large to be meant. */
export async function readTextFile(path: string): Promise<string> {
  await using file = await open(path, O_RDONLY | O_NONBLOCK);
  refuseUnusual(path, await file.stat());
  return await file.readFile('utf8');
}

function refuseUnusual(path: string, stats: Stats): void {
  // Reading a folder fails with a code of its own.
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new Error(`'${path}' is a pipe or a device: give the path of a regular file`);
  }
  if (stats.size > MAX_FILE_BYTES) {
    const size = `${Math.round(stats.size / 1024 / 1024)} MiB, more than ${MAX_FILE_BYTES / 1024 / 1024}`;
    throw new Error(`'${path}' has ${size}: check that it is the right file`);
  }
}
