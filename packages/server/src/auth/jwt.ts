import { given } from '@a2c-smcp/core';
import { ErrorCode, Role, SmcpError } from '@a2c-smcp/protocol';
import { createRemoteJWKSet, importSPKI, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Authenticate, AuthRequest, Identity } from './identity.ts';

interface JwtCommonOptions {
  issuer?: string;
  audience?: string;
  /** The claims that restrict a client: a text or a list of texts each. @default role, office and name */
  claims?: { role?: string; office?: string; name?: string };
}

/** How tokens are verified: a shared HS256 secret, a public key in PEM format, or the address of a JWKS. */
export type JwtOptions = JwtCommonOptions &
  ({ secret: string } | { publicKey: string; algorithm: string } | { jwks: string | URL });

/**
 * Admits clients with a valid JSON Web Token, as `Authorization: Bearer …` or as `token` in the `auth` object. Its
 * claims restrict role, office and name, and its expiry ends the connection.
 */
export function jwt(options: JwtOptions): Authenticate {
  const { issuer, audience, claims = {} } = options;
  const key = keySource(given(options));
  return async request => {
    const token = bearerToken(request);
    if (token === undefined) {
      throw new SmcpError(ErrorCode.Unauthorized, "Send your token as 'Authorization: Bearer …' or as 'token' in auth");
    }
    try {
      const { payload } = await jwtVerify(token, key.get, { issuer, audience, algorithms: key.algorithms });
      return identityOf(payload, claims);
    } catch (cause) {
      if (cause instanceof SmcpError) throw cause;
      const expired = cause instanceof Error && 'code' in cause && cause.code === 'ERR_JWT_EXPIRED';
      throw new SmcpError(ErrorCode.Unauthorized, expired ? 'The token has expired' : 'The token is not valid', {
        cause,
      });
    }
  };
}

interface KeySource {
  get: JWTVerifyGetKey;
  /** The accepted algorithms. A token cannot choose another one. */
  algorithms?: string[];
}

function keySource(options: JwtOptions): KeySource {
  if ('secret' in options) {
    const secret = new TextEncoder().encode(options.secret);
    if (secret.length < 32) throw new TypeError('A JWT secret must have at least 32 bytes');
    return { get: async () => secret, algorithms: ['HS256'] };
  }
  if ('jwks' in options) return { get: createRemoteJWKSet(new URL(options.jwks)) };
  const key = importSPKI(options.publicKey, options.algorithm);
  // A broken key is reported by each verification; unhandled it would end the process.
  key.catch(() => {});
  return { get: () => key, algorithms: [options.algorithm] };
}

function bearerToken({ headers, auth }: AuthRequest): string | undefined {
  const [, token] = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '') ?? [];
  return token ?? (typeof auth.token === 'string' ? auth.token : undefined);
}

function identityOf(payload: JWTPayload, claims: NonNullable<JwtCommonOptions['claims']>): Identity {
  const { role = 'role', office = 'office', name = 'name' } = claims;
  return {
    id: payload.sub ?? 'token',
    roles: texts(payload, role)?.map(text => Role.parse(text)),
    offices: texts(payload, office),
    names: texts(payload, name),
    expiresAt: payload.exp === undefined ? undefined : payload.exp * 1000,
  };
}

function texts(payload: JWTPayload, claim: string): string[] | undefined {
  const value = payload[claim];
  if (value === undefined) return undefined;
  const list = [value].flat();
  if (list.every(item => typeof item === 'string')) return list;
  throw new SmcpError(ErrorCode.Unauthorized, `The claim '${claim}' of the token must be a text or a list of texts`);
}
