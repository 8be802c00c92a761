import { limitSignal, VERSION, within } from '@a2c-smcp/core';
import {
  Client,
  type ClientCapabilities,
  type PriorDiscovery,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import type * as z from 'zod';
import { rawMethod } from '../transport/sdk.ts';
import type { McpTransport } from '../transport/transport.ts';

const CLIENT_INFO = { name: 'a2c-smcp-computer', version: VERSION };

export interface RawClientOptions {
  /** `auto` asks the server whether it speaks the protocol of 2026. */
  protocol: 'legacy' | 'auto';
  /** Milliseconds from the start to the end of the handshake. */
  startTimeout: number;
  capabilities: ClientCapabilities;
}

/** The SDK's client over a transport: the handshake, and requests whose results are as the server sent them. */
export class RawClient {
  readonly sdk: Client;
  readonly #transport: McpTransport;
  readonly #startTimeout: number;
  /** Pending requests by ticket. */
  readonly #requests = new Map<number, AbortController>();
  #lastTicket = 0;

  constructor(transport: McpTransport, { protocol, startTimeout, capabilities }: RawClientOptions) {
    this.#transport = transport;
    this.#startTimeout = startTimeout;
    const probe = { timeoutMs: probeTimeout(transport, startTimeout) };
    this.sdk = new Client(CLIENT_INFO, { capabilities, versionNegotiation: { mode: protocol, probe } });
    transport.onRequestEnd = ticket => {
      const reason = new SdkError(SdkErrorCode.ConnectionClosed, 'The stream of the answer ended');
      // An answer that came with the end of the stream is handled first.
      setImmediate(() => this.#requests.get(ticket)?.abort(reason));
    };
  }

  /** Performs the handshake, and `prepare` within the same limit. Closes the transport when that fails. */
  async connect(signal: AbortSignal, prior: PriorDiscovery | undefined, prepare: () => Promise<void>): Promise<void> {
    const timeout = this.#startTimeout;
    const limit = limitSignal(signal, timeout);
    const closeTransport = () => void this.#transport.close();
    limit.addEventListener('abort', closeTransport, { once: true });
    try {
      const options = { timeout, signal: limit, ...(prior ? { prior } : {}) };
      // SSEClientTransport.start (client 2.4) never settles when it is closed before the server has answered.
      await within(this.sdk.connect(this.#transport, options), { signal: limit });
      if (this.sdk.getProtocolEra() === 'modern') this.#completeResults();
      await prepare();
      limit.throwIfAborted();
    } catch (cause) {
      await this.#transport.close().catch(() => {});
      signal.throwIfAborted();
      if (limit.aborted) throw new Error(`It did not finish the MCP handshake within ${timeout} ms`, { cause });
      const { failure } = this.#transport;
      throw failure === undefined ? cause : new Error(`${failure} during the MCP handshake`, { cause });
    } finally {
      limit.removeEventListener('abort', closeTransport);
    }
  }

  /** Adds `resultType` to results that lack it: MCP has clients take them for complete, and the SDK refuses them. */
  #completeResults(): void {
    const transport = this.#transport;
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      const isBare = 'result' in message && message.result.resultType === undefined;
      onmessage?.(isBare ? { ...message, result: { ...message.result, resultType: 'complete' } } : message, extra);
    };
  }

  async request<S extends z.ZodType>(
    method: string,
    params: Record<string, unknown>,
    schema: S,
    { signal, ...options }: RequestOptions,
  ): Promise<z.infer<S>> {
    const ticket = this.#lastTicket++;
    const ended = new AbortController();
    this.#requests.set(ticket, ended);
    const stop = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
    const request = { method: rawMethod(method, ticket), params };
    try {
      return (await this.sdk.request(request, schema, { ...options, signal: stop })) as z.infer<S>;
    } finally {
      this.#requests.delete(ticket);
    }
  }

  async close(): Promise<void> {
    await this.sdk.close();
    // The client drops a transport that closed by itself, but its processes must be gone when this resolves.
    await this.#transport.close();
  }
}

/** True if a server ended at the probe: those made with old SDKs do when anything comes before `initialize`. */
export function endedByProbe(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof SdkError && cause.code === SdkErrorCode.EraNegotiationFailed;
}

/** A process may ignore a probe, which must leave time for the handshake that follows; over HTTP silence is an outage. */
function probeTimeout({ probeTimeout: limit }: McpTransport, startTimeout: number): number {
  return limit === undefined ? startTimeout : Math.min(limit, startTimeout / 2);
}
