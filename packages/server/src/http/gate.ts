import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  ERROR_CODE_HEADER,
  ErrorCode,
  isCompatible,
  parseVersion,
  SmcpError,
  VERSION_QUERY,
  versionErrorBody,
} from '@a2c-smcp/protocol';
import { loopbackHosts, queryOf } from './addresses.ts';

/** Milliseconds that a client has to close a connection whose upgrade was refused. */
const HANG_UP_TIMEOUT_MS = 1000;

export interface GateOptions {
  /** `MAJOR.MINOR` lines of the protocol that are served, oldest first. */
  acceptVersions: readonly string[];
  /** True if a client must say which version it speaks. */
  requireVersion: boolean;
  /** Names by which clients may address the Server, without port. Undefined: any. */
  allowedHosts?: readonly string[];
  /** Web origins that may connect, beside the Server's own. */
  allowedOrigins: readonly string[];
  /** True if new connections are refused. */
  closing: () => boolean;
  /** The limit that one more connection would exceed, if any. */
  crowded: (request: IncomingMessage) => string | undefined;
  /** Seconds after which a client should try again, because too many come at once; 0 lets it in. */
  admit: () => number;
  /** Keeps a place for a connection that is let in. */
  reserve: (request: IncomingMessage) => void;
  /** True if a request belongs to a connection that is there already. */
  isKnown: (sid: string) => boolean;
  /** True if clients must show credentials, which a web page under a forged name does not have. */
  asksForCredentials: boolean;
}

/** Why a handshake is refused before Socket.IO sees it. The body is flat, unlike errors on acknowledgements. */
export interface Refusal {
  status: number;
  reason: 'host' | 'origin' | 'version' | 'crowded' | 'busy' | 'closing';
  body: { code: number; message: string; [field: string]: unknown };
  /** The web origin that may read the reason. */
  origin?: string;
}

/** The refusal of an HTTP request or upgrade to the Engine.IO path, if there is a reason for one. */
export function inspect(request: IncomingMessage, options: GateOptions): Refusal | undefined {
  const refused = findReason(request, options);
  const { origin } = request.headers;
  return refused && origin !== undefined && refused.reason !== 'origin' ? { ...refused, origin } : refused;
}

/** The refusal of a request for the name by which it addresses the Server, whatever its path. */
export function inspectHost({ headers }: IncomingMessage, allowedHosts?: readonly string[]): Refusal | undefined {
  const host = hostname(headers.host);
  if (!allowedHosts || allowedHosts.includes(host)) return undefined;
  return refusal(403, 'host', `This Server does not answer to the name '${host}'; add it to allowedHosts`);
}

function findReason(request: IncomingMessage, options: GateOptions): Refusal | undefined {
  const { headers } = request;
  const { allowedHosts, acceptVersions, requireVersion, closing, crowded, admit, reserve, isKnown } = options;
  const misaddressed = inspectHost(request, allowedHosts);
  if (misaddressed) return misaddressed;
  if (headers.origin !== undefined && !isAllowedOrigin(headers.origin, headers.host, options)) {
    return refusal(403, 'origin', `Pages of '${headers.origin}' may not connect; add it to allowedOrigins`);
  }
  if (isFromForeignPage(headers)) {
    return refusal(403, 'origin', 'Pages of other origins may not connect; add theirs to allowedOrigins');
  }
  const query = queryOf(request);
  // JSONP decodes its packets behind all checks, and lets pages of any origin read them.
  if (query.has('j')) return refusal(400, 'origin', 'JSONP is not supported');
  // The last of several, as Engine.IO takes it.
  const sid = query.getAll('sid').at(-1);
  // Engine.IO refuses an unknown session, but takes an empty one for a new connection.
  if (request.method === 'OPTIONS' || (sid !== undefined && isKnown(sid))) return undefined;
  const problem = checkVersion(query.get(VERSION_QUERY), acceptVersions, requireVersion);
  if (problem) return { status: 400, reason: 'version', body: problem };
  if (closing()) return refusal(503, 'closing', 'The server is shutting down');
  const full = crowded(request);
  if (full !== undefined) return refusal(429, 'crowded', full);
  const seconds = admit();
  if (seconds > 0) return busy(seconds);
  reserve(request);
  return undefined;
}

