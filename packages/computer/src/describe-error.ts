import { fieldsOf } from '@a2c-smcp/core';
import { SdkHttpError } from '@modelcontextprotocol/client';

/** The message of an error in one line. `fetch` hides the reason in the cause of its error, the MCP SDK the status. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (error instanceof SdkHttpError && error.status !== undefined) {
    return `HTTP ${error.status}: ${message.replace(/^Error POSTing to endpoint(?: \(HTTP \d+\))?: /, '')}`;
  }
  if (message !== 'fetch failed') return message;
  const { code, message: reason } = fieldsOf(cause);
  return `No connection (${code ?? reason ?? 'no reason given'})`;
}
