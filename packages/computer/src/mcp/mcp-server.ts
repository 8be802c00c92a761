import { type CompleteMCPServerConfig, ConfigError, type Logger, type Resource } from '@a2c-smcp/protocol';
import { type PriorDiscovery, ProtocolError } from '@modelcontextprotocol/client';
import { describeError } from '../describe-error.ts';
import type { McpConnection, McpConnectionEvents } from './connection.ts';
import { Health } from './health.ts';
import { keepRunning } from './keep-running.ts';
import { ListCache } from './list-cache.ts';
import { isLostSession } from './lost-session.ts';
import type { McpTool, RawResult, ResourceTemplate } from './mcp-schemas.ts';
import type { McpCallOptions, McpServerOptions, McpServerState, McpServerStatus } from './mcp-server-types.ts';
import { openConnection } from './open-connection.ts';
import { Refresher } from './refresher.ts';
import { StderrRing } from './stderr-ring.ts';
import { silenceLimit } from './transports.ts';
import { Waiters } from './waiters.ts';

/** How long a lost server may take to return, in milliseconds, before its tools are taken from the list. */
const RETURN = 15_000;

/** Between two listings of tools at the server's own request, in milliseconds. */
const REFRESH_PAUSE = 50;

/** One MCP server through all its connections: started, watched over, started again when lost, stopped. */
export class McpServer {
  readonly name: string;
  readonly #options: McpServerOptions;
  readonly #logger: Logger;
  readonly #stderr: StderrRing;
  readonly #ready = new Waiters<McpConnection>();
  readonly #settled = new Waiters<void>();
  #config: CompleteMCPServerConfig;
  #state: McpServerState = 'stopped';
  #error: string | undefined;
  #restarts = 0;
  #lostAt = 0;
  #tools: readonly McpTool[] = [];
  #connection: McpConnection | undefined;
  #health: Health | undefined;
  #verdict: PriorDiscovery | undefined;
  /** Milliseconds of silence that end a call over the present connection. */
  #silence: number | undefined;
  readonly #resources = new ListCache<Resource[]>();
  readonly #templates = new ListCache<ResourceTemplate[]>();
  readonly #refresher = new Refresher(() => this.#listTools(), REFRESH_PAUSE);
  /** Ends the present connection. */
  #end: () => void = () => {};
  #run: { abort: AbortController; ended: Promise<void> } | undefined;

  constructor(config: CompleteMCPServerConfig, options: McpServerOptions) {
    this.name = config.name;
    this.#config = config;
    this.#options = options;
    this.#logger = options.logger;
    this.#stderr = new StderrRing(line => this.#logger.debug('MCP server stderr', { mcp_server: this.name, line }));
    if (config.disabled) this.#state = 'disabled';
  }

  get config(): CompleteMCPServerConfig {
    return this.#config;
  }

  /** The tools last listed. They outlive a lost connection unless it fails to return. */
  get tools(): readonly McpTool[] {
    return this.#tools;
  }

  get state(): McpServerState {
    return this.#state;
  }

  get connection(): McpConnection | undefined {
    return this.#state === 'ready' ? this.#connection : undefined;
  }

