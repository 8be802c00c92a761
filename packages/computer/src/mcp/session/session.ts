import { asAbortSignal } from '@a2c-smcp/core';
import { type CompleteMCPServerConfig, Resource } from '@a2c-smcp/protocol';
import {
  LOG_LEVEL_META_KEY,
  type PriorDiscovery,
  type ProtocolEra,
  ProtocolError,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  type ServerCapabilities,
  SseError,
} from '@modelcontextprotocol/client';
import type * as z from 'zod';
import type { ResourceProblem } from '../../warnings.ts';
import { createTransport } from '../transport/create.ts';
import { LocalTransport } from '../transport/local.ts';
import { MessageRefused } from '../transport/message-bounds.ts';
import type { McpTransport } from '../transport/transport.ts';
import { endedByProbe, RawClient } from './client.ts';
import { DirectRequests } from './direct-requests.ts';
import { type Activity, Health } from './health.ts';
import { CachedList, collectPages, lists, type PagedList, readable } from './lists.ts';
import { isLostSession } from './lost-session.ts';
import type { OpenCalls } from './open-calls.ts';
import { readProgress } from './progress.ts';
import { PromptList } from './prompt-list.ts';
import { type ResourceWatch, startResourceWatch } from './resource-watch.ts';
import { readRoots } from './roots.ts';
import { McpTool, RawResult, ResourceTemplate } from './schemas.ts';
import { ServerRequests } from './server-requests.ts';
import type { CallOptions, McpSessionOptions, ReadOptions, ResourceList } from './session-options.ts';
import { ToolList } from './tool-list.ts';

/** A server's error for headers that do not repeat the parameters of the call. */
const HEADER_MISMATCH = -32020;
/** The longest delay of a timer; a longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The part of a session that concerns resources; `problems` are those of documents that a configuration adopts. */
export type ResourceSession = Pick<
  McpSession,
  'capabilities' | 'resources' | 'resourcePage' | 'resourceTemplates' | 'readResource' | 'watchResources'
> & { readonly problems?: readonly Omit<ResourceProblem, 'server'>[] };

/**
 * One live session with one MCP server, of either era: handshake, lists, reads, calls, watches and pings. There is no
 * unconnected state: `open` returns a session that has answered or throws, and a closed one stays closed. Results are
 * as the server sent them.
 */
export class McpSession implements AsyncDisposable {
  readonly #options: McpSessionOptions;
  readonly #transport: McpTransport;
  readonly #client: RawClient;
  readonly #activity: Activity = { lastAnswer: 0, calls: 0, uses: 0 };
  readonly #health: Health;
  /** Undefined when the server may ask nothing during calls. */
  readonly #calls: OpenCalls | undefined;
  readonly #tools: ToolList;
  readonly prompts: PromptList;
  readonly #resources = new CachedList<Resource>();
  readonly #templates = new CachedList<ResourceTemplate>();
  #direct: DirectRequests | undefined;
  #watch: ResourceWatch | undefined;
  #state: 'connecting' | 'open' | 'closed' = 'connecting';

