import { type ConnectionState, Emitter, type ListenOptions } from '@a2c-smcp/peer';
import {
  type CallToolResult,
  type ComputerConfig,
  type GetComputerConfigRet,
  type MCPServerConfig,
  type MCPServerInput,
  parseComputerConfig,
  type SMCPTool,
} from '@a2c-smcp/protocol';
import { readConfigFile } from './config/file.ts';
import { watchFile } from './config/watch.ts';
import { type DesktopQuery, showDesktop } from './desktop/show.ts';
import type { FinderPage } from './finder/organize.ts';
import { type FinderQuery, showFinder } from './finder/show.ts';
import { Host } from './host.ts';
import type { McpServerStatus } from './mcp/mcp-server-types.ts';
import { type JoinOptions, Presence } from './office/presence.ts';
import type { ComputerOptions } from './options.ts';
import { localRequestId } from './tools/calls.ts';
import type { ToolCallRecord } from './tools/history.ts';

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
  readonly #host: Host;
  readonly #events = new Emitter<ComputerEvents>();
  #presence: Presence | undefined;
  #fileConfig: ComputerConfig | undefined;
  #watcher: { close(): void } | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: ComputerOptions) {
    this.name = options.name;
    this.#options = options;
    this.#host = new Host(options);
    this.#host.servers.on('changed', () => this.#changed());
    this.#host.published.onChanged(view => this.#events.emit(view, undefined));
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
    computer.#fileConfig = file;
    if (configFile !== undefined) computer.#watcher = watchFile(configFile, () => computer.#reload(configFile));
    computer.#host.inputs.define(mergeInputs(file?.inputs, own.inputs));
    await computer.#host.servers.replace([], Object.values({ ...file?.servers, ...own.servers }));
    await computer.#host.servers.settled(patience);
    await computer.#host.published.settled();
    return computer;
  }

  /** Enters an office, leaving the present one. It comes back by itself whenever the connection is lost. */
  async join(url: string, options: JoinOptions): Promise<void> {
    await this.leave();
    this.#presence = await Presence.join(url, options, {
      name: this.name,
      offers: this.#host,
      followViews: listener => this.#host.published.onChanged(listener),
      onConnection: state => {
        if (state.type === 'closed') this.#presence = undefined;
        this.#events.emit('connection', state);
      },
      logger: this.#host.logger,
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
    return this.#host.tools();
  }

  /** The last tool calls, oldest first. */
  get history(): readonly ToolCallRecord[] {
    return this.#host.history.records;
  }

  /** The configuration as an Agent sees it: placeholders unresolved, literal credentials masked. */
  get config(): GetComputerConfigRet {
    return this.#host.config();
  }

  status(): McpServerStatus[] {
    return this.#host.servers.status();
  }

  /** The last lines that an MCP server wrote to its standard error, secrets masked. */
  stderr(server: string): string[] {
    return this.#host.servers.require(server).stderr();
  }

  /** Adds a server, or takes the changed configuration of one it has. Resolves when it is ready or has failed. */
  async addServer(config: MCPServerConfig): Promise<McpServerStatus> {
    const { servers } = parseComputerConfig({ servers: { [config.name]: config } });
    await this.#host.servers.put(servers[config.name] ?? config);
    return this.#settled(config.name);
  }

  /** Stops a server and forgets it. */
  async removeServer(name: string): Promise<void> {
    this.#host.servers.require(name);
    await this.#host.servers.remove(name);
  }

  /** Starts a server anew. Resolves when it is ready or has failed. */
  async restartServer(name: string): Promise<McpServerStatus> {
    await this.#host.servers.restart(name);
    return this.#settled(name);
  }

  enableServer(name: string): Promise<McpServerStatus> {
    return this.addServer({ ...this.#host.servers.require(name).config, disabled: false });
  }

  /** Stops a server but keeps it in the configuration. */
  disableServer(name: string): Promise<McpServerStatus> {
    return this.addServer({ ...this.#host.servers.require(name).config, disabled: true });
  }

  /** Replaces the definitions of the inputs. Servers notice when they start the next time. */
  setInputs(inputs: readonly MCPServerInput[]): void {
    this.#host.inputs.define(parseComputerConfig({ inputs, servers: {} }).inputs);
    this.#presence?.changed();
  }

  /** Gives an input a value, and starts the servers again that wait for one. */
  async setInput(id: string, value: string): Promise<void> {
    await this.#host.inputs.set(id, value);
    const waiting = this.#host.servers.all.filter(({ state, config }) => state === 'failed' && refersTo(config, id));
    await Promise.all(waiting.map(server => this.#host.servers.restart(server.name)));
  }

  /** Forgets the value of an input, or of all inputs, also in the store. */
  clearInput(id?: string): Promise<void> {
    return this.#host.inputs.clear(id);
  }

  /** Runs a tool from this machine, under the rules that hold for an Agent. */
  async callTool({ tool, params = {}, timeout = 60_000, signal }: LocalToolCall): Promise<CallToolResult> {
    const identity = { agent: '', req_id: localRequestId() };
    const cancel = () => this.#host.calls.cancel(identity);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const seconds = Math.ceil(timeout / 1000);
      const request = { ...identity, computer: this.name, tool_name: tool, params, timeout: seconds };
      return await this.#host.calls.call(request);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** The windows of its MCP servers as an Agent sees them, the most important first. */
  desktop(query: DesktopQuery = {}): Promise<string[]> {
    return showDesktop(this.#host.published, query, this.#host.history.servers);
  }

  /** One page of the documents of its MCP servers as an Agent sees them. */
  finder(query: FinderQuery = {}): Promise<FinderPage> {
    return showFinder(this.#host.published, query, this.#host.history.servers);
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
    // While still in the office, so that the Agent hears why its calls end.
    this.#host.calls.close();
    await this.leave();
    await this.#host.close();
  }

  async #settled(name: string): Promise<McpServerStatus> {
    const server = this.#host.servers.require(name);
    await server.settled();
    return server.status();
  }

  #changed(): void {
    this.#presence?.changed();
    this.#events.emit('servers', this.status());
    this.#events.emit('tools', this.tools);
  }

  async #reload(path: string): Promise<void> {
    try {
      const before = Object.values(this.#fileConfig?.servers ?? {});
      const after = await readConfigFile(path);
      if (this.#closing) return;
      this.#fileConfig = after;
      this.#host.inputs.define(mergeInputs(after.inputs, this.#options.inputs));
      await this.#host.servers.replace(before, Object.values(after.servers));
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      this.#host.logger.error('The configuration file cannot be used', { file: path, error: problem });
      this.#events.emit('configError', problem);
    }
  }
}

/** All inputs; where an id is given twice, the later one. */
function mergeInputs(...lists: (readonly MCPServerInput[] | undefined)[]): MCPServerInput[] {
  return [...new Map(lists.flatMap(list => list ?? []).map(input => [input.id, input])).values()];
}

function refersTo(config: MCPServerConfig, id: string): boolean {
  return JSON.stringify(config.server_parameters).includes(`\${input:${id}}`);
}
