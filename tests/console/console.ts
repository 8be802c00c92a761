import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Site } from '@a2c-smcp/console';
import { type ListeningConsole, type OwnerConsoleOptions, openOwnerConsole } from '@a2c-smcp/console/owner';

/** A page for tests of the HTTP side, which need no built ones. */
export function plainSite(): Site {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-site-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>console</title>');
  try {
    return Site.load(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  json<T>(): T;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request with exactly these headers, which `fetch` would not let through. */
export function ask(url: string, path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(new URL(url).origin, { method, path, headers: { ...headers, ...length } }, response => {
      const parts: Buffer[] = [];
      response.on('data', part => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        const { statusCode: status = 0, headers: received } = response;
        resolve({ status, headers: received, body: text, json: () => JSON.parse(text) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A program that has exchanged the address of a console for a session, as a browser does. */
export interface Client extends AsyncDisposable {
  console: ListeningConsole;
  /** The headers of a request from a page of the console. */
  headers: Record<string, string>;
  get<T>(path: string): Promise<T>;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
}

export function tokenOf(address: string): string {
  return new URL(address).hash.replace('#token=', '');
}

/** Opens the console of a Computer, and a session in it. */
export async function openClient(options: OwnerConsoleOptions): Promise<Client> {
  const console = await openOwnerConsole({ files: plainSite(), ...options });
  const { origin } = new URL(console.url);
  const page = { origin, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ token: tokenOf(console.issueAddress()) });
  const { headers: received } = await ask(console.url, '/api/session', { method: 'POST', headers: page, body });
  const cookie = received['set-cookie']?.[0]?.split(';')[0] ?? '';
  const headers = { ...page, cookie };
  return {
    console,
    headers,
    async get<T>(path: string) {
      const { status, body: text } = await ask(console.url, `/api/v1${path}`, { headers: { cookie } });
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      return JSON.parse(text) as T;
    },
    send: (method, path, content) =>
      ask(console.url, `/api/v1${path}`, { method, headers, body: JSON.stringify(content ?? {}) }),
    [Symbol.asyncDispose]: () => console.close(),
  };
}
