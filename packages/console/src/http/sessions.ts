import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Addresses that were issued and not used yet; the oldest are dropped. */
const MAX_TOKENS = 20;
const MAX_SESSIONS = 200;
/** A browser keeps its cookie beyond its own end, so that a console that runs on stays open to it. */
const COOKIE_SECONDS = 7 * 24 * 3600;

/** One-time tokens, and the browsers that have exchanged one. Only sums are kept. */
export class Sessions {
  readonly #tokens = new Set<string>();
  readonly #sessions = new Set<string>();

  /** A token for one browser. */
  issue(): string {
    const token = randomBytes(32).toString('base64url');
    add(this.#tokens, sumOf(token), MAX_TOKENS);
    return token;
  }

  /** The secret of a new session, or undefined when the token is unknown or was used. */
  exchange(token: string): string | undefined {
    if (!this.#tokens.delete(sumOf(token))) return undefined;
    const secret = randomBytes(32).toString('base64url');
    add(this.#sessions, sumOf(secret), MAX_SESSIONS);
    return secret;
  }

  /** True if the cookie of a request belongs to a session. */
  has(request: IncomingMessage): boolean {
    return secretsOf(request).some(secret => this.#sessions.has(sumOf(secret)));
  }

  end(request: IncomingMessage): void {
    for (const secret of secretsOf(request)) this.#sessions.delete(sumOf(secret));
  }
}

/** The header that stores a secret in the browser; an empty secret removes it. */
export function cookieHeader(request: IncomingMessage, secret: string): string {
  const secure = 'encrypted' in request.socket ? '; Secure' : '';
  const age = secret === '' ? 0 : COOKIE_SECONDS;
  return `${cookieName(request)}=${secret}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}

/** Cookies ignore ports: without it in the name, two consoles of one machine would overwrite each other's. */
function cookieName({ headers: { host = '' } }: IncomingMessage): string {
  return `a2c_console_${/:(\d+)$/.exec(host)?.[1] ?? 'default'}`;
}

function secretsOf(request: IncomingMessage): string[] {
  const name = cookieName(request);
  const pairs = (request.headers.cookie ?? '').split(';').map(pair => pair.trim().split('='));
  return pairs.flatMap(([key, value]) => (key === name && value ? [value] : []));
}

function add(set: Set<string>, value: string, limit: number): void {
  set.add(value);
  const [oldest = ''] = set;
  if (set.size > limit) set.delete(oldest);
}

/** Looking up a sum tells nothing about a secret by the time it takes. */
function sumOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
