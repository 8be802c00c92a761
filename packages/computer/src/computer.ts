import { type ConnectionState, Emitter, type ListenOptions } from '@a2c-smcp/peer';
import {
  type CallToolResult,
  type ComputerConfig,
  type GetComputerConfigRet,
  type Logger,
  type MCPServerConfig,
  type MCPServerInput,
  parseComputerConfig,
  type SMCPTool,
  silentLogger,
} from '@a2c-smcp/protocol';
import { secretsOf } from './config/credentials.ts';
import { readConfigFile } from './config/file.ts';
import { maskConfig } from './config/mask.ts';
import { watchFile } from './config/watch.ts';
import { type DesktopQuery, showDesktop } from './desktop/show.ts';
import type { FinderPage } from './finder/organize.ts';
import { type FinderQuery, showFinder } from './finder/show.ts';
import { Inputs } from './inputs/inputs.ts';
import { memoryStore } from './inputs/store.ts';
import { commandOutput } from './mcp/command-output.ts';
import type { McpServerStatus } from './mcp/mcp-server-types.ts';
import { McpServers } from './mcp/servers.ts';
import type { Offers } from './office/desk.ts';
import { type JoinOptions, Presence } from './office/presence.ts';
import type { ComputerOptions } from './options.ts';
import { listPage, readResource } from './resources/bridge.ts';
import { readDpe } from './resources/dpe.ts';
import { Secrets } from './secrets.ts';
import { localRequestId, ToolCalls } from './tools/calls.ts';
import { buildCatalog, type Catalog } from './tools/catalog.ts';
import { History, type ToolCallRecord } from './tools/history.ts';
import { Published } from './views/published.ts';

/** What a Computer tells whoever runs it. */
export interface ComputerEvents {
  /** The tools that an Agent sees may have changed. */
  tools: readonly SMCPTool[];
  /** An MCP server changed its state. */
  servers: McpServerStatus[];
  /** Windows may have changed; a storm of changes comes as few. */
  desktop: undefined;
  /** Documents may have changed; a storm of changes comes as few. */
  finder: undefined;
  connection: ConnectionState;
  /** The configuration file was changed but cannot be used; the former configuration stays in force. */
  configError: Error;
}

export interface LocalToolCall {
  tool: string;
  params?: Record<string, unknown>;
  /** Milliseconds. @default 60_000 */
  timeout?: number;
  signal?: AbortSignal;
}

/**
 * Hosts MCP servers and offers their tools and resources to the Agent of an office. It works without an office too;
 * its servers run from `open` to `close`, wherever it is joined meanwhile.
 */
