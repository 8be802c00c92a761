import { Emitter, SerialQueue, settle } from '@a2c-smcp/core';
import {
  type CompleteMCPServerConfig,
  ConfigError,
  completeServerConfig,
  ErrorCode,
  type MCPServerConfig,
  SmcpError,
} from '@a2c-smcp/protocol';
import type { Origin } from '../../config/origin.ts';
import type { McpEvents } from '../events.ts';
import type { LocalMcpServer } from '../transport/local.ts';
import { McpServer, type McpServerOptions, type McpServerStatus } from './mcp-server.ts';

type McpServersOptions = Omit<McpServerOptions, 'events' | 'origin' | 'local'>;

/** All MCP servers of a Computer, in the order of the configuration. Each starts and fails independently. */
export class McpServers {
  /** Events of all servers and their sessions. */
  readonly events: Emitter<McpEvents>;
  readonly #options: McpServersOptions;
  readonly #changes = new SerialQueue();
  #servers = new Map<string, McpServer>();
  #closed = false;

  constructor(options: McpServersOptions) {
    this.#options = options;
    this.events = new Emitter({ logger: options.logger });
  }

  get all(): McpServer[] {
    return [...this.#servers.values()];
  }

  get(name: string): McpServer | undefined {
    return this.#servers.get(name);
  }

  /** The server of that name; throws 4014 when there is none. */
  require(name: string): McpServer {
    const server = this.#servers.get(name);
    if (server) return server;
    throw new SmcpError(ErrorCode.McpServerNotFound, `No MCP server '${name}' on this computer`, {
      details: { mcp_server: name, mcp_server_name: name },
    });
  }

  /** The configurations of all servers but those in this process, which have none. */
  get configs(): CompleteMCPServerConfig[] {
    return this.all.filter(({ isLocal }) => !isLocal).map(({ config }) => config);
  }

  status(): McpServerStatus[] {
    return this.all.map(server => server.status());
  }

  /** Adds a server, or applies the changed configuration of a known one. It starts in the background. */
  put(config: MCPServerConfig, origin: Origin): Promise<void> {
    return this.#next(() => this.#put(completeServerConfig(config), origin));
  }

  /** Adds a server in this process. */
  putLocal(config: MCPServerConfig, origin: Origin, local: LocalMcpServer): Promise<void> {
    return this.#next(async () => this.#add(completeServerConfig(config), origin, local));
  }

  /** Restarts a server in the background. */
  restart(name: string): Promise<void> {
    return this.#next(() => this.require(name).restart());
  }

  remove(name: string): Promise<void> {
    return this.#next(async () => {
      const server = this.#servers.get(name);
      this.#servers.delete(name);
      this.events.emit('state', { server: name });
      await server?.stop();
    });
  }

  /** Replaces the servers of one list by those of another; others, and those that are the same, are not touched. */
  replace(
    before: readonly MCPServerConfig[],
    after: readonly MCPServerConfig[],
    originOf: (server: string) => Origin,
  ): Promise<void> {
    return this.#next(async () => {
      const names = new Set(after.map(({ name }) => name));
      const known = new Map(before.map(config => [config.name, JSON.stringify(config)]));
      const gone = before.filter(({ name }) => !names.has(name)).map(({ name }) => this.#servers.get(name));
      for (const server of gone) if (server) this.#servers.delete(server.name);
      if (gone.length > 0) this.events.emit('state', {});
      const changed = after.filter(config => known.get(config.name) !== JSON.stringify(config));
      await Promise.all([
        ...gone.map(server => server?.stop()),
        ...changed.map(config => this.#put(completeServerConfig(config), originOf(config.name))),
      ]);
      this.#reorder([...names]);
      this.events.emit('state', {});
    });
  }

  /** Resolves when every server is ready or has failed, or when none became so for `timeout` milliseconds. */
  async settled(timeout: number): Promise<void> {
    const starting = () => this.all.filter(({ state }) => state === 'starting').length;
    for (let left = starting(); left > 0; left = starting()) {
      const isChanged = settle<true>(
        resolve => this.events.on('state', () => (starting() === left ? undefined : resolve(true))),
        { timeout },
      );
      if (!(await isChanged.catch(() => false))) return;
    }
  }

  /** Stops all servers for good. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#changes.idle();
    await Promise.all(this.all.map(server => server.stop()));
  }

  async #put(config: CompleteMCPServerConfig, origin: Origin): Promise<void> {
    const known = this.#servers.get(config.name);
    if (known?.isLocal) throw new ConfigError(`servers.${config.name}`, 'a server in this process has this name');
    if (known) return known.configure(config, origin);
    this.#add(config, origin);
  }

  #add(config: CompleteMCPServerConfig, origin: Origin, local?: LocalMcpServer): void {
    const server = new McpServer(config, { ...this.#options, origin, local, events: this.events });
    this.#servers.set(config.name, server);
    server.start();
  }

  #reorder(names: readonly string[]): void {
    const others = [...this.#servers.keys()].filter(name => !names.includes(name));
    const inOrder = [...names, ...others].flatMap(name => {
      const server = this.#servers.get(name);
      return server ? [[name, server] as const] : [];
    });
    this.#servers = new Map(inOrder);
  }

  #next(change: () => Promise<void>): Promise<void> {
    return this.#changes.run(() => {
      if (this.#closed) throw new TypeError('This computer is closed');
      return change();
    });
  }
}
