import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { isTooDeep, MAX_NESTING_DEPTH } from '@a2c-smcp/core';
import { type ComputerConfig, ConfigError, parseComputerConfig } from '@a2c-smcp/protocol';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { toOwnFormat } from './formats.ts';
import { fileOrigin, type Origin } from './origin.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Without it, opening a pipe waits for a writer. Windows does not have it. */
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

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
  const text = await readRegularFile(file);
  try {
    return { config: parseComputerConfig(toOwnFormat(parseJson(text), places(path))), origin: fileOrigin(file) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problem = error.path === '' ? error.message : error.message.slice(error.path.length + 2);
    throw new ConfigError(error.path, `${problem}, in '${path}'`, { cause: error });
  }
}

/** Pipes and devices may never end, and a file of any size may be put in the place of the one that is watched. */
async function readRegularFile(path: string): Promise<string> {
  await using file = await open(path, O_RDONLY | O_NONBLOCK);
  const stats = await file.stat();
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new Error(`'${path}' is a pipe or a device: give the path of a regular file`);
  }
  if (stats.size > MAX_FILE_BYTES) {
    const size = `${Math.round(stats.size / 1024 / 1024)} MiB, more than ${MAX_FILE_BYTES / 1024 / 1024}`;
    throw new Error(`'${path}' has ${size}: check that it is the right file`);
  }
  return await file.readFile('utf8');
}

function parseJson(text: string): unknown {
  const errors: ParseError[] = [];
  const data = parseBounded(text, errors);
  const [error] = errors;
  if (error) {
    const before = text.slice(0, error.offset).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw new ConfigError('', `no valid JSON at ${place}: ${printParseErrorCode(error.error)}`);
  }
  return data;
}

function parseBounded(text: string, errors: ParseError[]): unknown {
  try {
    const data: unknown = parse(text, errors, { allowTrailingComma: true });
    if (errors.length > 0 || !isTooDeep(data)) return data;
  } catch (error) {
    // The parser is recursive.
    if (!(error instanceof RangeError)) throw error;
  }
  throw new ConfigError('', `nested deeper than ${MAX_NESTING_DEPTH} levels`);
}

/** VS Code's file lies in a folder of the workspace; others lie in it themselves. */
function places(path: string): { workspaceFolder: string; userHome: string } {
  const folder = dirname(resolve(path));
  return { workspaceFolder: basename(folder) === '.vscode' ? dirname(folder) : folder, userHome: homedir() };
}
