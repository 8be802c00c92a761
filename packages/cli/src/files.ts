import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { isTooDeep, MAX_NESTING_DEPTH } from '@a2c-smcp/core';
import { ConfigError } from '@a2c-smcp/protocol';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** Bytes of a file that is read as a whole: configurations, settings, scripts, keys. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MEBIBYTE = 1024 * 1024;
/** Without it, opening a pipe waits for a writer. Windows does not have it. */
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

const TOO_DEEP = Symbol('too deep');

/** Reads a text file. Refuses pipes and devices, which may never end, and files above `MAX_FILE_BYTES`. */
export async function readTextFile(path: string): Promise<string> {
  await using file = await open(path, O_RDONLY | O_NONBLOCK);
  refuseUnusual(path, await file.stat());
  return await file.readFile('utf8');
}

/** Reads a file of JSON with comments and trailing commas. Throws a `ConfigError` with the place of a syntax error. */
export async function readJsoncFile(path: string): Promise<unknown> {
  const text = await readTextFile(path);
  const errors: ParseError[] = [];
  const data = parseBounded(text, errors);
  const [error] = errors;
  if (error) {
    const before = text.slice(0, error.offset).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw new ConfigError('', `no valid JSON at ${place}: ${printParseErrorCode(error.error)}, in '${path}'`);
  }
  if (data !== TOO_DEEP) return data;
  const problem = `nested deeper than ${MAX_NESTING_DEPTH} levels, in '${path}'`;
  throw new ConfigError('', `${problem}: check that it is the right file`);
}

function refuseUnusual(path: string, stats: Stats): void {
  // Reading a folder fails with a code of its own.
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new Error(`'${path}' is a pipe or a device: give the path of a regular file`);
  }
  if (stats.size > MAX_FILE_BYTES) {
    const size = `${Math.round(stats.size / MEBIBYTE)} MiB, more than ${MAX_FILE_BYTES / MEBIBYTE}`;
    throw new Error(`'${path}' has ${size}: check that it is the right file`);
  }
}

/** The parser is recursive: it may overflow the stack before its result can be checked. */
function parseBounded(text: string, errors: ParseError[]): unknown {
  try {
    const data: unknown = parse(text, errors, { allowTrailingComma: true });
    return isTooDeep(data) ? TOO_DEEP : data;
  } catch (error) {
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}