  private constructor(config: CompleteMCPServerConfig, options: McpSessionOptions) {
    const { timing } = options;
    this.#options = options;
    this.#transport = options.local ? new LocalTransport(options.local) : createTransport(config, options);
    const { mcp_protocol: protocol = 'legacy', roots = [] } = config;
    const requests = new ServerRequests({ ...options, roots: readRoots(roots) });
    const { capabilities, calls } = requests;
    this.#client = new RawClient(this.#transport, { protocol, startTimeout: timing.startTimeout, capabilities });
    requests.serve(this.#client.sdk);
    this.#calls = calls;
    this.#tools = this.#createToolList();
    this.prompts = new PromptList({
      capability: () => this.capabilities.prompts,
      request: (params, limits) => this.#request(lists.prompts.method, params, lists.prompts.page, limits),
      onChanged: () => options.events.emit('prompts-changed', { server: options.server }),
    });
    this.#health = new Health(this.#activity, timeout => this.ping(timeout), { ...timing, onDead: options.onLost });
    this.#listen();
  }

  /** Connects to the server of a configuration whose placeholders are filled, and lists its tools. */
  static async open(config: CompleteMCPServerConfig, options: McpSessionOptions): Promise<McpSession> {
    try {
      return await McpSession.#connect(config, options);
    } catch (error) {
      if (!endedByProbe(error)) throw error;
      return McpSession.#connect(config, { ...options, prior: { kind: 'legacy' } });
    }
  }

  static async #connect(config: CompleteMCPServerConfig, options: McpSessionOptions): Promise<McpSession> {
    options.signal.throwIfAborted();
    const session = new McpSession(config, options);
    try {
      await session.#client.connect(options.signal, options.prior, () => session.#start());
      await session.#tools.load();
      options.signal.throwIfAborted();
      return session;
    } catch (error) {
      await session.close().catch(() => {});
      throw error;
    }
  }

  /** The era of the server, for `prior` of the next session. */
  get verdict(): PriorDiscovery {
    const discover = this.#client.sdk.getDiscoverResult();
    return discover ? { kind: 'modern', discover } : { kind: 'legacy' };
  }

  get capabilities(): ServerCapabilities {
    return this.#client.sdk.getServerCapabilities() ?? {};
  }

  /** How to use it, in its own words. */
  get instructions(): string | undefined {
    return this.#client.sdk.getInstructions();
  }

  get era(): ProtocolEra {
    return this.#client.sdk.getProtocolEra() ?? 'legacy';
  }

  get pid(): number | undefined {
    return this.#transport.pid;
  }

  /** How it is used. */
  get activity(): Readonly<Activity> {
    return this.#activity;
  }

  /** The tools as last listed. */
  get tools(): readonly McpTool[] {
    return this.#tools.all;
  }

