import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { socketFolder } from '../socket/private-folder.ts';

/** The socket for one seat of one user. Undefined where there is no folder for it. */
export async function seatPath(parts: readonly unknown[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folder = await socketFolder(env);
  // The name depends on the credentials, which a user of the seat has, and does not reveal them.
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return folder && join(folder, `bridge-${key.slice(0, 24)}`);
}
