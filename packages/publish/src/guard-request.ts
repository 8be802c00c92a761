import type { Logger } from '@a2c-smcp/core';
import { SmcpError } from '@a2c-smcp/protocol';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/**
 * Runs a request of a client. An `SmcpError` becomes a JSON-RPC error with its code. With a logger, an unknown error is
 * logged and its details are withheld; without one it goes to the client, as in the SDK.
 */
export async function guardRequest<T>(
  action: () => Promise<T>,
  { logger, signal }: { logger?: Logger | undefined; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    // A cancelled request is not answered.
    if (signal?.aborted || error instanceof ProtocolError) throw error;
    if (error instanceof SmcpError) throw new ProtocolError(error.code, error.message, error.details);
    if (logger === undefined) throw error;
    logger.error('A request failed', { error });
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
  }
}
