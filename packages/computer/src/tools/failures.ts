import { type CallToolResult, ErrorCode, failedResult } from '@a2c-smcp/protocol';
import {
  InsufficientScopeError,
  OAuthError,
  OAuthErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { UpstreamAuthError } from '../mcp/transport/http.ts';

/** A failed call as a result with its code, and further markers in its `meta`. */
export function failure(code: number, text: string, meta: Record<string, unknown> = {}): CallToolResult {
  return failedResult(text, { error_code: code, ...meta });
}

/**
 * The result for a call that an MCP server refused for lack of authorisation, or undefined when there is no real sign
 * of that. Its texts are ours: what the server wrote may hold tokens.
 */
export function authFailure(error: unknown, server: string): CallToolResult | undefined {
  const code = authCode(error);
  if (code === undefined) return undefined;
  const message =
    code === ErrorCode.UpstreamAuthRequired
      ? `MCP server '${server}' requires authorisation: give it credentials on the Computer that hosts it`
      : `MCP server '${server}' does not accept the authorisation it was given: renew or widen it on the Computer`;
  const action = code === ErrorCode.UpstreamAuthRequired ? 'user_authorization_required' : 'token_refresh_required';
  return failure(code, message, { mcp_server: server, auth_hint: { action, message } });
}

function authCode(error: unknown): number | undefined {
  for (const cause of causes(error)) {
    if (cause instanceof InsufficientScopeError) return ErrorCode.UpstreamAuthFailed;
    if (cause instanceof OAuthError) return oauthCode(cause);
    if (cause instanceof UnauthorizedError) return ErrorCode.UpstreamAuthRequired;
    if (cause instanceof UpstreamAuthError || cause instanceof SdkHttpError) {
      if (cause.status === 401) return ErrorCode.UpstreamAuthRequired;
      if (cause.status === 403) return ErrorCode.UpstreamAuthFailed;
    }
  }
  return undefined;
}

/** A grant or token that is no longer good was given once; a provider that is out of order says nothing about it. */
function oauthCode({ code }: OAuthError): number | undefined {
  const spent: string[] = [OAuthErrorCode.InvalidGrant, OAuthErrorCode.InvalidToken, OAuthErrorCode.InsufficientScope];
  if (spent.includes(code)) return ErrorCode.UpstreamAuthFailed;
  const outOfOrder: string[] = [OAuthErrorCode.ServerError, OAuthErrorCode.TemporarilyUnavailable];
  return outOfOrder.includes(code) ? undefined : ErrorCode.UpstreamAuthRequired;
}

function* causes(error: unknown): Generator<unknown> {
  for (let cause = error, depth = 0; cause !== undefined && depth < 8; depth++) {
    yield cause;
    cause = cause instanceof Error ? cause.cause : undefined;
  }
}
