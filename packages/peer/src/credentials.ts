import { type SettleOptions, within } from '@a2c-smcp/core';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import type { Renewable } from './options.ts';

/**
 * The value of an option that may be a function. One that fails or takes too long is an error 401, after which attempts
 * to reconnect are rarer.
 */
export async function renew<T extends object>(
  option: 'auth' | 'headers',
  source: Renewable<T>,
  { timeout, signal }: SettleOptions,
): Promise<T> {
  if (typeof source !== 'function') return source;
  const timeoutError = () => unavailable(option, `did not return within ${timeout} ms`);
  const value = await within(call(option, source), { timeout, timeoutError, signal });
  if (typeof value !== 'object' || value === null) throw unavailable(option, 'did not return an object');
  return value;
}

async function call<T>(option: string, source: () => T | Promise<T>): Promise<T> {
  try {
    return await source();
  } catch (error) {
    throw unavailable(option, `failed: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

function unavailable(option: string, problem: string, cause?: unknown): SmcpError {
  return new SmcpError(ErrorCode.Unauthorized, `The function '${option}' ${problem}`, { cause });
}
