import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid, platform } from 'node:process';

/**
 * The socket for one seat of one user, in a folder that no other user can enter. Undefined where such a folder cannot be
 * had: on Windows, where pipes have no folders, and where another user made it.
 */
export async function seatPath(parts: readonly unknown[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (platform === 'win32' || !getuid) return undefined;
  const folder = env.XDG_RUNTIME_DIR ? join(env.XDG_RUNTIME_DIR, 'a2c-smcp') : join(tmpdir(), `a2c-smcp-${getuid()}`);
  try {
    await mkdir(folder, { mode: 0o700, recursive: true });
    const stats = await lstat(folder);
    if (!stats.isDirectory() || stats.uid !== getuid() || (stats.mode & 0o077) !== 0) return undefined;
  } catch {
    return undefined;
  }
  // The name depends on the credentials, which a user of the seat has, and does not reveal them.
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return join(folder, `bridge-${key.slice(0, 24)}`);
}
