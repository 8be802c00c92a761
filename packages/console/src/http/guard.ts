import type { IncomingMessage } from 'node:http';

/** Why a request is refused. */
export interface Refusal {
  status: number;
  message: string;
}

/** The value of `Sec-Fetch-Site` when the page of another site is behind a request. */
const FOREIGN_SITES: readonly (string | undefined)[] = ['cross-site', 'same-site'];

/**
 * Refuses what a page of another site, or a name that was pointed at this machine, could send. Runs before anything else,
 * on every path.
 *
 * @param origins under which the console is reached, as in `http://127.0.0.1:7300`
 */
export function refusalOf(request: IncomingMessage, origins: readonly string[]): Refusal | undefined {
  const { host, origin, upgrade } = request.headers;
  const own = origins.find(candidate => hostOf(candidate) === host?.toLowerCase());
  if (own === undefined) return { status: 403, message: 'The console is not served under this host name' };
  if (origin !== undefined && origin !== own) {
    return { status: 403, message: 'Pages of other sites may not use the console' };
  }
  const site = headerOf(request, 'sec-fetch-site');
  if (FOREIGN_SITES.includes(site)) return { status: 403, message: 'Pages of other sites may not use the console' };
  if (upgrade !== undefined) return { status: 400, message: 'The console has no WebSocket' };
  if (/[?&]token(=|&|$)/i.test(request.url ?? '')) {
    return { status: 400, message: 'A token belongs behind the # of the address, never into its query' };
  }
  return isRead(request) ? undefined : writeRefusal(request, site);
}

/** Refuses a change that no page of the console has sent: forms have neither this content type nor these headers. */
function writeRefusal(request: IncomingMessage, site: string | undefined): Refusal | undefined {
  const { origin, authorization } = request.headers;
  // A program sends its credentials itself; a browser adds cookies to the requests of any page.
  const isProgram = authorization !== undefined;
  if (!isProgram && origin === undefined) return { status: 403, message: "The header 'Origin' is missing" };
  if (!isProgram && site !== undefined && site !== 'same-origin') {
    return { status: 403, message: 'Pages of other sites may not use the console' };
  }
  const hasBody = request.headers['content-length'] !== '0' && request.method !== 'DELETE';
  if (hasBody && !/^application\/json(;|$)/i.test(request.headers['content-type'] ?? '')) {
    return { status: 415, message: 'The content type must be application/json' };
  }
  return undefined;
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function hostOf(origin: string): string {
  return new URL(origin).host;
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
