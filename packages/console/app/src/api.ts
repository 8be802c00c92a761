import { signal } from '@preact/signals';

/** A request that was answered with an error, or not at all. */
export class ApiError extends Error {
  /** 0 when nothing answered. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** `none`: this browser has no session, and must open the address that the console printed. */
export const session = signal<'unknown' | 'open' | 'none'>('unknown');

/** Exchanges the token of the address for a session, and removes it from the address bar and the history. */
export async function openSession(): Promise<void> {
  const [, token] = /^#token=([\w-]+)/.exec(location.hash) ?? [];
  if (token !== undefined) {
    history.replaceState(null, '', `${location.pathname}#/`);
    dispatchEvent(new HashChangeEvent('hashchange'));
    // A token that was used before does no harm: this browser may have a session already.
    await request('POST', '/api/session', { token }).catch(() => undefined);
  }
}

/** A new address in the same tab changes the part behind the # only, which loads nothing by itself. */
export function followAddress(): void {
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#token=')) void openSession().then(() => location.reload());
  });
}

/** An address that opens this console in another browser. */
export async function issueAddress(): Promise<string> {
  const { address } = (await request('POST', '/api/session/address', {})) as { address: string };
  return address;
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return request('GET', `/api/v1${path}`, undefined, signal) as Promise<T>;
}

export function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  return request('POST', `/api/v1${path}`, body, signal) as Promise<T>;
}

export function put<T>(path: string, body: unknown): Promise<T> {
  return request('PUT', `/api/v1${path}`, body) as Promise<T>;
}

export function remove<T>(path: string): Promise<T> {
  return request('DELETE', `/api/v1${path}`) as Promise<T>;
}

/** A path with its parts encoded. */
export function path(...parts: readonly (string | number)[]): string {
  return `/${parts.map(part => encodeURIComponent(part)).join('/')}`;
}

async function request(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  let response: Response;
  try {
    response = await fetch(url, { method, credentials: 'same-origin', ...content, ...(signal ? { signal } : {}) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, '');
  }
  if (response.status === 401 && url !== '/api/session') session.value = 'none';
  const text = await response.text();
  const value: unknown = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return value;
  const { error } = (value ?? {}) as { error?: { message?: string } };
  throw new ApiError(response.status, error?.message ?? response.statusText);
}
