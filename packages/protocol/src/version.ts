import { ErrorCode, SmcpError } from './errors.ts';
import type { VersionErrorBody } from './schemas/error.ts';

/** The protocol these packages speak. Clients send it as the query parameter `a2c_version`. */
export const PROTOCOL_VERSION = '0.2.0';

/** The query parameter of the handshake that carries the client's protocol version. */
export const VERSION_QUERY = 'a2c_version';

/** The response header that repeats the code of a refused handshake. */
export const ERROR_CODE_HEADER = 'x-a2c-error-code';

export interface ProtocolVersion {
  major: number;
  minor: number;
  patch: number;
}

/** Reads `MAJOR.MINOR.PATCH`. Anything else is a `BadRequest`. */
export function parseVersion(text: string): ProtocolVersion {
  const [, major, minor, patch] = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(text) ?? [];
  if (major === undefined) {
    throw new SmcpError(ErrorCode.BadRequest, `Invalid a2c_version: '${text.slice(0, 64)}' is not MAJOR.MINOR.PATCH`);
  }
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

/**
 * Whether a Server of version `server` serves a client of version `client`: equal MAJOR; below 1.0 also equal
 * MINOR, from 1.0 on a MINOR that is not newer than the Server's. PATCH is free.
 */
export function isCompatible(client: ProtocolVersion, server: ProtocolVersion): boolean {
  if (client.major !== server.major) return false;
  return server.major === 0 ? client.minor === server.minor : client.minor <= server.minor;
}

/** The body of the HTTP 400 that refuses an incompatible client. HTTP bodies are flat, unlike acks. */
export function versionErrorBody(clientVersion: string, serverVersion: string): VersionErrorBody {
  const { major, minor } = parseVersion(serverVersion);
  return {
    code: ErrorCode.VersionMismatch,
    message: `Protocol version ${clientVersion} is not compatible with this Server, which speaks ${serverVersion}`,
    server_version: serverVersion,
    client_version: clientVersion,
    min_supported: major === 0 ? `0.${minor}.0` : `${major}.0.0`,
    max_supported: `${major}.${minor}.999`,
  };
}
