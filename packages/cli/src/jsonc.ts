import { isTooDeep, MAX_NESTING_DEPTH } from '@a2c-smcp/core';
import { ConfigError } from '@a2c-smcp/protocol';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { readTextFile } from './file.ts';

/** Reads a file of JSON with comments and trailing commas. A `ConfigError` says where the file is broken. */
export async function readJsoncFile(path: string): Promise<unknown> {
  const text = await readTextFile(path);
  const errors: ParseError[] = [];
  const data = parseBounded(text, errors);
  const [error] = errors;
  if (!error && data === TOO_DEEP) {
    throw new ConfigError(
      '',
      `nested deeper than ${MAX_NESTING_DEPTH} levels, in '${path}': check that it is the right file`,
    );
  }
  if (!error) return data;
  const before = text.slice(0, error.offset).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  throw new ConfigError('', `no valid JSON at ${place}: ${printParseErrorCode(error.error)}, in '${path}'`);
}

const TOO_DEEP = Symbol('too deep');

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