export class Computer implements AsyncDisposable {
  readonly name: string;
  readonly #options: ComputerOptions;
  readonly #logger: Logger;
  readonly #secrets = new Secrets();
  readonly #history = new History();
  readonly #events = new Emitter<ComputerEvents>();
  readonly #closed = new AbortController();
  readonly #inputs: Inputs;
  readonly #servers: McpServers;
  readonly #published: Published;
  readonly #calls: ToolCalls;
  readonly #diagnosed = new Set<string>();
  #catalog: Catalog | undefined;
  #presence: Presence | undefined;
  #fileConfig: ComputerConfig | undefined;
  #watcher: { close(): void } | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: ComputerOptions) {
    const {
      name,
      ask,
      confirm,
      transformer,
      store = memoryStore(),
      env = process.env,
      logger = silentLogger,
    } = options;
    const { startTimeout = 60_000, requestTimeout = 30_000, pingInterval = 30_000 } = options;
    this.name = name;
    this.#options = options;
    this.#logger = this.#secrets.guard(logger);
    const common = { logger: this.#logger, redact: this.#secrets.redact };
    this.#inputs = new Inputs({
      ...common,
      definitions: [],
      env,
      store,
      ask,
      run: commandOutput,
      secrets: this.#secrets,
      signal: this.#closed.signal,
    });
    this.#servers = new McpServers({
      ...common,
      timing: { startTimeout, requestTimeout, pingInterval, pingTimeout: Math.min(10_000, requestTimeout) },
      resolve: async (config, signal) => {
        await transformer?.prepare(config);
        const filled = await this.#inputs.fill(config, signal);
        this.#secrets.add(secretsOf(filled));
        return filled;
      },
    });
    this.#servers.on('changed', () => this.#serversChanged());
    this.#published = new Published(this.#servers, this.#logger);
    this.#published.onChanged(view => this.#events.emit(view, undefined));
    this.#calls = new ToolCalls({
      ...common,
      catalog: () => this.#tools(),
      server: server => this.#servers.get(server),
      history: this.#history,
      confirm,
      transformer,
    });
  }

  /**
   * Starts the MCP servers and returns once each is ready or has failed. One that fails stands in `status()` with its
   * reason and is tried again; the others work. Throws a `ConfigError` when the configuration cannot be read.
   */
  static async open(options: ComputerOptions): Promise<Computer> {
    const { configFile, servers = {}, inputs = [], patience = 10_000 } = options;
    const own = parseComputerConfig({ inputs, servers });
    const file = configFile === undefined ? undefined : await readConfigFile(configFile);
    const computer = new Computer(options);
    computer.#inputs.define(mergeInputs(file?.inputs, own.inputs));
    await computer.#servers.replace([], Object.values({ ...file?.servers, ...own.servers }));
    if (configFile !== undefined) {
      computer.#fileConfig = file;
      computer.#watcher = watchFile(configFile, () => computer.#reload(configFile));
    }
    await computer.#servers.settled(patience);
    await computer.#published.settled();
    return computer;
  }

  /** Enters an office, leaving the present one. It comes back by itself whenever the connection is lost. */
  async join(url: string, options: JoinOptions): Promise<void> {
    await this.leave();
    this.#presence = await Presence.join(url, options, {
      name: this.name,
      offers: this.#offers(),
      followViews: listener => this.#published.onChanged(listener),
      onConnection: state => this.#events.emit('connection', state),
      logger: this.#logger,
    });
    this.#events.emit('connection', { type: 'joined' });
  }

  async leave(): Promise<void> {
    const presence = this.#presence;
    this.#presence = undefined;
    await presence?.leave();
  }

  /** The office it belongs to, whether the connection holds at the moment or not. */
  get office(): string | undefined {
    return this.#presence?.office;
  }

  /** The tools as an Agent sees them. */
  get tools(): readonly SMCPTool[] {
    return this.#tools().tools;
  }

  /** The last tool calls, oldest first. */
  get history(): readonly ToolCallRecord[] {
    return this.#history.records;
  }

  /** The configuration as an Agent sees it: placeholders unresolved, literal credentials masked. */
  get config(): GetComputerConfigRet {
    const { configs } = this.#servers;
    const { definitions } = this.#inputs;
    if (this.#options.exposeSecrets !== true) return maskConfig(definitions, configs);
    return { inputs: [...definitions], servers: Object.fromEntries(configs.map(config => [config.name, config])) };
  }

  status(): McpServerStatus[] {
    return this.#servers.status();
  }

  /** The last lines that an MCP server wrote to its standard error, secrets masked. */
  stderr(server: string): string[] {
    return this.#servers.require(server).stderr();
  }

  /** Adds a server, or takes the changed configuration of one it has. Resolves when it is ready or has failed. */
  async addServer(config: MCPServerConfig): Promise<McpServerStatus> {
    const { servers } = parseComputerConfig({ servers: { [config.name]: config } });
    await this.#servers.put(servers[config.name] ?? config);
    return this.#settled(config.name);
  }

  async removeServer(name: string): Promise<void> {
    this.#servers.require(name);
    await this.#servers.remove(name);
    this.#serversChanged();
  }

  /** Starts a server anew. Resolves when it is ready or has failed. */
  async restartServer(name: string): Promise<McpServerStatus> {
    await this.#servers.require(name).restart();
    return this.#settled(name);
  }

  enableServer(name: string): Promise<McpServerStatus> {
    return this.addServer({ ...this.#servers.require(name).config, disabled: false });
  }

  /** Stops a server but keeps it in the configuration. */
  disableServer(name: string): Promise<McpServerStatus> {
    return this.addServer({ ...this.#servers.require(name).config, disabled: true });
  }

  /** Replaces the definitions of the inputs. Servers notice when they start the next time. */
  setInputs(inputs: readonly MCPServerInput[]): void {
    this.#inputs.define(parseComputerConfig({ inputs, servers: {} }).inputs);
    this.#presence?.changed();
  }

  /** Gives an input a value, and starts the servers again that wait for one. */
  async setInput(id: string, value: string): Promise<void> {
    await this.#inputs.set(id, value);
    const waiting = this.#servers.all.filter(({ state, config }) => state === 'failed' && refersTo(config, id));
    await Promise.all(waiting.map(server => server.restart()));
  }

  /** Forgets the value of an input, or of all inputs, also in the store. */
  clearInput(id?: string): Promise<void> {
    return this.#inputs.clear(id);
  }

  /** Runs a tool from this machine, under the rules that hold for an Agent. */
  async callTool({ tool, params = {}, timeout = 60_000, signal }: LocalToolCall): Promise<CallToolResult> {
    const identity = { agent: '', req_id: localRequestId() };
    const cancel = () => this.#calls.cancel(identity);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const seconds = Math.ceil(timeout / 1000);
      return await this.#calls.call({ ...identity, computer: this.name, tool_name: tool, params, timeout: seconds });
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** The windows of its MCP servers as an Agent sees them, the most important first. */
  desktop(query: DesktopQuery = {}): Promise<string[]> {
    return showDesktop(this.#published, query, this.#history.servers);
  }

  /** One page of the documents of its MCP servers as an Agent sees them. */
  finder(query: FinderQuery = {}): Promise<FinderPage> {
    return showFinder(this.#published, query, this.#history.servers);
  }

  /** Follows what happens. Returns a function that stops it, as firing `signal` does. */
  on<K extends keyof ComputerEvents>(
    event: K,
    listener: (payload: ComputerEvents[K]) => void,
    options?: ListenOptions,
  ): () => void {
    return this.#events.on(event, listener, options);
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
    this.#watcher?.close();
    this.#calls.close();
    this.#published.close();
    await this.leave();
    this.#closed.abort();
    await this.#servers.close();
  }

  #offers(): Offers {
    return {
      callTool: request => this.#calls.call(request),
      cancelToolCall: request => this.#calls.cancel(request),
      tools: () => this.tools,
      config: () => this.config,
      resources: (server, cursor) => listPage(this.#servers, server, cursor),
      readResource: ({ uri, mcp_server, timeout }) =>
        readResource(this.#servers, uri, { server: mcp_server, timeout: milliseconds(timeout) }),
      desktop: ({ desktop_size: size, window, max_chars: maxChars }) => this.desktop({ size, window, maxChars }),
      finder: ({ keywords, file_type: fileType, offset, limit }) => this.finder({ keywords, fileType, offset, limit }),
      readDpe: ({ uri, timeout }) => readDpe(this.#servers, this.#published, { uri, timeout: milliseconds(timeout) }),
    };
  }

  async #settled(name: string): Promise<McpServerStatus> {
    const server = this.#servers.require(name);
    await server.settled();
    return server.status();
  }

  #serversChanged(): void {
    this.#catalog = undefined;
    this.#presence?.changed();
    this.#events.emit('servers', this.status());
    this.#events.emit('tools', this.tools);
  }

  #tools(): Catalog {
    this.#catalog ??= this.#buildCatalog();
    return this.#catalog;
  }

  #buildCatalog(): Catalog {
    const catalog = buildCatalog(this.#servers.all.map(({ config, tools }) => ({ config, tools })));
    for (const diagnostic of catalog.diagnostics) {
      if (!this.#diagnosed.has(diagnostic)) this.#logger.warn(diagnostic);
      this.#diagnosed.add(diagnostic);
    }
    return catalog;
  }

  async #reload(path: string): Promise<void> {
    try {
      const before = this.#fileConfig;
      const after = await readConfigFile(path);
      if (this.#closing) return;
      this.#fileConfig = after;
      this.#inputs.define(mergeInputs(after.inputs, this.#options.inputs));
      await this.#servers.replace(Object.values(before?.servers ?? {}), Object.values(after.servers));
      this.#serversChanged();
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      this.#logger.error('The configuration file cannot be used', { file: path, error: problem });
      this.#events.emit('configError', problem);
    }
  }
}

/** The wire speaks seconds. */
function milliseconds(seconds: number | null | undefined): number | undefined {
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

/** All inputs; where an id is given twice, the later one. */
function mergeInputs(...lists: (readonly MCPServerInput[] | undefined)[]): MCPServerInput[] {
  return [...new Map(lists.flatMap(list => list ?? []).map(input => [input.id, input])).values()];
}

function refersTo(config: MCPServerConfig, id: string): boolean {
  return JSON.stringify(config.server_parameters).includes(`\${input:${id}}`);
}
