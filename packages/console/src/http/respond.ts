import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { parseJson } from '@a2c-smcp/core';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** An answer other than success. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** An answer that is not JSON. The type must be one that no browser runs. */
export class BinaryAnswer {
  readonly contentType: string;
  readonly bytes: Buffer;

  constructor(contentType: string, bytes: Buffer) {
    this.contentType = contentType;
    this.bytes = bytes;
  }
}

/** Bytes of a request. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Nothing but the scripts and styles of the console runs in its pages, and no text becomes markup. Pictures and sounds of
 * results are data URLs.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  'media-src data:',
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const SAFE_HEADERS: OutgoingHttpHeaders = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

export function send(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders = {},
  body: string | Buffer = '',
): void {
  response.writeHead(status, { ...SAFE_HEADERS, 'cache-control': 'no-store', ...headers }).end(body);
}

export function sendJson(response: ServerResponse, value: unknown, headers: OutgoingHttpHeaders = {}): void {
  if (value === undefined) send(response, 204, headers);
  else send(response, 200, { 'content-type': 'application/json; charset=utf-8', ...headers }, JSON.stringify(value));
}

/** Sends what an API returned. */
export function sendAnswer(response: ServerResponse, value: unknown): void {
  if (value instanceof BinaryAnswer) send(response, 200, { 'content-type': value.contentType }, value.bytes);
  else sendJson(response, value);
}

/** Answers with an error and closes the connection, so that an unread body is not waited for. */
export function refuse(response: ServerResponse, status: number, message: string, code = status): void {
  const body = JSON.stringify({ error: { code, message } });
  const headers = { 'content-type': 'application/json; charset=utf-8', connection: 'close' };
  send(response, status, headers, body);
}

/** Answers with what was thrown. Errors that are not answers must be logged by the caller, who gets false. */
export function refuseWith(response: ServerResponse, error: unknown): boolean {
  if (error instanceof HttpError) refuse(response, error.status, error.message);
  else if (error instanceof SmcpError) refuse(response, statusOf(error.code), error.message, error.code);
  else {
    refuse(response, 500, 'Internal error');
    return false;
  }
  return true;
}

/** Codes of the protocol for something that is not there. */
const MISSING: readonly number[] = [
  ErrorCode.ToolNotFound,
  ErrorCode.McpServerNotFound,
  ErrorCode.OfficeNotFound,
  ErrorCode.DocumentNotFound,
  ErrorCode.PageOutOfRange,
  ErrorCode.ElementNotFound,
];

/** The other codes of the protocol above 1,000 have no status of their own. */
function statusOf(code: number): number {
  if (MISSING.includes(code)) return 404;
  return code >= 400 && code < 600 ? code : 422;
}

/** The JSON of a request within limits of size and nesting; undefined if it has no body. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new HttpError(413, `The request is larger than ${MAX_BODY_BYTES} bytes`);
    parts.push(part);
  }
  if (size === 0) return undefined;
  try {
    return parseJson(Buffer.concat(parts).toString());
  } catch (error) {
    const message = error instanceof SmcpError ? error.message : 'The request is not JSON';
    throw new HttpError(400, message, { cause: error });
  }
}
