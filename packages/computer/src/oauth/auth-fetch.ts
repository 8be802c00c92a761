import { limitSignal } from '@a2c-smcp/core';
import type { FetchLike } from '@modelcontextprotocol/client';
import { AuthServerError } from './errors.ts';

/** Milliseconds for one answer of an authorization server. */
const TIMEOUT_MS = 15_000;
/** Bytes of one answer. */
const MAX_BODY_LENGTH = 1024 * 1024;

/**
 * A fetch for requests to authorization servers: encrypted unless all of it stays on this machine, bounded in time and size.
 *
 * @param serverUrl the MCP server, whose own documents come the way that it does
 */
export function authFetch(serverUrl: URL, signal?: AbortSignal): FetchLike {
  return async (target, init) => {
    const url = new URL(target);
    requireSafeUrl(url, serverUrl);
    const given = [signal, init?.signal].filter(each => each instanceof AbortSignal);
    let response: Response;
    try {
      const limit = limitSignal(AbortSignal.any(given), TIMEOUT_MS);
      response = await limited(await fetch(url, { ...init, signal: limit }));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof AuthServerError) throw error;
      throw new AuthServerError(`'${url.origin}' does not answer`, { isOutage: true });
    }
    if (response.status < 500) return response;
    throw new AuthServerError(`'${url.origin}' is out of order (HTTP ${response.status})`, { isOutage: true });
  };
}

/** Throws if the address could be read on its way, or is none for a browser. */
export function requireSafeUrl(url: URL, serverUrl: URL): void {
  const isLocal = isLoopback(url) && isLoopback(serverUrl);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && (isLocal || url.origin === serverUrl.origin))) return;
  throw new AuthServerError(
    `'${url.protocol}//${url.host}' is no https address, which an authorization server must have`,
  );
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Reads the body with a limit. These answers are short, and all of them are needed as a whole. */
async function limited(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_BODY_LENGTH) throw new AuthServerError('An authorization server sent too much');
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  const body = [204, 205, 304].includes(status) ? null : Buffer.concat(chunks);
  return new Response(body, { status, statusText, headers });
}
