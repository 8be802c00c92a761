import { ErrorCode, SmcpError } from './errors.ts';
import type { VersionErrorBody } from './schemas/error.ts';

/** The oldest version these packages speak, which a client that states none is taken to speak. */
export const PROTOCOL_VERSION = '0.2.0';

/** The `MAJOR.MINOR` lines of the protocol that these packages speak, oldest first. */
export const PROTOCOL_LINES = ['0.2', '0.3', '0.4', '0.5'] as const;
export type ProtocolLine = (typeof PROTOCOL_LINES)[number];

/** The newest version these packages speak. */
export const NEWEST_VERSION = '0.5.0';

/** The query parameter of the handshake that carries the client's protocol version. */
export const VERSION_QUERY = 'a2c_version';

/**
 * The query parameter of the handshake that is equal for all members of an office; see `routeOf`. Servers ignore it. What
 * stands before several nodes can keep an office on one of them by it.
 */
export const ROUTE_QUERY = 'a2c_route';

/** A short hash of the name of an office: 32 bits of FNV-1a over its UTF-16 code units, as hexadecimal digits. */
export function routeOf(office: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < office.length; index++) {
    hash = Math.imul(hash ^ office.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

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
 * True if a Server of version `server` serves a client of version `client`: equal MAJOR; below 1.0 also equal
 * MINOR, from 1.0 on a MINOR that is not newer than the Server's. PATCH is free.
 */
export function isCompatible(client: ProtocolVersion, server: ProtocolVersion): boolean {
  if (client.major !== server.major) return false;
  return server.major === 0 ? client.minor === server.minor : client.minor <= server.minor;
}

/** True if a peer that states `version` speaks a line or a later one. One that states none speaks the oldest. */
export function speaks(version: string | null | undefined, line: ProtocolLine): boolean {
  try {
    return compare(parseVersion(version ?? PROTOCOL_VERSION), parseVersion(`${line}.0`)) >= 0;
  } catch {
    return false;
  }
}

/** The newest version that both these packages and a Server speak which refused another one, if there is any. */
export function commonVersion({ min_supported, max_supported }: Record<string, unknown>): string | undefined {
  try {
    const [oldest, newest] = [parseVersion(String(min_supported)), parseVersion(String(max_supported))];
    const versions = PROTOCOL_LINES.map(line => `${line}.0`);
    return versions.findLast(version => {
      const candidate = parseVersion(version);
      // Versions of one line are compatible whatever their PATCH.
      return compare({ ...candidate, patch: oldest.patch }, oldest) >= 0 && compare(candidate, newest) <= 0;
    });
  } catch {
    return undefined;
  }
}

function compare(a: ProtocolVersion, b: ProtocolVersion): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
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
