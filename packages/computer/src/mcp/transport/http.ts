import { within } from '@a2c-smcp/core';
import {
  type FetchLike,
  type JSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { limitBody } from './body-limit.ts';
import { boundMessages } from './message-bounds.ts';
import { asSent, ticketOf } from './sdk.ts';
import type { McpTransport } from './transport.ts';

/** HTTP 401 or 403 of an MCP server. The body is dropped: it may hold tokens. */
export class UpstreamAuthError extends Error {
  override readonly name = 'UpstreamAuthError';
  readonly status: number;

  constructor(status: number) {
    super(`The MCP server refused access (HTTP ${status})`);
    this.status = status;
  }
}

export interface HttpTransportOptions {
  url: URL;
  headers: Record<string, string>;
  /** Milliseconds until the answer to an HTTP request begins. */
  timeout: number;
  /** Milliseconds without an answer or progress after which a tool call fails. */
  silenceTimeout: number;
}

/** MCP over a stream of server-sent events and POSTs beside it, as servers before 2025 do. */
export class SseTransport extends SSEClientTransport implements McpTransport {
  readonly silenceTimeout: number;

  constructor({ url, headers, timeout, silenceTimeout }: HttpTransportOptions) {
    super(url, { requestInit: { headers }, fetch: limitedFetch(timeout) });
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
  /** Whether to end the session on the server when closing. */
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
    const { url, headers, timeout, requestTimeout, silenceTimeout, terminateOnClose } = options;
    const limited = limitedFetch(timeout);
    const fetch: FetchLike = async (target, init) => {
      const response = await limited(target, init);
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

/** A fetch with limits of time and size that reports a refusal by its status alone. */
function limitedFetch(timeout: number): FetchLike {
  return async (url, init) => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new Error(`No answer within ${timeout} ms`)), timeout);
    try {
      const signal = init?.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal;
      const response = await fetch(url, { ...init, signal });
      if (response.status === 401 || response.status === 403) {
        await response.body?.cancel();
        throw new UpstreamAuthError(response.status);
      }
      return limitBody(response);
    } finally {
      clearTimeout(timer);
    }
  };
}