  status(): McpServerStatus {
    const { pid, era } = this.connection ?? {};
    return {
      name: this.name,
      type: this.#config.type,
      state: this.#state,
      ...(this.#error === undefined ? {} : { error: this.#error }),
      ...(this.#state === 'failed' ? { stderr: this.stderr(10) } : {}),
      tools: this.#tools.length,
      ...(pid === undefined ? {} : { pid }),
      ...(era === undefined ? {} : { era }),
      restarts: this.#restarts,
    };
  }

  /** The last lines it wrote to standard error, over all its lives, without secrets. */
  stderr(count?: number): string[] {
    return this.#stderr.last(count).map(this.#options.redact);
  }

  /** Begins to start it. A disabled server is left alone. */
  start(): void {
    if (this.#run || this.#config.disabled) return;
    const abort = new AbortController();
    this.#become('starting');
    this.#run = { abort, ended: this.#live(abort.signal) };
  }

  async stop(): Promise<void> {
    await this.#halt();
    this.#tools = [];
    this.#become(this.#config.disabled ? 'disabled' : 'stopped');
  }

  /** Starts it anew. Its tools stay listed meanwhile, and calls wait for the new connection. */
  async restart(): Promise<void> {
    if (this.#run) this.#become('starting');
    await this.#halt();
    this.start();
  }

  /** Takes a changed configuration. Only what concerns the connection costs a restart. */
  async configure(config: CompleteMCPServerConfig): Promise<void> {
    const before = this.#config;
    this.#config = config;
    if (config.disabled) {
      await this.#halt();
      this.#become('disabled');
    } else if (connectionPart(before) === connectionPart(config) && this.#state !== 'failed') {
      this.#options.events.changed();
    } else {
      this.#verdict = undefined;
      await this.restart();
    }
  }

  /** Resolves when it is no longer starting. */
  async settled(signal?: AbortSignal): Promise<void> {
    if (this.#state === 'starting') await this.#settled.wait(signal);
  }

  /** Its connection, waiting for a start under way. Rejects with the reason when there is none to wait for. */
  async connected(signal?: AbortSignal): Promise<McpConnection> {
    if (this.connection) return this.connection;
    if (this.#state === 'starting') return this.#ready.wait(signal);
    throw new Error(this.#unavailable());
  }

  /** Runs a tool by its original name; waits for a restart under way, within the limit. */
  async callTool(name: string, params: Record<string, unknown>, options: McpCallOptions): Promise<RawResult> {
    const connection = await this.connected(options.signal);
    try {
      return await this.#call(connection, name, params, options);
    } catch (error) {
      if (options.signal.aborted) throw error;
      if (!isLostSession(error)) {
        // An error that the server sent itself is a sign of life.
        if (!(error instanceof ProtocolError)) this.#health?.suspect();
        throw error;
      }
      if (this.#connection === connection) this.#lose('It does not know our session any more');
      return this.#call(await this.connected(options.signal), name, params, options);
    }
  }

  /** All resources. Asks the server only if it does not announce changes or has announced one. */
  async resources(): Promise<Resource[]> {
    const connection = await this.connected();
    const list = () => connection.resources();
    return connection.capabilities.resources?.listChanged ? this.#resources.get(list) : list();
  }

  /** All resource templates, asked for as seldom as resources. */
  async resourceTemplates(): Promise<ResourceTemplate[]> {
    const connection = await this.connected();
    const list = () => connection.resourceTemplates();
    return connection.capabilities.resources?.listChanged ? this.#templates.get(list) : list();
  }

  #call(
    connection: McpConnection,
    name: string,
    params: Record<string, unknown>,
    { deadline, signal }: McpCallOptions,
  ): Promise<RawResult> {
    const timeout = Math.max(1, deadline - Date.now());
    const silence = this.#silence === undefined ? {} : { silence: this.#silence };
    const call = () => connection.callTool(name, params, { timeout, signal, ...silence });
    return this.#health ? this.#health.during(call) : call();
  }

  #unavailable(): string {
    const why = this.#error === undefined ? '' : `: ${this.#error}`;
    return `MCP server '${this.name}' is ${this.#state}${why}`;
  }

  async #halt(): Promise<void> {
    const run = this.#run;
    this.#run = undefined;
    run?.abort.abort();
    await run?.ended;
  }

  #become(state: McpServerState, error?: string): void {
    this.#state = state;
    this.#error = error;
    if (state === 'failed') this.#tools = [];
    if (state !== 'starting') {
      if (state === 'ready' && this.#connection) this.#ready.resolve(this.#connection);
      else this.#ready.reject(new Error(this.#unavailable()));
      this.#settled.resolve();
    }
    this.#logger.info('An MCP server changed its state', { mcp_server: this.name, state, error });
    this.#options.events.changed();
  }

  /** Starts and restarts until told to stop, or until a start fails for a reason that only a person can remove. */
  #live(signal: AbortSignal): Promise<void> {
    return keepRunning(() => this.#connectAndServe(signal), {
      signal,
      onFailure: error => this.#fail(error),
      onRestart: () => {
        this.#restarts += 1;
      },
    });
  }

  /** A server that was lost counts as starting for a while; any other as failed until a start succeeds. */
  #fail(error: unknown): boolean {
    this.#verdict = undefined;
    const hopeless = error instanceof ConfigError;
    const mayReturn = !hopeless && Date.now() - this.#lostAt < RETURN;
    this.#become(mayReturn ? 'starting' : 'failed', this.#options.redact(describeError(error)));
    return !hopeless;
  }

  /** Resolves when the connection is over; throws when none came about. */
  async #connectAndServe(signal: AbortSignal): Promise<void> {
    const over = new Waiters<void>();
    const ended = over.wait();
    const end = () => over.resolve();
    this.#end = end;
    const connection = await this.#connect(signal, {
      toolsChanged: () => this.#refresher.request(),
      resourcesChanged: () => this.#resourcesChanged(),
      resourceUpdated: uri => this.#options.events.resources({ type: 'updated', uri }),
      updatesMissed: () => this.#options.events.resources({ type: 'missed' }),
      trouble: error => {
        this.#logger.debug('An MCP connection reported trouble', { mcp_server: this.name, error: error.message });
        this.#health?.suspect();
      },
      lost: reason => this.#lose(reason),
    });
    const health = new Health(connection, this.#options.timing, reason => this.#lose(reason));
    signal.addEventListener('abort', end, { once: true });
    try {
      signal.throwIfAborted();
      this.#tools = await connection.tools(entry => this.#reportOdd(entry));
      signal.throwIfAborted();
      this.#verdict = connection.verdict;
      this.#connection = connection;
      this.#health = health;
      this.#become('ready');
      this.#options.events.resources({ type: 'ready' });
      await ended;
      this.#options.events.resources({ type: 'gone' });
    } finally {
      signal.removeEventListener('abort', end);
      health.stop();
      this.#health = undefined;
      this.#connection = undefined;
      this.#forgetLists();
      await connection.close();
      this.#stderr.end();
    }
  }

