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

export interface LoadedConfig {
  config: ComputerConfig;
  origin: Origin;
  /** The paths of fields that other programs may know and that have no effect here. */
  ignored: string[];
}

/** Reads a configuration file, and says which configuration it is. */
export async function loadConfigFile(path: string): Promise<LoadedConfig> {
  // First, and the text from there: a link that changes meanwhile must not lend the origin of another file.
  const file = await realpath(path);
  return { ...readConfig(parseJsonc(await readTextFile(file), path), path), origin: fileOrigin(file) };
}

/** Reads the parsed contents of the file at `path`. */
export function readConfig(contents: unknown, path: string): Omit<LoadedConfig, 'origin'> {
  let key = 'servers';
  try {
    const { data, ignored, ...own } = toOwnFormat(contents, places(path));
    key = own.key;
    return { config: parseComputerConfig(data), ignored };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problem = error.path === '' ? error.message : error.message.slice(error.path.length + 2);
    const field = error.path.replace(/^servers(?=\.|$)/, key);
    throw new ConfigError(field, `${problem}, in '${path}'`, { cause: error });
  }
}

/** Folders of a project in which programs keep its file. */
const PROGRAM_FOLDERS = ['.vscode', '.cursor'];

function places(path: string): Places {
  const folder = dirname(resolve(path));
  return { workspaceFolder: PROGRAM_FOLDERS.includes(basename(folder)) ? dirname(folder) : folder };
}
