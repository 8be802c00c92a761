import { Emitter } from '@a2c-smcp/core';
import {
  type CompleteMCPServerConfig,
  completeServerConfig,
  ErrorCode,
  type MCPServerConfig,
  SmcpError,
} from '@a2c-smcp/protocol';
import type { Origin } from '../inputs/origin.ts';
import { McpServer } from './mcp-server.ts';
import type { McpServerOptions, McpServerStatus, ResourceChange } from './mcp-server-types.ts';

/** What is to be told of the servers. */
export interface McpServersEvents {
  /** There may be other servers, or other states, configurations or tools of them. */
  changed: undefined;
  /** Something happened to the resources of one. */
  resources: { server: string } & ResourceChange;
}

/** All MCP servers of a Computer, in the order of the configuration. Each lives and fails for itself. */
export class McpServers {
  readonly #options: Omit<McpServerOptions, 'events' | 'origin'>;
  readonly #events: Emitter<McpServersEvents>;
  #servers = new Map<string, McpServer>();
  /** Changes happen one after the other, whoever asks for them. */
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: Omit<McpServerOptions, 'events' | 'origin'>) {
    this.#options = options;
    this.#events = new Emitter({ logger: options.logger });
  }

  /** Follows what happens to the servers. Returns a function that stops it. */
  on<K extends keyof McpServersEvents>(event: K, listener: (payload: McpServersEvents[K]) => void): () => void {
    return this.#events.on(event, listener);
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

  get configs(): CompleteMCPServerConfig[] {
    return this.all.map(({ config }) => config);
  }

  status(): McpServerStatus[] {
    return this.all.map(server => server.status());
  }

  /** Takes a server in, or a changed configuration of one that is known. It starts in the background. */
  put(config: MCPServerConfig, origin: Origin): Promise<void> {
    return this.#next(() => this.#put(completeServerConfig(config), origin));
  }

  /** Starts a server anew, in the background. */
  restart(name: string): Promise<void> {
    return this.#next(() => this.require(name).restart());
  }

  remove(name: string): Promise<void> {
    return this.#next(async () => {
      const server = this.#servers.get(name);
      this.#servers.delete(name);
      this.#events.emit('changed', undefined);
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
      const changed = after.filter(config => known.get(config.name) !== JSON.stringify(config));
      await Promise.all([
        ...gone.map(server => server?.stop()),
        ...changed.map(config => this.#put(completeServerConfig(config), originOf(config.name))),
      ]);
      this.#reorder([...names]);
      this.#events.emit('changed', undefined);
    });
  }

  /**
   * Resolves when every server is ready or has failed. Servers that hang are not waited for: after `patience`
   * milliseconds in which nothing changed it resolves too.
   */
  settled(patience: number): Promise<void> {
    const starting = () => this.all.filter(({ state }) => state === 'starting').length;
    return new Promise(resolve => {
      let left = starting();
      const finish = () => {
        clearTimeout(timer);
        unfollow();
        resolve();
      };
      const unfollow = this.on('changed', () => {
        const now = starting();
        if (now === 0) finish();
        else if (now < left) timer.refresh();
        left = now;
      });
      const timer = setTimeout(finish, patience);
      if (left === 0) finish();
    });
  }

  /** Stops all servers for good. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn;
    await Promise.all(this.all.map(server => server.stop()));
  }

  async #put(config: CompleteMCPServerConfig, origin: Origin): Promise<void> {
    const known = this.#servers.get(config.name);
    if (known) return known.configure(config, origin);
    const { name } = config;
    const events = {
      changed: () => this.#events.emit('changed', undefined),
      resources: (change: ResourceChange) => this.#events.emit('resources', { server: name, ...change }),
    };
    const server = new McpServer(config, { ...this.#options, origin, events });
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
    const turn = this.#turn.then(() => {
      if (this.#closed) throw new TypeError('This computer is closed');
      return change();
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }
}
