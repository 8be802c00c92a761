import { asAbortSignal, pause, settle } from '@a2c-smcp/core';
import { type CompleteMCPServerConfig, ConfigError } from '@a2c-smcp/protocol';
import type { PriorDiscovery } from '@modelcontextprotocol/client';
import type { IdentifiedConfig } from '../../config/bundle-id.ts';
import type { Origin } from '../../config/origin.ts';
import { describeError } from '../../describe-error.ts';
import { authErrorOf, needsNoSignIn, UpstreamAuthError } from '../../oauth/errors.ts';
import type { ServerAuth } from '../../oauth/server-auth.ts';
import type { SignInOptions } from '../../oauth/sign-in.ts';
import type { ServerLogLine } from '../server-log.ts';
import { isLostSession } from '../session/lost-session.ts';
import type { McpTool, RawResult } from '../session/schemas.ts';
import { McpSession, type ResourceSession } from '../session/session.ts';
import type { CallOptions } from '../session/session-options.ts';
import { CachedLists } from './cached-lists.ts';
import { keepRunning } from './keep-running.ts';
import type { Adopted, McpServerOptions, StartOptions } from './mcp-server-options.ts';
import type { ServerCatalog } from './server-catalog.ts';
import { ServerOutput } from './server-output.ts';
import { startPart } from './start-part.ts';
import type { McpServerState, McpServerStatus } from './status.ts';

/** How long a lost server may take to return before its tools are taken from the list. */
const RETURN_TIMEOUT_MS = 15_000;
/** The lead of the office over servers that are listed already: their processes would take all cores as it is entered. */
const HEAD_START_MS = 250;
/** Characters of its instructions. */
const MAX_INSTRUCTIONS_LENGTH = 4096;

/**
 * One MCP server through all its sessions: started, supervised, restarted when lost, stopped. Until its first session has
 * opened, its tools are listed from the cache. A lazy one sleeps while it is not used: without a session, listed likewise.
 */
export class McpServer {
  readonly name: string;
  readonly #options: McpServerOptions;
  readonly #output: ServerOutput;
  #config: IdentifiedConfig;
  #origin: Origin;
  #state: McpServerState = 'stopped';
  #error: string | undefined;
  #restarts = 0;
  #lostAt = 0;
  #tools: readonly McpTool[] = [];
  /** Its listing of an earlier session, tools included, while it sleeps, is being woken, or starts with the Computer. */
  cached: ServerCatalog | undefined;
  readonly #lists: CachedLists;
  #session: McpSession | undefined;
  #auth: ServerAuth | undefined;
  /** The error of the last start. */
  #failure: unknown;
  #adopted: Adopted | undefined;
  #instructions: string | undefined;
  #verdict: PriorDiscovery | undefined;
  /** Ends the present session. */
  #end: () => void = () => {};
  #run: { abort: AbortController; ended: Promise<void> } | undefined;

  constructor(config: IdentifiedConfig, options: McpServerOptions) {
    this.name = config.name;
    this.#config = config;
    this.#origin = options.origin;
    this.#options = options;
    this.#output = new ServerOutput(config.name, options);
    this.#lists = new CachedLists(this, options);
    if (config.disabled) this.#state = 'disabled';
  }

  get config(): IdentifiedConfig {
    return this.#config;
  }

  /** True if it runs in this process. */
  get isLocal(): boolean {
    return this.#options.local !== undefined;
  }

  get origin(): Origin {
    return this.#origin;
  }

  /** The tools last listed. They outlive a lost session unless the server fails to return. */
  get tools(): readonly McpTool[] {
    return this.#session?.tools ?? this.#tools;
  }

  get state(): McpServerState {
    return this.#state;
  }

  /** The live session, while the server is ready. */
  get session(): McpSession | undefined {
    return this.#state === 'ready' ? this.#session : undefined;
  }