/** Images and scripts of a page are requested without an origin; browsers say from where in another header. */
function isFromForeignPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return origin === undefined && site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Answers an HTTP request with its refusal. */
export function refuseRequest(response: ServerResponse, refused: Refusal): void {
  response.writeHead(refused.status, headersOf(refused)).end(JSON.stringify(refused.body));
}

/** Answers a WebSocket upgrade with its refusal, as plain HTTP. */
export function refuseUpgrade(socket: Duplex, refused: Refusal): void {
  const body = JSON.stringify(refused.body);
  const headers = { ...headersOf(refused), connection: 'close', 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  // The peer may hang up first.
  socket.on('error', () => {});
  // It may also not hang up at all.
  const timer = setTimeout(() => socket.destroy(), HANG_UP_TIMEOUT_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end([`HTTP/1.1 ${refused.status} ${reasonPhrase(refused.status)}`, ...lines, '', body].join('\r\n'));
}

function checkVersion(given: string | null, lines: readonly string[], required: boolean): Refusal['body'] | undefined {
  if (given === null) {
    return required ? { code: ErrorCode.BadRequest, message: `Missing ${VERSION_QUERY} query parameter` } : undefined;
  }
  try {
    const client = parseVersion(given);
    const versions = lines.map(line => `${line}.0`);
    if (versions.some(version => isCompatible(client, parseVersion(version)))) return undefined;
    const [oldest = '', newest = oldest] = [versions[0], versions.at(-1)];
    const { min_supported } = versionErrorBody(given, oldest);
    return { ...versionErrorBody(given, newest), min_supported };
  } catch (error) {
    if (error instanceof SmcpError) return { code: error.code, message: error.message };
    throw error;
  }
}

function refusal(status: number, reason: Refusal['reason'], message: string): Refusal {
  return { status, reason, body: { code: status, message } };
}

function busy(seconds: number): Refusal {
  const { status, reason, body } = refusal(503, 'busy', `Too many clients connect at once; try again in ${seconds} s`);
  return { status, reason, body: { ...body, retry_after: seconds } };
}

function headersOf({ body, origin }: Refusal): Record<string, string> {
  return {
    'content-type': 'application/json',
    ...(body.retry_after === undefined ? {} : { 'retry-after': String(body.retry_after) }),
    ...(body.code === ErrorCode.VersionMismatch ? { [ERROR_CODE_HEADER]: String(body.code) } : {}),
    ...(origin === undefined
      ? {}
      : {
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers': `${ERROR_CODE_HEADER}, retry-after`,
          vary: 'Origin',
        }),
  };
}

function reasonPhrase(status: number): string {
  return (
    { 400: 'Bad Request', 403: 'Forbidden', 429: 'Too Many Requests', 503: 'Service Unavailable' }[status] ?? 'Error'
  );
}

/**
 * A page of the Server's own origin may connect. Without credentials that is believed of addresses and known names only:
 * any other name may have been pointed at this machine by the page's own DNS server.
 */
function isAllowedOrigin(origin: string, host: string | undefined, options: GateOptions): boolean {
  const { allowedOrigins, allowedHosts, asksForCredentials } = options;
  if (allowedOrigins.includes(origin) || allowedOrigins.includes('*')) return true;
  if (!URL.canParse(origin) || new URL(origin).host !== host) return false;
  const name = hostname(host);
  return asksForCredentials || allowedHosts?.includes(name) === true || loopbackHosts.includes(name) || isAddress(name);
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

function hostname(host: string | undefined): string {
  return (host ?? '').replace(/:\d+$/, '').toLowerCase();
}
