import type { BackoffOptions } from '@a2c-smcp/core';
import { ErrorCode } from '@a2c-smcp/protocol';

/** Pauses between attempts to come back, short enough to be back within two seconds of a Server's restart. */
const QUICK = { first: 100, longest: 800 };
/** After a refusal, which may be that of a Server about to restart. */
const PATIENT = { first: 200, longest: 1500 };
/** After credentials were refused: that seldom passes by itself. */
const SLOW = { first: 1000, longest: 10_000 };

/** How a peer waits before it tries again to come back, after an attempt that failed with `code`. */
export function pausesAfter(code: number): BackoffOptions {
  if (code === ErrorCode.Timeout) return QUICK;
  return code === ErrorCode.Unauthorized ? SLOW : PATIENT;
}
