import { within } from '@a2c-smcp/core';
import {
  type FetchLike,
  type JSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { UpstreamAuthError } from '../../oauth/errors.ts';
import type { ServerAuth } from '../../oauth/server-auth.ts';
import { limitBody } from './body-limit.ts';
import { boundMessages } from './message-bounds.ts';
import { asSent, ticketOf } from './sdk.ts';
import type { McpTransport } from './transport.ts';

export interface HttpTransportOptions {
  url: URL;
  headers: Record<string, string>;
  /** Milliseconds until the answer to an HTTP request begins. */
  timeout: number;
  /** Milliseconds without an answer or progress after which a tool call fails. */
  silenceTimeout: number;
  /** Has the tokens for requests. Undefined if the credentials are part of `headers`. */
  auth: ServerAuth | undefined;
}

/** MCP over a stream of server-sent events and POSTs beside it, as servers before 2025 do. */
export class SseTransport extends SSEClientTransport implements McpTransport {
  readonly silenceTimeout: number;

  constructor({ url, headers, timeout, silenceTimeout, auth }: HttpTransportOptions) {
    super(url, { requestInit: { headers }, fetch: authorisedFetch(limitedFetch(timeout), auth) });
    this.silenceTimeout = silenceTimeout;
    boundMessages(this);
  }

  override send(message: JSONRPCMessage): Promise<void> {
    return super.send(asSent(message));
  }
}

export interface StreamableTransportOptions extends HttpTransportOptions {
  /** Milliseconds for a list or a read. */
  requestTimeout: number;
  /** True to end the session on the server when closing. */
  terminateOnClose: boolean;
}

/**
 * Reopens the stream of the server's own messages for as long as the connection lives: once given up, notifications
 * would be lost without a sign. Milliseconds.
 */
const STREAM_RECONNECTION = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: Number.POSITIVE_INFINITY,
};

/** How long to wait for a server to end a session; closing goes on without its answer. */
const TERMINATE_TIMEOUT_MS = 2000;

/** MCP over HTTP requests that may answer with a stream. */
export class StreamableTransport extends StreamableHTTPClientTransport implements McpTransport {
  onRequestEnd?: (ticket: number) => void;
  onServerStream?: () => void;
  readonly carriesHeaders = true;
  readonly requestTimeout: number;
  readonly silenceTimeout: number;
  readonly #terminateOnClose: boolean;

  constructor(options: StreamableTransportOptions) {
    const { url, headers, timeout, requestTimeout, silenceTimeout, terminateOnClose, auth } = options;
    const authorised = authorisedFetch(limitedFetch(timeout), auth);
    const fetch: FetchLike = async (target, init) => {
      const response = await authorised(target, init);
      if (init?.method === 'GET' && response.ok) this.onServerStream?.();
      return response;
    };
    super(url, { requestInit: { headers }, fetch, reconnectionOptions: STREAM_RECONNECTION });
    this.requestTimeout = requestTimeout;
    this.silenceTimeout = silenceTimeout;
    this.#terminateOnClose = terminateOnClose;
    boundMessages(this);
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: TransportSendOptions): Promise<void> {
    if (Array.isArray(message)) return super.send(message.map(asSent), options);
    const ticket = ticketOf(message);
    const watch = ticket === undefined ? {} : { onRequestStreamEnd: () => this.onRequestEnd?.(ticket) };
    return super.send(asSent(message), { ...options, ...watch });
  }

  override async close(): Promise<void> {
    if (this.#terminateOnClose && this.sessionId !== undefined) {
      // Fails when the server is gone or does not end sessions.
      await within(this.terminateSession(), { timeout: TERMINATE_TIMEOUT_MS }).catch(() => {});
    }
    await super.close();
  }
}

/** A fetch with limits of time and size. */
function limitedFetch(timeout: number): FetchLike {
  return async (url, init) => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new Error(`No answer within ${timeout} ms`)), timeout);
    try {
      const signal = init?.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal;
      return limitBody(await fetch(url, { ...init, signal }));
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Adds a token, and repeats a request that was refused once if there is another one. The bodies of refusals are dropped: they
 * may hold tokens.
 */
function authorisedFetch(send: FetchLike, auth: ServerAuth | undefined): FetchLike {
  return async (url, init) => {
    const token = await auth?.token();
    const first = await send(url, withToken(init, token));
    if (!isRefusal(first)) {
      auth?.accept();
      return first;
    }
    await first.body?.cancel();
    if (!auth) throw refusedError(first.status);
    const next = await (first.status === 401 ? auth.renewed(first, token) : auth.widened(first));
    const second = await send(url, withToken(init, next));
    if (!isRefusal(second)) return second;
    await second.body?.cancel();
    // Above all, one that wants another scope: a person can grant it.
    if (second.status === 403) await auth.widened(second);
    throw auth.refuse(second.status);
  };
}

function isRefusal({ status }: Response): boolean {
  return status === 401 || status === 403;
}

function refusedError(status: number): UpstreamAuthError {
  const message = `The MCP server refused access (HTTP ${status})`;
  return new UpstreamAuthError(status === 401 ? 'required' : 'refused', message);
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}
