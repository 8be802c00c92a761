import { type Logger, limitSignal } from '@a2c-smcp/core';
import { Resource } from '@a2c-smcp/protocol';
import {
  Client,
  type PriorDiscovery,
  type ProtocolEra,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  type ServerCapabilities,
  SseError,
} from '@modelcontextprotocol/client';
import type * as z from 'zod';
import { interruptible } from '../interruptible.ts';
import type { Interruption } from '../interruption.ts';
import { DirectCalls } from './direct-calls.ts';
import { followOwnStream, StreamableTransport } from './http-transport.ts';
import { collectPages, lists } from './list-pages.ts';
import { McpTool, RawResult, ResourcePage, ResourceTemplate, readable, TemplatePage, ToolPage } from './mcp-schemas.ts';
import { rawMethod } from './raw-method.ts';
import { type ResourceWatch, startResourceWatch } from './resource-watch.ts';
import { StdioTransport } from './stdio-transport.ts';
import type { McpTransport } from './transports.ts';

const IDENTITY = { name: 'a2c-smcp-computer', version: '0.1.0' };

/** What a connection reports. Each may come at any time until the connection is closed. */
export interface McpConnectionEvents {
  toolsChanged(): void;
  resourcesChanged(): void;
  resourceUpdated(uri: string): void;
  /** Updates of resources may have been missed. */
  updatesMissed(): void;
  /** Something went wrong that may or may not be the end; a round trip would tell. */
  trouble(error: Error): void;
  /** The connection is over and was not closed from here. */
  lost(reason: string): void;
}

export interface McpConnectionOptions {
  events: McpConnectionEvents;
  /** `auto` asks the server whether it speaks the protocol of 2026. */
  protocol: 'legacy' | 'auto';
  /** What an earlier connection learned about the server's era. */
  prior?: PriorDiscovery;
  /** Milliseconds until the handshake must be over. */
  startTimeout: number;
  /** Milliseconds that a list, a read or a ping may take. */
  requestTimeout: number;
  signal: AbortSignal;
  logger: Logger;
}

export interface ToolCallOptions {
  /** Milliseconds after which the call is over, whatever happens. */
  timeout: number;
  /** Milliseconds without an answer or progress after which the call is given up. @default timeout */
  silence?: number;
  /** Happens at the latest after `timeout`. */
  interruption: Interruption;
}

/** One page of an MCP server's resources. */
export interface ResourceList {
  resources: Resource[];
  nextCursor?: string | null | undefined;
}

/**
 * One live session with one MCP server, of either era. There is no unconnected state: `open` either returns a working
 * connection or throws, and a closed one stays closed. Results pass through as the server sent them.
 */
export class McpConnection implements AsyncDisposable {
  /** What to hand to the next `open`, so that it need not probe again. */
  readonly verdict: PriorDiscovery;
  readonly #client: Client;
  readonly #transport: McpTransport;
  readonly #requestTimeout: number;
  readonly #watch: ResourceWatch;
  readonly #direct: DirectCalls | undefined;
  /** Requests over HTTP that are not answered yet, by their ticket. */
  readonly #underWay = new Map<number, AbortController>();
  #tickets = 0;
  #closing = false;
  #lastAnswer = Date.now();

