import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** The answer while the other nodes cannot be reached. */
export function unavailable(): SmcpError {
  const details = { reason: 'cluster_unavailable' };
  return new SmcpError(ErrorCode.Internal, 'The nodes of this Server cannot reach each other; try again', { details });
}

/** The answer to a request that Redis did not carry out. The log has the reason. */
export function refusedByRedis(): SmcpError {
  const details = { reason: 'cluster_error' };
  return new SmcpError(ErrorCode.Internal, 'Redis did not accept this request; the log of the Server says why', {
    details,
  });
}

export function notFound(computer: string): SmcpError {
  return new SmcpError(ErrorCode.NotFound, `No computer '${computer}' in this office`);
}

/** The answer to a call whose Computer is gone before it answered. */
export function disconnected(): SmcpError {
  const details = { reason: 'computer_disconnected' };
  return new SmcpError(ErrorCode.NotFound, 'The computer disconnected before it answered', { details });
}