  /** Ends the present connection at once. Its tools stay listed: the restart is expected to bring them back. */
  #lose(reason: string): void {
    if (this.#state !== 'ready') return;
    this.#connection = undefined;
    this.#lostAt = Date.now();
    this.#become('starting', this.#options.redact(reason));
    this.#end();
  }

  async #connect(signal: AbortSignal, events: McpConnectionEvents): Promise<McpConnection> {
    const { resolve, timing } = this.#options;
    const config = await resolve(this.#config, signal);
    this.#silence = silenceLimit(config);
    return openConnection(config, {
      ...timing,
      events,
      onStderr: text => this.#stderr.write(text),
      ...(this.#verdict ? { prior: this.#verdict } : {}),
      signal,
      logger: this.#logger,
    });
  }

  async #listTools(): Promise<void> {
    const { connection } = this;
    if (!connection) return;
    try {
      const tools = await connection.tools(entry => this.#reportOdd(entry));
      if (this.connection !== connection || JSON.stringify(tools) === JSON.stringify(this.#tools)) return;
      this.#tools = tools;
      this.#options.events.changed();
    } catch (error) {
      // The tools known so far still serve; whether the server does is found out by a ping.
      this.#logger.warn('The tools of an MCP server could not be listed again', { mcp_server: this.name, error });
      this.#health?.suspect();
    }
  }

  #resourcesChanged(): void {
    this.#forgetLists();
    this.#options.events.resources({ type: 'list' });
  }

  #forgetLists(): void {
    this.#resources.clear();
    this.#templates.clear();
  }

  #reportOdd(entry: unknown): void {
    this.#logger.warn('An MCP server listed something that is no tool', { mcp_server: this.name, entry });
  }
}

/** What a start depends on; the rest of a configuration only says how its tools are offered. */
function connectionPart(config: CompleteMCPServerConfig): string {
  const { type, server_parameters, disabled, mcp_protocol, vrl } = config;
  return JSON.stringify({ type, server_parameters, disabled, mcp_protocol, vrl });
}