  private constructor(client: Client, transport: McpTransport, watch: ResourceWatch, options: McpConnectionOptions) {
    this.#client = client;
    this.#transport = transport;
    this.#watch = watch;
    this.#requestTimeout = options.requestTimeout;
    const discover = client.getDiscoverResult();
    this.verdict = discover ? { kind: 'modern', discover } : { kind: 'legacy' };
    if (transport instanceof StreamableTransport) transport.onStreamEnd = ticket => this.#interrupt(ticket);
    const isPlain = transport instanceof StdioTransport && this.era === 'legacy';
    this.#direct = isPlain ? new DirectCalls(transport) : undefined;
    client.onclose = () => {
      this.#direct?.close();
      if (!this.#closing) options.events.lost(lossReason(transport));
    };
    client.onerror = error => {
      if (this.#closing) return;
      // The stream is the session: another one, which is opened by itself, belongs to nobody that the server knows.
      if (error instanceof SseError) options.events.lost('The event stream was interrupted');
      else options.events.trouble(error);
    };
  }

  static async open(transport: McpTransport, options: McpConnectionOptions): Promise<McpConnection> {
    const { events, protocol, prior, startTimeout, signal, logger } = options;
    signal.throwIfAborted();
    const probe = { timeoutMs: probeTimeout(transport, startTimeout) };
    const client = new Client(IDENTITY, { versionNegotiation: { mode: protocol, probe } });
    client.setNotificationHandler('notifications/tools/list_changed', () => events.toolsChanged());
    client.setNotificationHandler('notifications/resources/list_changed', () => events.resourcesChanged());
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      events.resourceUpdated(params.uri),
    );
    const limit = limitSignal(signal, startTimeout);
    const giveUp = () => void transport.close();
    const onGap = () => {
      events.toolsChanged();
      events.resourcesChanged();
      events.updatesMissed();
    };
    if (transport instanceof StreamableTransport) followOwnStream(transport, events.updatesMissed, onGap);
    limit.addEventListener('abort', giveUp, { once: true });
    try {
      const connected = client.connect(transport, {
        timeout: startTimeout,
        signal: limit,
        ...(prior ? { prior } : {}),
      });
      // SSEClientTransport.start (client 2.4) never settles when it is closed before the server has answered.
      await interruptible(connected, limit);
      const watch = await startResourceWatch(client, { logger, onGap });
      limit.throwIfAborted();
      return new McpConnection(client, transport, watch, options);
    } catch (error) {
      await transport.close().catch(() => {});
      signal.throwIfAborted();
      if (limit.aborted)
        throw new Error(`It did not finish the MCP handshake within ${startTimeout} ms`, { cause: error });
      if (transport instanceof StdioTransport && transport.failure !== undefined) {
        throw new Error(`${transport.failure} during the MCP handshake`, { cause: error });
      }
      throw error;
    } finally {
      limit.removeEventListener('abort', giveUp);
    }
  }

  get capabilities(): ServerCapabilities {
    return this.#client.getServerCapabilities() ?? {};
  }

  get era(): ProtocolEra {
    return this.#client.getProtocolEra() ?? 'legacy';
  }

  get pid(): number | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.pid : undefined;
  }

  /** When the server last answered anything, in milliseconds since the epoch. */
  get lastAnswer(): number {
    return this.#lastAnswer;
  }

  /** All pages. Entries that are no tools are left out and given to `onOdd`. */
  async tools(onOdd: (entry: unknown) => void): Promise<McpTool[]> {
    if (!this.capabilities.tools) return [];
    const entries = await collectPages(lists.tools, async params => {
      const { tools, nextCursor } = await this.#request(lists.tools.method, params, ToolPage);
      return { entries: tools, nextCursor };
    });
    return readable(entries, McpTool, onOdd);
  }

