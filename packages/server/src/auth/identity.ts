import type { IncomingHttpHeaders } from 'node:http';
import { ErrorCode, type Role, SmcpError } from '@a2c-smcp/protocol';

/** A client that wants to connect. */
export interface AuthRequest {
  /** HTTP headers of the handshake, names in lower case. */
  headers: IncomingHttpHeaders;
  /** The Socket.IO `auth` object. Whatever the client put there. */
  auth: Record<string, unknown>;
  /** The IP address of the client. */
  address: string;
}

/** The identity of a client and its permissions. A field that is left out does not restrict it. */
export interface Identity {
  /** Names the client in the log. */
  id: string;
  roles?: readonly Role[];
  offices?: readonly string[];
  names?: readonly string[];
  /** When the connection must end, in milliseconds since 1970. */
  expiresAt?: number;
}

/** Identifies a client. Null, or throwing, refuses it; only the message of an `SmcpError` is sent to the client. */
export type Authenticate = (request: AuthRequest) => Identity | null | Promise<Identity | null>;

/** A request that an Agent wants to send to a Computer. */
export interface CallRequest {
  identity: Identity;
  office: string;
  /** The name of the Agent. */
  agent: string;
  computer: string;
  /** As in `client:tool_call`. */
  event: string;
  /** The name of the tool, of a `client:tool_call`. */
  tool?: string;
}

/** Decides whether a request is forwarded. False refuses it with 403, an `SmcpError` with its own code and message. */
export type Authorize = (request: CallRequest) => boolean | Promise<boolean>;

/** Throws unless `identity` may be this member. */
export function authorize(
  identity: Identity,
  { role, name, office }: { role: Role; name: string; office: string },
): void {
  if (identity.roles && !identity.roles.includes(role)) throw forbidden(`join as ${role}`);
  if (identity.offices && !identity.offices.includes(office)) throw forbidden('join this office');
  if (identity.names && !identity.names.includes(name)) throw forbidden(`be called '${name}'`);
}

function forbidden(what: string): SmcpError {
  return new SmcpError(ErrorCode.Forbidden, `Your credentials do not allow you to ${what}`);
}
