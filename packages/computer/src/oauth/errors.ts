import { type CompleteMCPServerConfig, ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** Why an MCP server does not let a request pass. */
export type AuthProblem =
  /** Nothing was granted so far. */
  | 'required'
  /** A grant has expired or was withdrawn. */
  | 'expired'
  /** The grant does not cover the request. */
  | 'scope'
  /** The server or its authorization server refuses what was granted; another sign-in hardly helps. */
  | 'refused';

/** HTTP 401 or 403 of an MCP server, or the lack of what it would accept. The texts are ours: those of servers may hold tokens. */
export class UpstreamAuthError extends Error {
  override readonly name = 'UpstreamAuthError';
  readonly problem: AuthProblem;
  /** The server that a person can sign in to; undefined if its credentials come from the configuration. */
  readonly server: string | undefined;

  constructor(problem: AuthProblem, message: string, server?: string) {
    super(message);
    this.problem = problem;
    this.server = server;
  }
}

/** The refusal that an error comes from, if it comes from one. */
export function authErrorOf(error: unknown): UpstreamAuthError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; depth++) {
    if (cause instanceof UpstreamAuthError) return cause;
    cause = cause.cause;
  }
  return undefined;
}

/** An authorization server that does not do what it should. Its own words are left out, except for the code of an error. */
export class AuthServerError extends Error {
  override readonly name = 'AuthServerError';
  /** The code of RFC 6749 and its kin, such as `invalid_grant`. */
  readonly code: string | undefined;
  /** True if it does not answer, or says that it is out of order: what it granted may still be good. */
  readonly isOutage: boolean;

  constructor(message: string, { code, isOutage = false }: { code?: string | undefined; isOutage?: boolean } = {}) {
    super(message);
    this.code = code;
    this.isOutage = isOutage;
  }
}

/** The command that signs in to an MCP server. */
export function signInCommand(server: string): string {
  return `a2c computer sign-in ${/^[\w.@:/-]+$/.test(server) ? server : JSON.stringify(server)}`;
}

/** The refusal of a sign-in to an MCP server that does not use OAuth. */
export function needsNoSignIn({ name, type }: CompleteMCPServerConfig): SmcpError {
  const why = type === 'stdio' ? 'it is a process of this machine' : "it has credentials in 'headers' or its URL";
  return new SmcpError(ErrorCode.BadRequest, `MCP server '${name}' needs no sign-in: ${why}`);
}
