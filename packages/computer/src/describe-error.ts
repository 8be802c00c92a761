/** What went wrong in one line. `fetch` hides the reason in the cause of its error. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && message === 'fetch failed' ? `No connection (${code})` : message;
}
