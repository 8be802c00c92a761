import type { Logger } from '@a2c-smcp/core';
import { type CompleteMCPServerConfig, ConfigError } from '@a2c-smcp/protocol';
import type { PriorDiscovery } from '@modelcontextprotocol/client';
import { describeError } from '../describe-error.ts';
import type { Origin } from '../inputs/origin.ts';
import type { McpConnection } from './connection.ts';
import { keepRunning } from './keep-running.ts';
import { isLostSession } from './lost-session.ts';
import type { McpTool, RawResult } from './mcp-schemas.ts';
import type { McpCallOptions, McpServerOptions, McpServerState, McpServerStatus } from './mcp-server-types.ts';
import { Session } from './session.ts';
import { StderrRing } from './stderr-ring.ts';
import { Waiters } from './waiters.ts';

/** How long a lost server may take to return, in milliseconds, before its tools are taken from the list. */
const RETURN = 15_000;

/** One MCP server through all its sessions: started, watched over, started again when lost, stopped. */
export class McpServer {
  readonly name: string;
  readonly #options: McpServerOptions;
  readonly #logger: Logger;
  readonly #stderr: StderrRing;
  readonly #ready = new Waiters<Session>();
  readonly #settled = new Waiters<void>();
  #config: CompleteMCPServerConfig;
  #origin: Origin;
  #state: McpServerState = 'stopped';
  #error: string | undefined;
  #restarts = 0;
  #lostAt = 0;
  #tools: readonly McpTool[] = [];
  #session: Session | undefined;
  #verdict: PriorDiscovery | undefined;
  /** Ends the present session. */
  #end: () => void = () => {};
  #run: { abort: AbortController; ended: Promise<void> } | undefined;