  /**
   * Runs a tool by its original name, asking for progress. When the signal fires, sends a cancellation and rejects with
   * its reason.
   */
  callTool(name: string, params: Record<string, unknown>, options: CallOptions): Promise<RawResult> {
    if (!this.#calls) return this.#call(name, params, options);
    return this.#calls.during(options, this.era === 'modern', () => this.#call(name, params, options));
  }

  async #call(name: string, params: Record<string, unknown>, options: CallOptions): Promise<RawResult> {
    const { signal } = options;
    signal.throwIfAborted();
    let isSuspect = false;
    this.#activity.calls += 1;
    this.#activity.uses += 1;
    try {
      if (!this.#direct) return await this.#callThroughSdk(name, params, options);
      return await this.#answered(this.#direct.send('tools/call', { name, arguments: params }, options));
    } catch (error) {
      // An error that the server sent is a sign of life, and the caller deals with a lost session.
      isSuspect = !(signal.aborted || error instanceof ProtocolError || isLostSession(error));
      throw error;
    } finally {
      this.#activity.calls -= 1;
      if (isSuspect) this.#health.suspect();
    }
  }

  /** One page of resources. Odd annotations are kept; entries without a URI are left out. */
  async resourcePage(cursor?: string | null): Promise<ResourceList> {
    const { method, page } = lists.resources;
    const params = cursor === undefined || cursor === null ? {} : { cursor };
    const { entries, nextCursor } = await this.#request(method, params, page);
    return { resources: readable(entries, Resource), nextCursor };
  }

  /** All resources. Sends a request only if the server does not announce changes or has announced one. */
  async resources(): Promise<Resource[]> {
    const { resources } = this.capabilities;
    if (!resources) return [];
    const list = () => this.#list(lists.resources, Resource);
    return resources.listChanged ? this.#resources.get(list) : list();
  }

  /** All resource templates, cached like resources. */
  async resourceTemplates(): Promise<ResourceTemplate[]> {
    const { resources } = this.capabilities;
    if (!resources) return [];
    const list = () => this.#list(lists.templates, ResourceTemplate);
    return resources.listChanged ? this.#templates.get(list) : list();
  }

  /** The answer to `resources/read`. */
  readResource(uri: string, { timeout = this.#requestTimeout }: ReadOptions = {}): Promise<RawResult> {
    this.#activity.uses += 1;
    if (!this.#direct) return this.#request('resources/read', { uri }, RawResult, { timeout });
    return this.#answered(this.#direct.send('resources/read', { uri }, { timeout }));
  }

  /** The answer to `prompts/get`. */
  getPrompt(name: string, args: object | undefined, { timeout }: ReadOptions): Promise<RawResult> {
    this.#activity.uses += 1;
    return this.#request('prompts/get', { name, ...(args && { arguments: args }) }, RawResult, { timeout });
  }

  /**
   * Replaces the set of resources whose updates are emitted, and resolves with those that the server agreed to. Each is
   * subscribed once, however often it is named.
   */
  async watchResources(uris: readonly string[]): Promise<ReadonlySet<string>> {
    return (await this.#watch?.watch(uris)) ?? new Set();
  }

  /** A round trip of the cheapest kind the era has. */
  async ping(timeout = this.#requestTimeout): Promise<void> {
    await (this.era === 'modern' ? this.#client.sdk.discover({ timeout }) : this.#client.sdk.ping({ timeout }));
    this.#activity.lastAnswer = Date.now();
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    this.#health.stop();
    await this.#watch?.close();
    await this.#client.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Registers everything that the server sends unasked. */
  #listen(): void {
    const { server, events, onLog, onLost } = this.#options;
    const { sdk: client } = this.#client;
    client.setNotificationHandler('notifications/message', ({ params }) => onLog(params));
    client.setNotificationHandler('notifications/tools/list_changed', () => this.#tools.changed());
    client.setNotificationHandler('notifications/prompts/list_changed', () => this.prompts.changed());
    client.setNotificationHandler('notifications/resources/list_changed', () => this.#resourcesChanged());
    client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) => {
      if (!this.#isClosed) events.emit('resource-updated', { server, uri });
    });
    let hasStream = false;
    this.#transport.onServerStream = () => {
      // The first stream is opened beside the first requests, so that only updates can be missed.
      if (hasStream) this.#changesMissed();
      else events.emit('resource-updated', { server });
      hasStream = true;
    };
    client.onclose = () => {
      this.#direct?.close();
      if (this.#state === 'open') onLost(this.#lossReason);
    };
    client.onerror = error => {
      if (this.#state !== 'open') return;
      // With SSE the stream is the session. The SDK reopens it, but the server does not tie the new one to us.
      if (error instanceof SseError) onLost('The event stream was interrupted');
      else this.#doubt(error);
    };
  }

  async #start(): Promise<void> {
    const { logger, logLevel } = this.#options;
    this.#watch = await startResourceWatch(this.#client.sdk, { logger, onGap: () => this.#changesMissed() });
    this.#state = 'open';
    this.#activity.lastAnswer = Date.now();
    this.#health.start();
    const { direct } = this.#transport;
    if (direct && this.era === 'legacy') this.#direct = new DirectRequests(direct);
    if (this.era === 'legacy' && this.capabilities.logging) {
      this.#client.sdk.setLoggingLevel(logLevel, { timeout: this.#requestTimeout }).catch(error => {
        logger.debug('An MCP server does not set the level of its log messages', { error });
      });
    }
  }

  async #callThroughSdk(name: string, params: Record<string, unknown>, options: CallOptions): Promise<RawResult> {
    const headers = this.#tools.headersOf(name, params);
    try {
      return await this.#requestCall(name, params, headers, options);
    } catch (error) {
      // The server has not run the tool: its schema has changed since it was listed.
      if (!(error instanceof ProtocolError && error.code === HEADER_MISMATCH)) throw error;
      const { server, events } = this.#options;
      if (await this.#tools.load()) events.emit('tools-changed', { server });
      return this.#requestCall(name, params, this.#tools.headersOf(name, params), options);
    }
  }

  #requestCall(
    name: string,
    params: Record<string, unknown>,
    headers: Record<string, string>,
    { signal, onProgress }: CallOptions,
  ): Promise<RawResult> {
    // A server of 2026 sends log messages only during calls that ask for them.
    const asksForLog = this.era === 'modern' && this.capabilities.logging;
    const meta = asksForLog ? { _meta: { [LOG_LEVEL_META_KEY]: this.#options.logLevel } } : {};
    return this.#request('tools/call', { name, arguments: params, ...meta }, RawResult, {
      timeout: Math.min(this.#transport.silenceTimeout ?? MAX_TIMER_MS, MAX_TIMER_MS),
      resetTimeoutOnProgress: true,
      // Asking for progress is what makes servers send it, and what keeps a long call alive.
      onprogress: report => {
        const progress = readProgress(report);
        if (progress) onProgress(progress);
      },
      headers,
      signal: asAbortSignal(signal),
    });
  }

  #request<S extends z.ZodType>(
    method: string,
    params: Record<string, unknown>,
    schema: S,
    { timeout = this.#requestTimeout, ...options }: RequestOptions = {},
  ): Promise<z.infer<S>> {
    return this.#answered(this.#client.request(method, params, schema, { timeout, ...options }));
  }

  /** Notes that the server has answered. A closed connection becomes an error with its reason. */
  async #answered<T>(answer: Promise<T>): Promise<T> {
    try {
      const result = await answer;
      this.#activity.lastAnswer = Date.now();
      return result;
    } catch (error) {
      const isClosed = error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
      throw isClosed ? new Error(this.#lossReason, { cause: error }) : error;
    }
  }

  get #requestTimeout(): number {
    return this.#transport.requestTimeout ?? this.#options.timing.requestTimeout;
  }

  get #lossReason(): string {
    return this.#transport.failure ?? 'The connection was closed';
  }

  /** All pages. Entries that do not match the schema are left out. */
  async #list<S extends z.core.$ZodType>(
    list: PagedList,
    schema: S,
    onOdd?: (entry: unknown) => void,
  ): Promise<z.infer<S>[]> {
    const entries = await collectPages(list, params => this.#request(list.method, params, list.page));
    return readable(entries, schema, onOdd);
  }

  #createToolList(): ToolList {
    const { server, events, logger } = this.#options;
    const warn = (entry: unknown) => logger.warn('An MCP server listed something that is no tool', { entry });
    return new ToolList({
      request: async () => (this.capabilities.tools ? this.#list(lists.tools, McpTool, warn) : []),
      mirrorsParameters: () => this.era === 'modern' && this.#transport.carriesHeaders === true,
      isOpen: () => this.#state === 'open',
      onChanged: () => events.emit('tools-changed', { server }),
      onFailure: error => {
        // The known tools still serve; a ping finds out whether the server does.
        logger.warn('The tools of an MCP server could not be listed again', { error });
        this.#health.suspect();
      },
      logger,
    });
  }

  get #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #resourcesChanged(): void {
    const { server, events } = this.#options;
    if (this.#state !== 'open') return;
    this.#resources.clear();
    this.#templates.clear();
    events.emit('resources-changed', { server });
  }

  /** Notifications of any kind may have been lost. */
  #changesMissed(): void {
    const { server, events } = this.#options;
    this.#tools.changed();
    this.prompts.changed();
    this.#resourcesChanged();
    events.emit('resource-updated', { server });
  }

  #doubt(error: Error): void {
    const { logger } = this.#options;
    if (error instanceof MessageRefused) {
      logger.warn('A message of an MCP server was refused', { reason: error.message });
      return;
    }
    logger.debug('An MCP connection reported trouble', { error: error.message });
    this.#health.suspect();
  }
}
