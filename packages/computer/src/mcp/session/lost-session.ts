import { fieldsOf } from '@a2c-smcp/core';
import { SdkHttpError } from '@modelcontextprotocol/client';

/**
 * True if an HTTP server refused a request because it does not know our session, or is not there at all. Such a
 * request was not carried out, so it may be sent again on a new connection.
 */
export function isLostSession(error: unknown): boolean {
  if (error instanceof SdkHttpError) {
    return error.status === 404 || (error.status === 400 && /session/i.test(error.message));
  }
  return error instanceof TypeError && fieldsOf(error.cause).code === 'ECONNREFUSED';
}
