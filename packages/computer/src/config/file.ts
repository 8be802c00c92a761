import { readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { type ComputerConfig, ConfigError, parseComputerConfig } from '@a2c-smcp/protocol';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { fileOrigin, type Origin } from '../inputs/origin.ts';
import { toOwnFormat } from './formats.ts';

/**
 * Reads a configuration file: our own, VS Code's `mcp.json`, or one of Claude Desktop or Cursor, with comments and
 * trailing commas. A `ConfigError` names the field and the file.
 */
export async function readConfigFile(path: string): Promise<ComputerConfig> {
  return (await loadConfigFile(path)).config;
}

/** Reads a configuration file, and says which configuration it is. */
export async function loadConfigFile(path: string): Promise<{ config: ComputerConfig; origin: Origin }> {
  // First, and the text from there: a link that changes meanwhile must not lend the origin of another file.
  const file = await realpath(path);
  const text = await readFile(file, 'utf8');
  try {
    return { config: parseComputerConfig(toOwnFormat(parseJson(text), places(path))), origin: fileOrigin(file) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problem = error.path === '' ? error.message : error.message.slice(error.path.length + 2);
    throw new ConfigError(error.path, `${problem}, in '${path}'`, { cause: error });
  }
}

function parseJson(text: string): unknown {
  const errors: ParseError[] = [];
  const data: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const before = text.slice(0, error.offset).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw new ConfigError('', `no valid JSON at ${place}: ${printParseErrorCode(error.error)}`);
  }
  return data;
}

/** VS Code's file lies in a folder of the workspace; others lie in it themselves. */
function places(path: string): { workspaceFolder: string; userHome: string } {
  const folder = dirname(resolve(path));
  return { workspaceFolder: basename(folder) === '.vscode' ? dirname(folder) : folder, userHome: homedir() };
}
