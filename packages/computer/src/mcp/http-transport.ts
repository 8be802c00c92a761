import {
  type FetchLike,
  type JSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { limitBody } from './body-limit.ts';
import { boundMessages } from './message-bounds.ts';
import { asSent, ticketOf } from './raw-method.ts';

/** An MCP server's refusal to serve us: the only thing its 401 or 403 says for sure. */
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
}

/** MCP over a stream of server-sent events and POSTs beside it, as servers before 2025 do. */
export class SseTransport extends SSEClientTransport {
  constructor({ url, headers, timeout }: HttpTransportOptions) {
    super(url, { requestInit: { headers }, fetch: limitedFetch(timeout) });
    boundMessages(this);
  }

  override send(message: JSONRPCMessage): Promise<void> {
    return super.send(asSent(message));
  }
}

export interface StreamableTransportOptions extends HttpTransportOptions {
  /** Whether closing tells the server that the session is over. */
  terminateOnClose: boolean;
}

/**
 * The stream of a server's own messages is opened again for as long as the connection lives: once given up, its
 * announcements would be lost without a sign. Milliseconds.
 */
const RECONNECT = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: Number.POSITIVE_INFINITY,
};

/** How long a server may take to end a session, in milliseconds. It is told, not asked. */
const FAREWELL = 2000;

/** MCP over HTTP requests that may answer with a stream. */
export class StreamableTransport extends StreamableHTTPClientTransport {
  /** Called when nothing more comes for a request, be it answered or not. */
  onStreamEnd?: (ticket: number) => void;
  /** Called whenever a stream of the server's own messages was opened: what it said before may not have arrived. */
  onOwnStream?: () => void;
  readonly #terminateOnClose: boolean;

  constructor({ url, headers, timeout, terminateOnClose }: StreamableTransportOptions) {
    const limited = limitedFetch(timeout);
    const fetch: FetchLike = async (target, init) => {
      const response = await limited(target, init);
      if (init?.method === 'GET' && response.ok) this.onOwnStream?.();
      return response;
    };
    super(url, { requestInit: { headers }, fetch, reconnectionOptions: RECONNECT });
    this.#terminateOnClose = terminateOnClose;
    boundMessages(this);
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: TransportSendOptions): Promise<void> {
    if (Array.isArray(message)) return super.send(message.map(asSent), options);
    const ticket = ticketOf(message);
    const watch = ticket === undefined ? {} : { onRequestStreamEnd: () => this.onStreamEnd?.(ticket) };
    return super.send(asSent(message), { ...options, ...watch });
  }

  override async close(): Promise<void> {
    if (this.#terminateOnClose && this.sessionId !== undefined) {
      const patience = new Promise(resolve => setTimeout(resolve, FAREWELL).unref());
      // A server that is gone or does not end sessions has nothing to be told.
      await Promise.race([this.terminateSession().catch(() => {}), patience]);
    }
    await super.close();
  }
}

/** A fetch that does not wait for ever, reads no endless message and tells a refusal by its status alone. */
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

/** The first stream is opened beside the first requests, so little can be missed; any later one follows a gap. */
export function followOwnStream(transport: StreamableTransport, onFirst: () => void, onLater: () => void): void {
  let onStream = onFirst;
  transport.onOwnStream = () => {
    onStream();
    onStream = onLater;
  };
}
