import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isTooDeep, MAX_NESTING_DEPTH } from '@a2c-smcp/core';
import { ConfigError } from '@a2c-smcp/protocol';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

const MEBIBYTE = 1024 * 1024;
/** A file is read as a whole, and one of any size may be put in the place of one that is watched. */
const MAX_FILE_BYTES = 16 * MEBIBYTE;
/** Without it, opening a pipe waits for a writer. Windows does not have it. */
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** Reads a text file. Refuses pipes and devices, which may never end, and files above 16 MiB. */
export async function readTextFile(path: string): Promise<string> {
  await using file = await open(path, O_RDONLY | O_NONBLOCK);
  const stats = await file.stat();
  // Reading a folder fails with a code of its own.
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new Error(`'${path}' is a pipe or a device: give the path of a regular file`);
  }
  if (stats.size > MAX_FILE_BYTES) {
    const size = `${Math.round(stats.size / MEBIBYTE)} MiB, more than ${MAX_FILE_BYTES / MEBIBYTE}`;
    throw new Error(`'${path}' has ${size}: check that it is the right file`);
  }
  return await file.readFile('utf8');
}

/** Reads a file of JSON with comments and trailing commas. A `ConfigError` has the place of a syntax error. */
export async function readJsoncFile(path: string): Promise<unknown> {
  return parseJsonc(await readTextFile(path), path);
}

/** Parses JSON with comments and trailing commas. @param path names the file in errors */
export function parseJsonc(text: string, path: string): unknown {
  if (text.trim() === '') throw new ConfigError('', `the file is empty, in '${path}'`);
  const errors: ParseError[] = [];
  const data = parseBounded(text, errors, path);
  const [error] = errors;
  if (!error) return data;
  const before = text.slice(0, error.offset).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  // `CloseBraceExpected` in words.
  const problem = printParseErrorCode(error.error)
    .replaceAll(/\B[A-Z]/g, letter => ` ${letter}`)
    .toLowerCase();
  throw new ConfigError('', `no valid JSON at ${place}: ${problem}, in '${path}'`);
}

/** The parser is recursive: it may overflow the stack before its result can be checked. */
function parseBounded(text: string, errors: ParseError[], path: string): unknown {
  try {
    const data: unknown = parse(text, errors, { allowTrailingComma: true });
    if (errors.length > 0 || !isTooDeep(data)) return data;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const problem = `nested deeper than ${MAX_NESTING_DEPTH} levels, in '${path}'`;
  throw new ConfigError('', `${problem}: check that it is the right file`);
}
