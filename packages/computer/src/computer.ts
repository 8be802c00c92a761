import { realpath } from 'node:fs/promises';
import { Emitter, type ListenOptions } from '@a2c-smcp/core';
import type { ConnectionState } from '@a2c-smcp/peer';
import {
  type A2CSkillRef,
  type CallToolResult,
  type GetComputerConfigRet,
  type MCPServerConfig,
  type MCPServerInput,
  type PolicyRule,
  parseComputerConfig,
  type ResourceContents,
  type SMCPTool,
} from '@a2c-smcp/protocol';
import { type AttentionItem, attentionOf } from './attention.ts';
import type { AddServerOptions, ComputerEvents, LocalToolCall } from './computer-types.ts';
import type { LoadedConfig } from './config/file.ts';
import { FollowedFile } from './config/followed-file.ts';
import { fileOrigin, namedOrigin, type Origin } from './config/origin.ts';
import { refersTo } from './config/placeholders.ts';
import type { ConsentControls } from './consent/controls.ts';
import { type DesktopQuery, showDesktop } from './desktop/show.ts';
import type { FinderPage, FinderQuery } from './finder/organize.ts';
import { showFinder } from './finder/show.ts';
import { type InputSource, mergeInputs } from './inputs/inputs.ts';
import { localServers } from './local-servers.ts';
import type { ServerLogLine } from './mcp/server-log.ts';
import type { McpServerStatus } from './mcp/supervisor/status.ts';
import type { SignInOptions } from './oauth/sign-in.ts';
import type { JoinOptions, Presence } from './office/presence.ts';
import type { ComputerOptions } from './options.ts';
import type { Questions } from './questions/questions.ts';
import { type PublishedByServer, publishedBy } from './resources/published.ts';
import { readDpe } from './resources/read.ts';
import { isView } from './resources/view.ts';
import { Runtime } from './runtime.ts';
import type { PendingCall, ToolCallRecord } from './tools/calls.ts';

/**
 * Hosts MCP servers and offers their tools and resources to the Agent of an office. It works without an office too;
 * its servers run from `open` to `close`, wherever it is joined meanwhile.
 */
export class Computer implements AsyncDisposable {
  readonly name: string;
  readonly #options: ComputerOptions;
  readonly #runtime: Runtime;
  readonly #events: Emitter<ComputerEvents>;
  #presence: Presence | undefined;
  /** Aborts a pending join. */
  #joining: AbortController | undefined;
  readonly #file: FollowedFile | undefined;
  /** The origin of the servers in the options and of those added later. */
  readonly #ownOrigin: Origin;
  #closing: Promise<void> | undefined;
  /** Why the changed configuration file is not in force. */
  #configError: Error | undefined;

