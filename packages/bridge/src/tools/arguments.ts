import { ErrorCode, SmcpError } from '@a2c-smcp/agent';
import type { Json } from '@a2c-smcp/core';

/** A text among the arguments of a call. Models send null and empty texts for what they leave out. */
export function textArgument(args: Json, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new SmcpError(ErrorCode.BadRequest, `'${name}' must be a text`);
}

/** A whole number among the arguments of a call. Some models send numbers as text. */
export function numberArgument(args: Json, name: string): number | undefined {
  const value = args[name];
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new SmcpError(ErrorCode.BadRequest, `'${name}' must be a whole number, 0 or more`);
}

/** One of several words among the arguments of a call. */
export function choiceArgument<const T extends string>(args: Json, name: string, choices: readonly T[]): T | undefined {
  const value = textArgument(args, name);
  if (value === undefined) return undefined;
  const found = choices.find(choice => choice === value);
  if (found !== undefined) return found;
  throw new SmcpError(ErrorCode.BadRequest, `'${name}' must be one of ${choices.join(', ')}`);
}
