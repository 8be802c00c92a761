import { type CallToolResult, ErrorCode, failedResult } from '@a2c-smcp/protocol';
import {
  InsufficientScopeError,
  OAuthError,
  OAuthErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { signInCommand, UpstreamAuthError } from '../oauth/errors.ts';

/** A failed call as a result with its code, and further markers in its `meta`. */
export function failure(code: number, text: string, meta: Record<string, unknown> = {}): CallToolResult {
  return failedResult(text, { error_code: code, ...meta });
}

/**
 * The result for a call that an MCP server refused for lack of authorisation, or undefined when there is no real sign
 * of that. Its texts are ours: what the server wrote may hold tokens.
 */
export function authFailure(error: unknown, server: string): CallToolResult | undefined {
  const found = authProblem(error);
  if (!found) return undefined;
  const { code, signIn } = found;
  const isRequired = code === ErrorCode.UpstreamAuthRequired;
  const problem = isRequired ? 'requires authorisation' : 'does not accept the authorisation it was given';
  const remedy = signIn === undefined ? REMEDIES[code] : `run '${signInCommand(signIn)}' on the Computer that hosts it`;
  const message = `MCP server '${server}' ${problem}: ${remedy}`;
  const action = isRequired ? 'user_authorization_required' : 'token_refresh_required';
  return failure(code, message, { mcp_server: server, auth_hint: { action, message } });
}

const REMEDIES: Record<number, string> = {
  [ErrorCode.UpstreamAuthRequired]: 'give it credentials on the Computer that hosts it',
  [ErrorCode.UpstreamAuthFailed]: 'renew or widen it on the Computer',
};

/** The code, and the server that a person can sign in to. */
function authProblem(error: unknown): { code: number; signIn?: string | undefined } | undefined {
  for (const cause of causes(error)) {
    if (cause instanceof UpstreamAuthError) {
      const isRequired = cause.problem === 'required';
      return { code: isRequired ? ErrorCode.UpstreamAuthRequired : ErrorCode.UpstreamAuthFailed, signIn: cause.server };
    }
    const code = authCode(cause);
    if (code !== undefined || cause instanceof OAuthError) return code === undefined ? undefined : { code };
  }
  return undefined;
}

function authCode(cause: unknown): number | undefined {
  if (cause instanceof InsufficientScopeError) return ErrorCode.UpstreamAuthFailed;
  if (cause instanceof OAuthError) return oauthCode(cause);
  if (cause instanceof UnauthorizedError) return ErrorCode.UpstreamAuthRequired;
  if (!(cause instanceof SdkHttpError)) return undefined;
  if (cause.status === 401) return ErrorCode.UpstreamAuthRequired;
  return cause.status === 403 ? ErrorCode.UpstreamAuthFailed : undefined;
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

/** True if the MCP server neither answered nor reported progress within the limit of its configuration. */
export function isSilence(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}
