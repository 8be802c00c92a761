import { createHash } from 'node:crypto';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { socketFolder } from '@a2c-smcp/bridge/sockets';

/** Changes with the messages. */
export const CONTROL_PROTOCOL = 1;

/** The socket of the Computer of that name and configuration. Undefined where there is no place for one. */
export async function controlPath(
  configFile: string | undefined,
  computer: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const folder = await socketFolder(env);
  return folder && join(folder, `${await prefixOf(configFile)}${hash(computer, 8)}`);
}

/** The sockets of all Computers with that configuration, running or not. */
export async function controlPaths(configFile: string | undefined, env: NodeJS.ProcessEnv): Promise<string[]> {
  const folder = await socketFolder(env);
  if (folder === undefined) return [];
  const prefix = await prefixOf(configFile);
  const names = await readdir(folder);
  return names.filter(name => name.startsWith(prefix) && !name.includes('.')).map(name => join(folder, name));
}

async function prefixOf(configFile: string | undefined): Promise<string> {
  return `computer-${hash(configFile === undefined ? '' : await realpath(configFile), 16)}-`;
}

function hash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
