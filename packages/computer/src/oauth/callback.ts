import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuthServerError } from './errors.ts';

/** The result with which an authorization server redirected the browser. */
export interface CallbackResult {
  code: string;
  iss: string | undefined;
}

export interface CallbackOptions {
  /** The whole address, for clients that are registered with one. @default `path` at `port` */
  redirectUri?: string | undefined;
  /** @default a random one */
  path?: string | undefined;
  /** @default any that is free */
  port?: number | undefined;
}

/** Errors of RFC 6749 that a person may cause. Others are shown by their code. */
const DENIED = 'access_denied';

const SECURITY_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Listens on this machine for the one return of a browser. Nothing of what it sends is ever shown. */
export class Callback implements AsyncDisposable {
  readonly redirectUri: string;
  readonly port: number;
  /** Comes back with the result, so that nobody else can bring one. */
  readonly state = randomBytes(32).toString('base64url');
  /** Settles when the browser has returned, or its address was pasted. */
  readonly result: Promise<CallbackResult>;
  readonly #server: Server;
  readonly #pages = new Set<ServerResponse>();
  #resolve: (result: CallbackResult) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #isUsed = false;

  private constructor(server: Server, redirectUri: string, port: number) {
    this.#server = server;
    this.redirectUri = redirectUri;
    this.port = port;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.result.catch(() => {});
    server.on('request', (request, response) => this.#serve(request, response));
  }

  static async open({ redirectUri, path = randomPath(), port = 0 }: CallbackOptions): Promise<Callback> {
    const fixed = redirectUri === undefined ? undefined : new URL(redirectUri);
    const wanted = fixed ? Number(fixed.port || 80) : port;
    const server = createServer();
    // The remembered port may be taken by now, which only a registered address minds.
    const isTaken = await listen(server, wanted).then(
      () => false,
      () => true,
    );
    if (isTaken && (fixed || wanted === 0)) {
      throw new Error(`Port ${wanted} of this machine is taken: the browser cannot return there`);
    }
    if (isTaken) await listen(server, 0);
    const { port: taken } = server.address() as AddressInfo;
    return new Callback(server, redirectUri ?? `http://127.0.0.1:${taken}${path}`, taken);
  }

  /** Takes the address that a browser on another machine was sent to. Throws if it is none of this sign-in. */
  paste(address: string): void {
    const text = address.trim();
    const given = URL.canParse(text) ? new URL(text) : undefined;
    if (given?.pathname !== new URL(this.redirectUri).pathname || !this.#isOurs(given.searchParams)) {
      throw new TypeError(`That is not the address of this sign-in: it starts with ${this.redirectUri}?`);
    }
    this.#take(given.searchParams);
  }

  /** Answers the browser, which waits for the outcome. */
  finish(isSignedIn: boolean): void {
    for (const page of this.#pages) page.writeHead(isSignedIn ? 200 : 400, SECURITY_HEADERS).end(pageOf(isSignedIn));
    this.#pages.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.finish(false);
    const closed = new Promise(resolve => this.#server.close(resolve));
    this.#server.closeIdleConnections();
    setTimeout(() => this.#server.closeAllConnections(), 1000).unref();
    await closed;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('connection', 'close');
    // Split, not parsed: a malformed address must not throw here.
    const [path, query] = (request.url ?? '').split('?', 2);
    const isHere = request.method === 'GET' && path === new URL(this.redirectUri).pathname;
    if (!isHere || this.#isUsed) return void response.writeHead(404, SECURITY_HEADERS).end();
    const searchParams = new URLSearchParams(query);
    // Another page of this machine may guess the address. It must not end the sign-in.
    if (!this.#isOurs(searchParams)) return void response.writeHead(400, SECURITY_HEADERS).end(pageOf(false));
    this.#pages.add(response);
    this.#take(searchParams);
  }

  #isOurs(params: URLSearchParams): boolean {
    const [given, expected] = [params.get('state') ?? '', this.state].map(text => Buffer.from(text));
    return (
      given !== undefined &&
      expected !== undefined &&
      given.length === expected.length &&
      timingSafeEqual(given, expected)
    );
  }

  #take(params: URLSearchParams): void {
    if (this.#isUsed) return;
    this.#isUsed = true;
    const code = params.get('code');
    const error = params.get('error') ?? 'none';
    if (code) this.#resolve({ code, iss: params.get('iss') ?? undefined });
    else if (error === DENIED)
      this.#reject(new AuthServerError('Access was denied on the sign-in page', { code: DENIED }));
    else {
      const known = /^[a-z_]{1,40}$/.test(error) ? error : 'unknown';
      this.#reject(new AuthServerError(`The authorization server ended the sign-in with '${known}'`, { code: known }));
    }
  }
}

function randomPath(): string {
  return `/callback/${randomBytes(16).toString('base64url')}`;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function pageOf(isSignedIn: boolean): string {
  const [title, text] = isSignedIn
    ? ['Signed in', 'You may close this page.']
    : ['Not signed in', 'The Computer says why. You may close this page.'];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<title>${title}</title><body style="font-family:system-ui,sans-serif;margin:20vh auto;max-width:24rem;text-align:center">
<h1>${title}</h1><p>${text}</p></body></html>`;
}
