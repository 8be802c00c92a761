import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson } from '@a2c-smcp/core';
import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/node';

/** Bytes of a request. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Messages in one request, which clients of 2025-03-26 may send together. */
const MAX_BATCH_LENGTH = 50;

/** Names of schemes have no case. */
const SCHEME = /^bearer +(.*)$/is;

export interface GuardOptions {
  /** Host names, without port, under which requests are accepted. */
  hostNames: readonly string[];
  token: string;
  path: string;
}

/** Answers requests that may not pass, before their body is read. Returns whether the request passes. */
export function httpGuard({ hostNames, token, path }: GuardOptions) {
  const hostIsKnown = hostHeaderValidation([...hostNames]);
  const originIsKnown = originValidation([...hostNames]);
  const expected = digest(token);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    // Both answer 403 themselves.
    if (!hostIsKnown(request, response) || !originIsKnown(request, response)) return false;
    const [, given = ''] = SCHEME.exec(request.headers.authorization ?? '') ?? [];
    if (!timingSafeEqual(digest(given), expected)) {
      response.setHeader('www-authenticate', 'Bearer');
      refuse(response, 401, "Send the header 'Authorization: Bearer TOKEN' with the token that the bridge printed");
      return false;
    }
    if (request.url?.split('?', 1)[0] === path) return true;
    refuse(response, 404, `MCP is served at ${path}`);
    return false;
  };
}

/** Answers a request with an error and closes its connection, so that an unread body is not waited for. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } });
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
}

export type Body = { value: unknown } | { status: number; problem: string };

/** Reads the JSON body of a request within limits of size, nesting and number. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  if (request.method !== 'POST') return { value: undefined };
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return { status: 415, problem: 'The content type must be application/json' };
  }
  const tooLarge = { status: 413, problem: `The request is larger than ${MAX_BODY_BYTES} bytes` };
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return tooLarge;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return tooLarge;
    parts.push(part);
  }
  try {
    const value = parseJson(Buffer.concat(parts).toString());
    if (Array.isArray(value) && value.length > MAX_BATCH_LENGTH) {
      return { status: 400, problem: `The request has more than ${MAX_BATCH_LENGTH} messages` };
    }
    return { value };
  } catch (error) {
    return { status: 400, problem: error instanceof SyntaxError ? 'The request is not JSON' : String(error) };
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
