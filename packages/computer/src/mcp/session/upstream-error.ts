import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';

/** The error of an MCP server in the codes of this protocol. `what` is what it could not do. */
export function upstreamError(cause: unknown, what: string): SmcpError {
  if (isTimeout(cause)) {
    return new SmcpError(ErrorCode.Timeout, `${what} in time`, { cause });
  }
  if (!(cause instanceof ProtocolError)) return new SmcpError(ErrorCode.Internal, what, { cause });
  const details = { upstream_code: cause.code };
  if (isResourceNotFound(cause)) return new SmcpError(ErrorCode.NotFound, `${what}: not found`, { details, cause });
  if (cause.code === ProtocolErrorCode.InvalidParams)
    return new SmcpError(ErrorCode.BadRequest, `${what}: invalid request`, { details, cause });
  return new SmcpError(ErrorCode.Internal, what, { details, cause });
}

/** True if an MCP server said that a resource does not exist, in one of the ways that servers do. */
export function isResourceNotFound(error: unknown): boolean {
  if (error instanceof ResourceNotFoundError) return true;
  return error instanceof ProtocolError && error.code === ProtocolErrorCode.ResourceNotFound;
}

/** True if an MCP server did not answer in time. */
function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}