  /** Its resources, with adopted windows and documents, while it is ready. */
  get publisher(): ResourceSession | undefined {
    return this.session && (this.#adopted ?? this.session);
  }

  status(): McpServerStatus {
    const { pid, era } = this.session ?? {};
    return {
      name: this.name,
      type: this.isLocal ? 'local' : this.#config.type,
      state: this.#state,
      ...(this.#auth?.state === undefined ? {} : { auth: this.#auth.state }),
      ...(this.#error === undefined ? {} : { error: this.#error }),
      ...(this.#state === 'failed' ? { stderr: this.stderr(10) } : {}),
      tools: this.tools.length,
      ...(pid === undefined ? {} : { pid }),
      ...(era === undefined ? {} : { era }),
      ...(era === undefined || this.#instructions === undefined ? {} : { instructions: this.#instructions }),
      restarts: this.#restarts,
    };
  }

  /** The last lines of standard error and log messages over all sessions. */
  get log(): ServerLogLine[] {
    return this.#output.lines;
  }

  /** The newest `count` lines of standard error, oldest first. */
  stderr(count?: number): string[] {
    return this.#output.stderr(count);
  }

  /** Begins to start it; a lazy server whose lists are cached sleeps instead. A no-op for a disabled server. */
  start(): void {
    if (!this.#run) this.#begin({ maySleep: this.#lists.isLazy, isFirst: true });
  }

  #begin(options: StartOptions): void {
    if (this.#config.disabled) return;
    const abort = new AbortController();
    // A process that was stopped for want of use may still be ending.
    const before = this.#run?.ended;
    this.#become('starting');
    this.#run = { abort, ended: this.#live(abort.signal, options, before) };
  }

  async stop(): Promise<void> {
    await this.#halt();
    this.#dropAuth();
    this.#tools = [];
    this.#become(this.#config.disabled ? 'disabled' : 'stopped');
  }

  /** Starts it anew. Its tools stay listed meanwhile, and calls wait for the new session. */
  async restart(options: StartOptions = {}): Promise<void> {
    if (this.#run) this.#become('starting');
    await this.#halt();
    this.#begin(options);
  }

  /** Applies a changed configuration. Only changes that concern the start cause a restart. */
  async configure(config: IdentifiedConfig, origin: Origin): Promise<void> {
    const startsAlike = startPart(this.#config) === startPart(config) && this.#origin === origin;
    const isWatched = this.#options.isWatched(this.name);
    this.#config = config;
    this.#origin = origin;
    if (!startsAlike) this.#dropAuth();
    if (config.disabled) {
      await this.#halt();
      this.#become('disabled');
    } else if (startsAlike && this.#state !== 'failed') {
      this.#options.events.emit('state', { server: this.name });
    } else {
      this.#verdict = undefined;
      await this.restart({ maySleep: this.#lists.isLazy && !isWatched });
    }
  }

  /** Has a person sign in. The next start probes the era anew: a refusal says nothing about it. */
  async signIn(options: SignInOptions): Promise<void> {
    const auth = await this.#authorisation(options.signal);
    await auth.signIn(options);
    this.#verdict = undefined;
  }

  /** Gives its tokens back and forgets them. Its tools are gone until the next sign-in. */
  async signOut(): Promise<void> {
    const auth = await this.#authorisation();
    await auth.signOut();
    this.#verdict = undefined;
    await this.#halt();
    this.#tools = [];
  }

  /** Resolves when it is no longer starting. */
  async settled(signal?: AbortSignal): Promise<void> {
    const { events } = this.#options;
    while (this.#state === 'starting') {
      await settle<void>(resolve => events.on('state', () => resolve()), { signal });
    }
  }

  /** Its session, waiting for a pending start and waking it. Rejects with the reason when there is none to wait for. */
  async ready(signal?: AbortSignal): Promise<McpSession> {
    if (this.#state === 'asleep') this.#begin({});
    await this.settled(signal);
    if (this.session) return this.session;
    const why = this.#error === undefined ? '' : `: ${this.#error}`;
    throw new Error(`MCP server '${this.name}' is ${this.#state}${why}`, { cause: this.#failure });
  }

  /** Runs a tool by its original name. Waits for a pending restart, and retries once when the session was lost. */
  async callTool(name: string, params: Record<string, unknown>, options: CallOptions): Promise<RawResult> {
    const { signal } = options;
    const session = this.session ?? (await this.ready(asAbortSignal(signal)));
    try {
      const result = await session.callTool(name, params, options);
      this.#adopted?.called();
      return result;
    } catch (error) {
      if (signal.aborted || !isLostSession(error)) throw error;
      if (this.#session === session) this.#lose('It does not know our session any more');
      const next = await this.ready(asAbortSignal(signal));
      return next.callTool(name, params, options);
    }
  }

  async #halt(): Promise<void> {
    const run = this.#run;
    this.#run = undefined;
    this.cached = undefined;
    run?.abort.abort();
    await run?.ended;
  }

  #become(state: McpServerState, error?: string): void {
    this.#state = state;
    this.#error = error;
    // A call to one that waits for a sign-in is answered with that.
    if (state === 'failed' && !(this.#failure instanceof UpstreamAuthError)) this.#tools = [];
    this.#output.report(state, error);
    this.#options.events.emit('state', { server: this.name });
  }

  /** Sleeps if it may and its lists are cached; otherwise it is supervised, at first listed from the cache. */
  async #live(signal: AbortSignal, { maySleep, isFirst }: StartOptions, before?: Promise<void>): Promise<void> {
    await before;
    const catalog = (maySleep || isFirst) && !this.#rival ? await this.#lists.load() : undefined;
    if (signal.aborted) return;
    this.#tools = catalog?.tools ?? this.#tools;
    if (catalog && maySleep) return this.#sleep();
    if (catalog) {
      this.cached = catalog;
      this.#options.events.emit('state', { server: this.name });
      await pause(HEAD_START_MS, signal).catch(() => {});
    }
    if (!signal.aborted) await this.#supervise(signal);
  }

  /** Ends the session, if there is one. The next call starts another. */
  #sleep(error?: string): void {
    this.#drop(this.#session);
    this.cached = this.#lists.catalog;
    this.#verdict = this.cached?.verdict;
    this.#become('asleep', error);
    this.#run?.abort.abort();
  }

  /** Starts and restarts until the signal fires, or until a start fails for a reason that only a person can remove. */
  #supervise(signal: AbortSignal): Promise<void> {
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
    this.#output.endStderr();
    this.#verdict = undefined;
    // The SDK's SSE client keeps the text of an error only.
    this.#failure = authErrorOf(error) ?? this.#auth?.problem ?? error;
    const isHopeless = error instanceof ConfigError;
    if (!this.#lists.mayRetry()) {
      // Before its first session the tools of an eager server are a guess.
      if (this.cached && !this.#lists.isLazy) this.#tools = [];
      this.cached = undefined;
    }
    const isExpected = this.cached !== undefined || Date.now() - this.#lostAt < RETURN_TIMEOUT_MS;
    const mayReturn = !isHopeless && !(this.#failure instanceof UpstreamAuthError) && isExpected;
    this.#become(mayReturn ? 'starting' : 'failed', this.#options.secrets.redact(describeError(this.#failure)));
    return !isHopeless;
  }

  /** Resolves when the session is over; throws when none was opened. */
  async #serve(signal: AbortSignal): Promise<void> {
    const { resolve, adopt, timing, logLevel, questions, sample, secrets, local, events, takeTurn } = this.#options;
    this.#refuseTakenId();
    const config = await resolve(this.#config, { origin: this.#origin, signal });
    const adopts = config.windows || config.documents ? await adopt(config) : undefined;
    const open = () =>
      McpSession.open(config, {
        auth: this.#authFor(config),
        server: this.name,
        timing,
        logLevel,
        questions,
        sample,
        local,
        events,
        prior: this.#verdict,
        onLost: reason => this.#lose(reason),
        onStderr: text => this.#output.writeStderr(text),
        onLog: message => this.#output.addMessage(message),
        signal,
        logger: this.#output.logger,
      });
    const session = await (config.type === 'stdio' && !local ? takeTurn(open) : open());
    this.#verdict = session.verdict;
    this.#adopted = adopts?.(session);
    this.#session = session;
    this.#instructions = session.instructions && secrets.redactStart(session.instructions, MAX_INSTRUCTIONS_LENGTH);
    const ended = settle<void>(end => this.#endsWith(end), { signal }).catch(() => {});
    this.#failure = undefined;
    const unfollow = this.#lists.follow({
      session,
      publisher: this.#adopted ?? session,
      onIdle: () => this.#sleep(),
    });
    this.cached = undefined;
    this.#become('ready');
    this.#adopted?.start();
    await ended;
    this.#drop(session);
    // Its resources are gone before its process is.
    if (this.#state === 'ready') events.emit('state', { server: this.name });
    await unfollow();
    await session.close();
    this.#output.endStderr();
  }

  /** The same for all sessions, so that they share its tokens. */
  #authFor(config: CompleteMCPServerConfig): ServerAuth | undefined {
    const { authorise, events } = this.#options;
    this.#auth ??= authorise(config, this.#origin, () => events.emit('state', { server: this.name }));
    return this.#auth;
  }

  async #authorisation(signal = new AbortController().signal): Promise<ServerAuth> {
    const config = await this.#options.resolve(this.#config, { origin: this.#origin, signal });
    const auth = this.isLocal ? undefined : this.#authFor(config);
    if (auth) return auth;
    throw needsNoSignIn(config);
  }

  #dropAuth(): void {
    this.#auth?.close();
    this.#auth = undefined;
  }

  /** The server that has its `bundle_id`, if that is another. */
  get #rival(): { readonly name: string } | undefined {
    const owner = this.#options.ownerOf(this.#config.bundle_id);
    return owner === this ? undefined : owner;
  }

  #refuseTakenId(): void {
    const rival = this.#rival;
    if (!rival) return;
    const { bundle_id } = this.#config;
    const taken = `'${bundle_id}' is the bundle_id of MCP server '${rival.name}' too: set another 'bundle_id' for one`;
    throw new ConfigError(`servers.${this.name}.bundle_id`, taken);
  }

  #endsWith(end: () => void): undefined {
    this.#end = end;
  }

  /** Ends the present session at once. Its tools stay listed: the restart is expected to bring them back. */
  #lose(reason: string): void {
    if (this.#state !== 'ready') return;
    const error = this.#options.secrets.redact(reason);
    // A lazy one need not return before it is used.
    if (this.#lists.maySleep) this.#sleep(error);
    else {
      this.#drop(this.#session);
      this.#lostAt = Date.now();
      this.#become('starting', error);
      this.#end();
    }
  }

  #drop(session: McpSession | undefined): void {
    if (!session) return;
    this.#tools = session.tools;
    this.#session = undefined;
    this.#adopted?.close();
    this.#adopted = undefined;
  }
}
