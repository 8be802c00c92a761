import type { IncomingHttpHeaders } from 'node:http';
import { ErrorCode, type Role, SmcpError } from '@a2c-smcp/protocol';

/** What is known of a client that wants to connect. */
export interface AuthRequest {
  /** HTTP headers of the handshake, names in lower case. */
  headers: IncomingHttpHeaders;
  /** The Socket.IO `auth` object. Whatever the client put there. */
  auth: Record<string, unknown>;
  /** The IP address of the client. */
  address: string;
}

/** Who a client is and what it may do. What is left out is not restricted. */
export interface Identity {
  /** Names the client in the log. */
  id: string;
  roles?: readonly Role[];
  offices?: readonly string[];
  names?: readonly string[];
  /** When the connection must end, in milliseconds since 1970. */
  expiresAt?: number;
}

/** Decides who a client is. Null, or throwing, refuses it; the message of an `SmcpError` is told to the client. */
export type Authenticate = (request: AuthRequest) => Identity | null | Promise<Identity | null>;

/** Throws unless `identity` may be this member. */
export function authorize(
  identity: Identity,
  { role, name, office }: { role: Role; name: string; office: string },
): void {
  if (identity.roles && !identity.roles.includes(role)) throw forbidden(`join as a ${role}`);
  if (identity.offices && !identity.offices.includes(office)) throw forbidden('join this office');
  if (identity.names && !identity.names.includes(name)) throw forbidden(`be called '${name}'`);
}

function forbidden(what: string): SmcpError {
  return new SmcpError(ErrorCode.Forbidden, `Your credentials do not allow you to ${what}`);
}
