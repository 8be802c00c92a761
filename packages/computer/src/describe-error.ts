import { fieldsOf } from '@a2c-smcp/core';

/** The message of an error in one line. `fetch` hides the reason in the cause of its error. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const { code } = fieldsOf(cause);
  return typeof code === 'string' && message === 'fetch failed' ? `No connection (${code})` : message;
}
