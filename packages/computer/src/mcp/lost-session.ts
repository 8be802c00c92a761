import { SdkHttpError } from '@modelcontextprotocol/client';

/**
 * Whether an HTTP server refused a request because it does not know our session, or is not there at all. Such a
 * request was not carried out, so it may be sent again on a new connection.
 */
export function isLostSession(error: unknown): boolean {
  if (error instanceof SdkHttpError) {
    return error.status === 404 || (error.status === 400 && /session/i.test(error.message));
  }
  return error instanceof TypeError && codeOf(error.cause) === 'ECONNREFUSED';
}

function codeOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}
