import { ConfigError } from '@a2c-smcp/protocol';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** Reads JSON with comments and trailing commas. A `ConfigError` says where in the file it is broken. */
export function parseJsonc(text: string, path: string): unknown {
  const errors: ParseError[] = [];
  const data: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (!error) return data;
  const before = text.slice(0, error.offset).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  throw new ConfigError('', `no valid JSON at ${place}: ${printParseErrorCode(error.error)}, in '${path}'`);
}