  /** Runs a tool. An interruption sends the server a cancellation and rejects at once. */
  callTool(name: string, params: Record<string, unknown>, options: ToolCallOptions): Promise<RawResult> {
    const { timeout, silence = timeout, interruption } = options;
    if (this.#direct) return this.#answered(this.#direct.call(name, params, interruption));
    return this.#request('tools/call', { name, arguments: params }, RawResult, {
      timeout: Math.min(silence, timeout),
      maxTotalTimeout: timeout,
      resetTimeoutOnProgress: true,
      // Asking for progress is what makes servers send it, and what keeps a long call alive.
      onprogress: () => {},
      signal: interruption.signal,
    });
  }

  /** One page of resources as the server sent them. Odd annotations are kept; only entries without a URI are not. */
  async resourcePage(cursor?: string | null): Promise<ResourceList> {
    const params = cursor === undefined || cursor === null ? {} : { cursor };
    const { resources, nextCursor } = await this.#request('resources/list', params, ResourcePage);
    return { resources: readable(resources, Resource, () => {}), nextCursor };
  }

  /** All pages of them. */
  async resources(): Promise<Resource[]> {
    if (!this.capabilities.resources) return [];
    const entries = await collectPages(lists.resources, async params => {
      const { resources, nextCursor } = await this.#request(lists.resources.method, params, ResourcePage);
      return { entries: resources, nextCursor };
    });
    return readable(entries, Resource, () => {});
  }

  async resourceTemplates(): Promise<ResourceTemplate[]> {
    if (!this.capabilities.resources) return [];
    const entries = await collectPages(lists.templates, async params => {
      const { resourceTemplates, nextCursor } = await this.#request(lists.templates.method, params, TemplatePage);
      return { entries: resourceTemplates, nextCursor };
    });
    return readable(entries, ResourceTemplate, () => {});
  }

  /** The server's answer to `resources/read`, verbatim. */
  readResource(uri: string, options: { timeout?: number; signal?: AbortSignal } = {}): Promise<RawResult> {
    return this.#request('resources/read', { uri }, RawResult, options);
  }

  /** Replaces the set of resources whose updates are reported, and resolves with those that the server agreed to. */
  watchResources(uris: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#watch.watch(uris);
  }

  /** A round trip of the cheapest kind the era has. */
  async ping(timeout = this.#requestTimeout): Promise<void> {
    await (this.era === 'modern' ? this.#client.discover({ timeout }) : this.#client.ping({ timeout }));
    this.#lastAnswer = Date.now();
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#watch.close();
    await this.#client.close();
    // The client forgets a transport that closed by itself, but its processes must be gone when we return.
    await this.#transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #request<S extends z.ZodType>(
    method: string,
    params: Record<string, unknown>,
    schema: S,
    options: RequestOptions = {},
  ): Promise<z.infer<S>> {
    const { timeout = this.#requestTimeout, signal, ...rest } = options;
    const ticket = this.#tickets++;
    const request = { method: rawMethod(method, ticket), params };
    const stop = this.#transport instanceof StreamableTransport ? this.#begin(ticket, signal) : signal;
    try {
      const limits = { timeout, ...(stop && { signal: stop }), ...rest };
      return (await this.#answered(this.#client.request(request, schema, limits))) as z.infer<S>;
    } finally {
      this.#underWay.delete(ticket);
    }
  }

  /** Notes that the server has answered, or says why it cannot any more. */
  async #answered<T>(answer: Promise<T>): Promise<T> {
    try {
      const result = await answer;
      this.#lastAnswer = Date.now();
      return result;
    } catch (error) {
      const isLoss = error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
      throw isLoss ? new Error(lossReason(this.#transport), { cause: error }) : error;
    }
  }

  /** A signal that also fires when the stream of the answer ends without one. */
  #begin(ticket: number, signal: AbortSignal | undefined): AbortSignal {
    const interruption = new AbortController();
    this.#underWay.set(ticket, interruption);
    return signal ? AbortSignal.any([signal, interruption.signal]) : interruption.signal;
  }

  /** Ends a request whose stream ended. An answer that came with the end of the stream is handled first. */
  #interrupt(ticket: number): void {
    const reason = new SdkError(SdkErrorCode.ConnectionClosed, 'The stream of the answer ended');
    setImmediate(() => this.#underWay.get(ticket)?.abort(reason));
  }
}

/** A process that does not answer a probe is one of 2025, and the wait is lost; over HTTP silence is an outage. */
function probeTimeout(transport: McpTransport, startTimeout: number): number {
  return transport instanceof StdioTransport ? Math.min(10_000, startTimeout / 2) : startTimeout;
}

function lossReason(transport: McpTransport): string {
  return (transport instanceof StdioTransport ? transport.failure : undefined) ?? 'The connection was closed';
}
