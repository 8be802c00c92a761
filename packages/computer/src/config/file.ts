import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { type ComputerConfig, ConfigError, parseComputerConfig } from '@a2c-smcp/protocol';
import { type Places, toOwnFormat } from './formats.ts';
import { fileOrigin, type Origin } from './origin.ts';
import { parseJsonc, readTextFile } from './text-file.ts';

/**
 * Reads a configuration file: our own, the official command's or VS Code's `mcp.json`, or one of Claude Desktop or
 * Cursor, with comments and trailing commas. A `ConfigError` names the field and the file.
 */
export async function readConfigFile(path: string): Promise<ComputerConfig> {
  return (await loadConfigFile(path)).config;
}

/** Reads a configuration file, and says which configuration it is. */
export async function loadConfigFile(path: string): Promise<{ config: ComputerConfig; origin: Origin }> {
  // First, and the text from there: a link that changes meanwhile must not lend the origin of another file.
  const file = await realpath(path);
  const data = parseJsonc(await readTextFile(file), path);
  try {
    return { config: parseComputerConfig(toOwnFormat(data, places(path))), origin: fileOrigin(file) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problem = error.path === '' ? error.message : error.message.slice(error.path.length + 2);
    throw new ConfigError(error.path, `${problem}, in '${path}'`, { cause: error });
  }
}

/** VS Code's file lies in a folder of the workspace; others lie in it themselves. */
function places(path: string): Places {
  const folder = dirname(resolve(path));
  return { workspaceFolder: basename(folder) === '.vscode' ? dirname(folder) : folder };
}