  private constructor(options: ComputerOptions, file: FollowedFile | undefined) {
    this.name = options.name;
    this.#file = file;
    this.#options = options;
    this.#runtime = new Runtime(options);
    this.#ownOrigin = namedOrigin(options.configuration ?? options.name);
    this.#events = new Emitter({ logger: this.#runtime.logger });
    const { servers } = this.#runtime;
    servers.events.on('state', () => this.#changed());
    servers.events.on('tools-changed', () => this.#changed());
    servers.events.on('log', line => this.#events.emit('log', line));
  }

  /**
   * Starts the MCP servers. Resolves once each is ready, has failed, or is listed from `catalogFolder` while it starts; failed
   * ones are started again. Throws a `ConfigError` when the configuration cannot be read.
   */
  static async open(options: ComputerOptions): Promise<Computer> {
    const { configFile, servers = {}, inputs = [], policy = [], patience = 10_000 } = options;
    const own = parseComputerConfig({ inputs, servers, policy });
    const file = configFile === undefined ? undefined : await FollowedFile.open(configFile);
    const config = file?.current.config;
    const computer = new Computer(options, file);
    computer.#followFile();
    computer.#runtime.inputs.define(mergeInputs(config?.inputs, own.inputs));
    computer.#runtime.setQuestions(options.questions ?? config?.questions ?? {});
    try {
      await computer.#runtime.start(options, [...own.policy, ...(config?.policy ?? [])]);
      for (const { config: entry, local } of localServers(options)) {
        await computer.#runtime.servers.putLocal(entry, computer.#ownOrigin, local);
      }
      const all = Object.values({ ...config?.servers, ...own.servers });
      await computer.#runtime.servers.replace([], all, name => computer.#originOf(name));
      await computer.#runtime.servers.settled(patience);
      await computer.#runtime.resources.settled();
      return computer;
    } catch (error) {
      await computer.close();
      throw error;
    }
  }

  /**
   * Enters an office, leaving the present one. It reconnects and rejoins whenever the connection is lost. Rejects when the
   * Computer is closed, leaves or joins another office meanwhile. Of several URLs, which lead to the same offices, the
   * first whose Server takes connections is used.
   */
  async join(url: string | readonly string[], options: JoinOptions): Promise<void> {
    if (this.#closing) throw new TypeError('This computer is closed');
    const left = this.leave();
    const joining = new AbortController();
    this.#joining = joining;
    await left;
    const { Presence } = await import('./office/presence.ts'); // Loads Socket.IO while MCP servers start.
    const signal = options.signal ? AbortSignal.any([options.signal, joining.signal]) : joining.signal;
    let presence: Presence | undefined;
    const onConnection = (state: ConnectionState) => {
      if (state.type === 'closed' && this.#presence === presence) this.#presence = undefined;
      this.#events.emit('connection', state);
    };
    const context = { name: this.name, runtime: this.#runtime, onConnection };
    presence = await Presence.join(url, { ...options, signal }, context);
    if (joining.signal.aborted) {
      await presence.leave();
      throw joining.signal.reason;
    }
    this.#presence = presence;
    this.#events.emit('connection', { type: 'joined' });
  }

  async leave(): Promise<void> {
    this.#joining?.abort(new Error('The computer was closed, left, or joined another office'));
    this.#joining = undefined;
    const presence = this.#presence;
    this.#presence = undefined;
    await presence?.leave();
  }

  /** The office it belongs to, whether the connection holds at the moment or not. */
  get office(): string | undefined {
    return this.#presence?.office;
  }

  /** The tools as an Agent of protocol 0.2 sees them. For later ones the `bundle_id` precedes each name. */
  get tools(): readonly SMCPTool[] {
    return this.#runtime.tools.list('plain');
  }

  /** Everything the owner is asked: confirmations, questions of MCP servers, missing inputs. Faces answer them. */
  get questions(): Questions {
    return this.#runtime.questions;
  }

  /** The decisions of its owner: why a call may run, and which definitions of tools are pinned. */
  get consent(): ConsentControls {
    return this.#runtime.controls;
  }

  /** The last tool calls, oldest first. */
  get history(): readonly ToolCallRecord[] {
    return this.#runtime.calls.history;
  }

  /** The tool calls that have not ended, oldest first. */
  get pendingCalls(): readonly PendingCall[] {
    return this.#runtime.calls.pending;
  }

  /** Cancels a pending call; its Agent reads that the owner did. False when it has ended already. */
  cancelCall(id: number): boolean {
    return this.#runtime.calls.stop(id);
  }

  /** The rules about tool calls that are in force, those of the options first. */
  get policy(): readonly PolicyRule[] {
    return [...(this.#options.policy ?? []), ...(this.#file?.current.config.policy ?? [])];
  }

  /** Everything that waits for its owner, the most urgent first. */
  attention(): Promise<AttentionItem[]> {
    return attentionOf(this, this.#configError);
  }

  /** The definitions of the inputs as they were given, for the owner of this machine: nothing is masked. */
  get inputs(): readonly MCPServerInput[] {
    return this.#runtime.inputs.definitions;
  }

  /** The configuration as an Agent of protocol 0.2 sees it: placeholders unresolved, literals masked unless known to be harmless. */
  get config(): GetComputerConfigRet {
    return this.#runtime.config();
  }

  status(): McpServerStatus[] {
    return this.#runtime.servers.status();
  }

  /** The resident bytes of all processes of each MCP server, by name. Servers that are not processes are left out. */
  async memory(): Promise<Map<string, number>> {
    const { memoryOf } = await import('./mcp/process/group-memory.ts');
    return memoryOf(this.status());
  }

  /** The status of a server once it is no longer starting. */
  settled(name: string): Promise<McpServerStatus> {
    return this.#runtime.servers.settledStatus(name);
  }

  /** The last lines that an MCP server wrote to its standard error, secrets masked. */
  stderr(server: string): string[] {
    return this.#runtime.servers.require(server).stderr();
  }

  /** The last lines of an MCP server on its standard error, and its last log messages, secrets masked. */
  logs(server: string): ServerLogLine[] {
    return this.#runtime.servers.require(server).log;
  }

  /** Applies the configuration file now, without waiting for its change to be noticed. Rejects when it cannot be used. */
  async reloadConfig(): Promise<void> {
    await this.#file?.reload();
  }

  /** Adds a server, or applies its changed configuration. Resolves when it is ready or has failed. */
  async addServer(config: MCPServerConfig, { file }: AddServerOptions = {}): Promise<McpServerStatus> {
    return this.#put(config, file === undefined ? this.#ownOrigin : fileOrigin(await realpath(file)));
  }

  /** Stops a server and removes it. */
  async removeServer(name: string): Promise<void> {
    this.#runtime.servers.require(name);
    await this.#runtime.servers.remove(name);
  }

  /** Restarts a server. Resolves when it is ready or has failed. */
  async restartServer(name: string): Promise<McpServerStatus> {
    await this.#runtime.servers.restart(name);
    return this.settled(name);
  }

  /**
   * Has a person sign in to an MCP server, in the place of a pending sign-in. Resolves when the server is connected anew or
   * has failed. Rejects if nobody signs in within 10 minutes, or when the signal fires.
   */
  signIn(name: string, options: SignInOptions): Promise<McpServerStatus> {
    return this.#runtime.servers.signIn(name, options);
  }

  /** Gives the tokens for an MCP server back, and forgets them. */
  signOut(name: string): Promise<McpServerStatus> {
    return this.#runtime.servers.signOut(name);
  }

  async enableServer(name: string): Promise<McpServerStatus> {
    return this.#change(name, { disabled: false });
  }

  /** Stops a server but keeps it in the configuration. */
  async disableServer(name: string): Promise<McpServerStatus> {
    return this.#change(name, { disabled: true });
  }

  /** Replaces the definitions of the inputs. They apply to servers at their next start. */
  setInputs(inputs: readonly MCPServerInput[]): void {
    this.#runtime.inputs.define(parseComputerConfig({ inputs, servers: {} }).inputs);
    this.#presence?.changed();
  }

  /** Gives an input a value for all servers but those of other files, and restarts those that failed for want of one. */
  async setInput(id: string, value: string): Promise<void> {
    await this.#runtime.inputs.set(id, value, this.#origins());
    await this.#runtime.servers.restartFailed(({ config }) => refersTo(config, id));
  }

  /** The value that the store has for an input, for the servers of the configuration file or else of the options. */
  storedInput(id: string): Promise<string | undefined> {
    return this.#runtime.inputs.stored(id, this.#file?.current.origin ?? this.#ownOrigin);
  }

  /** The sources of an input's value: one for each MCP server that refers to it, or one if none does. */
  inputSources(id: string): Promise<InputSource[]> {
    return this.#runtime.inputSources(id, this.#file?.current.origin ?? this.#ownOrigin);
  }

  /** Deletes the value of an input, or of all inputs, also in the store. */
  clearInput(id?: string): Promise<void> {
    return this.#runtime.inputs.clear(id, this.#origins());
  }

  /** The text with the secrets of this Computer masked. */
  redact(text: string): string {
    return this.#runtime.secrets.redact(text);
  }

  /** Runs a tool from this machine, under the rules that hold for an Agent. */
  async callTool({ tool, params = {}, timeout = 60_000, signal, onProgress }: LocalToolCall): Promise<CallToolResult> {
    return this.#runtime.calls.callLocally({ tool, params, timeout, onProgress }, signal);
  }

  /** The windows of its MCP servers as an Agent sees them, the most important first. */
  desktop(query: DesktopQuery = {}): Promise<string[]> {
    return showDesktop(this.#runtime.resources, query, this.#runtime.calls.usedServers);
  }

  /** One page of the documents of its MCP servers as an Agent sees them, or of the pages that mention some words. */
  finder(query: FinderQuery = {}): Promise<FinderPage> {
    return showFinder(this.#runtime.resources, query, this.#runtime.finderContext);
  }

  /** The contents of a `dpe://` URI of any level, as an Agent reads them. */
  readDocument(uri: string): Promise<ResourceContents[]> {
    return readDpe(this.#runtime.resources, uri);
  }

  /** The resources of an MCP server, unfiltered and unchanged. Rejects when it is not ready. */
  published(server: string): Promise<PublishedByServer> {
    return publishedBy(this.#runtime.servers.require(server));
  }

  /** Its skills as an Agent sees them. */
  skills(): Promise<A2CSkillRef[]> {
    return this.#runtime.skills.list();
  }

  /** Subscribes to an event. Returns a function that ends the subscription, as firing `signal` does. */
  on<K extends keyof ComputerEvents>(
    event: K,
    listener: (payload: ComputerEvents[K]) => void,
    options?: ListenOptions,
  ): () => void {
    const { resources, calls } = this.#runtime;
    const source = isView(event) ? resources.events : event.startsWith('call') ? calls.events : this.#events;
    return (source as Emitter<ComputerEvents>).on(event, listener, options);
  }

  /** Leaves the office and stops all MCP servers. When it resolves, no process of theirs is left. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#file?.close();
    // Before leaving, so that the Agent gets the results of its aborted calls.
    this.#runtime.calls.close();
    await this.leave();
    await this.#runtime.close();
  }

  #origins(): Origin[] {
    return this.#file ? [this.#file.current.origin, this.#ownOrigin] : [this.#ownOrigin];
  }

  /** The origin of a server that is there from the start: where both have it, the options come first. */
  #originOf(name: string): Origin {
    const isOwn = Object.hasOwn(this.#options.servers ?? {}, name);
    return isOwn ? this.#ownOrigin : (this.#file?.current.origin ?? this.#ownOrigin);
  }

  async #put(config: MCPServerConfig, origin: Origin): Promise<McpServerStatus> {
    const { servers } = parseComputerConfig({ servers: { [config.name]: config } });
    await this.#runtime.servers.put(servers[config.name] ?? config, origin);
    return this.settled(config.name);
  }

  #change(name: string, fields: { disabled: boolean }): Promise<McpServerStatus> {
    const { config, origin } = this.#runtime.servers.require(name);
    return this.#put({ ...config, ...fields }, origin);
  }

  #changed(): void {
    this.#events.emit('servers', this.status());
    if (this.#runtime.tools.hasNews()) this.#events.emit('tools', this.tools);
  }

  #followFile(): void {
    const { inputs, servers, logger } = this.#runtime;
    // Servers of the options replace those of the file.
    const own = this.#options.servers ?? {};
    const serversOf = ({ config }: LoadedConfig) =>
      Object.values(config.servers).filter(({ name }) => !Object.hasOwn(own, name));
    this.#file?.follow({
      logger,
      apply: async (now, before) => {
        await this.#runtime.setPolicy([...(this.#options.policy ?? []), ...now.config.policy]);
        inputs.define(mergeInputs(now.config.inputs, this.#options.inputs));
        this.#runtime.setQuestions(this.#options.questions ?? now.config.questions);
        this.#configError = undefined;
        await servers.replace(serversOf(before), serversOf(now), () => now.origin);
      },
      onError: error => {
        const { configFile: file } = this.#options;
        logger.error('The changed configuration file cannot be used', { file, error: error.message });
        this.#configError = error;
        this.#events.emit('configError', error);
      },
    });
  }
}
