import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder for the sockets of one user, which no other user can enter. Undefined where such a folder cannot be had: on
 * Windows, where pipes have no folders, and where another user made it.
 */
export async function socketFolder(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const user = process.getuid?.();
  if (process.platform === 'win32' || user === undefined) return undefined;
  const folder = env.XDG_RUNTIME_DIR ? join(env.XDG_RUNTIME_DIR, 'a2c-smcp') : join(tmpdir(), `a2c-smcp-${user}`);
  try {
    await mkdir(folder, { mode: 0o700, recursive: true });
    const stats = await lstat(folder);
    const isOurs = stats.isDirectory() && stats.uid === user && (stats.mode & 0o077) === 0;
    return isOurs ? folder : undefined;
  } catch {
    return undefined;
  }
}