  constructor(config: CompleteMCPServerConfig, options: McpServerOptions) {
    this.name = config.name;
    this.#config = config;
    this.#origin = options.origin;
    this.#options = options;
    this.#logger = about(config.name, options.logger);
    this.#stderr = new StderrRing({
      secrets: options.secrets,
      onLine: line => this.#logger.debug('MCP server stderr', { line }),
    });
    if (config.disabled) this.#state = 'disabled';
  }

  get config(): CompleteMCPServerConfig {
    return this.#config;
  }

  /** The tools last listed. They outlive a lost session unless it fails to return. */
  get tools(): readonly McpTool[] {
    return this.#session?.tools ?? this.#tools;
  }

  get state(): McpServerState {
    return this.#state;
  }

  /** What it answers with, while it is ready. */
  get session(): Session | undefined {
    return this.#state === 'ready' ? this.#session : undefined;
  }

  get connection(): McpConnection | undefined {
    return this.session?.connection;
  }

  status(): McpServerStatus {
    const { pid, era } = this.connection ?? {};
    return {
      name: this.name,
      type: this.#config.type,
      state: this.#state,
      ...(this.#error === undefined ? {} : { error: this.#error }),
      ...(this.#state === 'failed' ? { stderr: this.stderr(10) } : {}),
      tools: this.tools.length,
      ...(pid === undefined ? {} : { pid }),
      ...(era === undefined ? {} : { era }),
      restarts: this.#restarts,
    };
  }

  /** The last lines it wrote to standard error, over all its lives, also without secrets that became known later. */
  stderr(count?: number): string[] {
    return this.#stderr.last(count).map(this.#options.secrets.redact);
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

  /** Starts it anew. Its tools stay listed meanwhile, and calls wait for the new session. */
  async restart(): Promise<void> {
    if (this.#run) this.#become('starting');
    await this.#halt();
    this.start();
  }

  get origin(): Origin {
    return this.#origin;
  }

  /** Takes a changed configuration. Only what concerns the start costs a restart. */
  async configure(config: CompleteMCPServerConfig, origin: Origin): Promise<void> {
    const startsAlike = startPart(this.#config) === startPart(config) && this.#origin === origin;
    this.#config = config;
    this.#origin = origin;
    if (config.disabled) {
      await this.#halt();
      this.#become('disabled');
    } else if (startsAlike && this.#state !== 'failed') {
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

  /** Its session, waiting for a start under way. Rejects with the reason when there is none to wait for. */
  async ready(signal?: AbortSignal): Promise<Session> {
    if (this.session) return this.session;
    if (this.#state === 'starting') return this.#ready.wait(signal);
    throw new Error(this.#unavailable());
  }

  /** Runs a tool by its original name; waits for a restart under way, within the limit. */
  async callTool(name: string, params: Record<string, unknown>, options: McpCallOptions): Promise<RawResult> {
    const { interruption } = options;
    const session = this.session ?? (await this.ready(interruption.signal));
    try {
      return await session.callTool(name, params, options);
    } catch (error) {
      if (interruption.reason !== undefined || !isLostSession(error)) throw error;
      if (this.#session === session) this.#lose('It does not know our session any more');
      const next = await this.ready(interruption.signal);
      return next.callTool(name, params, options);
    }
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
      if (state === 'ready' && this.#session) this.#ready.resolve(this.#session);
      else this.#ready.reject(new Error(this.#unavailable()));
      this.#settled.resolve();
    }
    this.#logger.info('An MCP server changed its state', { state, error });
    this.#options.events.changed();
  }

  /** Starts and restarts until told to stop, or until a start fails for a reason that only a person can remove. */
  #live(signal: AbortSignal): Promise<void> {
    return keepRunning(() => this.#serve(signal), {
      signal,
      onFailure: error => this.#fail(error),
      onRestart: () => {
        this.#restarts += 1;
      },
    });
  }

  /** A server that was lost counts as starting for a while; any other as failed until a start succeeds. */
  #fail(error: unknown): boolean {
    this.#stderr.end();
    this.#verdict = undefined;
    const hopeless = error instanceof ConfigError;
    const mayReturn = !hopeless && Date.now() - this.#lostAt < RETURN;
    this.#become(mayReturn ? 'starting' : 'failed', this.#options.secrets.redact(describeError(error)));
    return !hopeless;
  }

  /** Resolves when the session is over; throws when none came about. */
  async #serve(signal: AbortSignal): Promise<void> {
    const over = new Waiters<void>();
    const ended = over.wait();
    const end = () => over.resolve();
    this.#end = end;
    signal.addEventListener('abort', end, { once: true });
    const { resolve, timing, events } = this.#options;
    const session = await Session.open(await resolve(this.#config, { origin: this.#origin, signal }), {
      timing,
      prior: this.#verdict,
      onTools: () => events.changed(),
      onResources: change => events.resources(change),
      onLost: reason => this.#lose(reason),
      onStderr: text => this.#stderr.write(text),
      signal,
      logger: this.#logger,
    });
    this.#verdict = session.connection.verdict;
    this.#session = session;
    this.#become('ready');
    events.resources({ type: 'ready' });
    await ended;
    this.#forget(session);
    events.resources({ type: 'gone' });
    await session.close();
    this.#stderr.end();
    signal.removeEventListener('abort', end);
  }

  /** Ends the present session at once. Its tools stay listed: the restart is expected to bring them back. */
  #lose(reason: string): void {
    if (this.#state !== 'ready') return;
    this.#forget(this.#session);
    this.#lostAt = Date.now();
    this.#become('starting', this.#options.secrets.redact(reason));
    this.#end();
  }

  #forget(session: Session | undefined): void {
    if (!session) return;
    this.#tools = session.tools;
    this.#session = undefined;
  }
}

/** What a start depends on; the rest of a configuration only says how tools are offered. */
function startPart(config: CompleteMCPServerConfig): string {
  const { type, server_parameters, disabled, mcp_protocol, vrl } = config;
  return JSON.stringify({ type, server_parameters, disabled, mcp_protocol, vrl });
}

/** A logger whose lines say which server they are about. */
function about(mcp_server: string, logger: Logger): Logger {
  const naming =
    (level: keyof Logger): Logger[keyof Logger] =>
    (message, fields) =>
      logger[level](message, { mcp_server, ...fields });
  return { debug: naming('debug'), info: naming('info'), warn: naming('warn'), error: naming('error') };
}
