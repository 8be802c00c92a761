import { Emitter, SerialQueue, settle } from '@a2c-smcp/core';
import { ConfigError, ErrorCode, type MCPServerConfig, SmcpError } from '@a2c-smcp/protocol';
import { type IdentifiedConfig, identify } from '../../config/bundle-id.ts';
import type { Origin } from '../../config/origin.ts';
import type { Dialect } from '../../dialect.ts';
import type { SignInOptions } from '../../oauth/sign-in.ts';
import type { McpEvents } from '../events.ts';
import type { LocalMcpServer } from '../transport/local.ts';
import { McpServer } from './mcp-server.ts';
import type { McpServerOptions } from './mcp-server-options.ts';
import { StartTurns } from './start-turns.ts';
import type { McpServerStatus } from './status.ts';

type McpServersOptions = Omit<McpServerOptions, 'events' | 'origin' | 'local' | 'ownerOf' | 'takeTurn'>;

/** Milliseconds after its end for which the secrets of a removed server are masked. */
const FORGET_DELAY_MS = 1000;

/** All MCP servers of a Computer, in the order of the configuration. Each starts and fails independently. */
export class McpServers {
  /** Events of all servers and their sessions. */
  readonly events: Emitter<McpEvents>;
  readonly #options: McpServersOptions;
  readonly #changes = new SerialQueue();
  readonly #turns = new StartTurns();
  #servers = new Map<string, McpServer>();
  /** The server of each `bundle_id`: the first that had it, until it is removed or gets another. */
  readonly #owners = new Map<string, McpServer>();
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

  /** The name of the server that a request names by its name or `bundle_id`, or the text itself if there is none. */
  nameOf(text: string, dialect: Dialect): string {
    const owner = this.#owners.get(text);
    if (!owner) return text;
    return dialect === 'plain' && this.#servers.has(text) ? text : owner.name;
  }

  /** The configurations of all servers but those in this process, which have none. */
  get configs(): IdentifiedConfig[] {
    return this.all.filter(({ isLocal }) => !isLocal).map(({ config }) => config);
  }

  /** True if a server has its `bundle_id` to itself. Any other is refused. */
  isOwner(name: string): boolean {
    const server = this.#servers.get(name);
    return server !== undefined && this.#owners.get(server.config.bundle_id) === server;
  }

  status(): McpServerStatus[] {
    return this.all.map(server => server.status());
  }

  /** The status of a server once it is no longer starting. */
  async settledStatus(name: string): Promise<McpServerStatus> {
    const server = this.require(name);
    await server.settled();
    return server.status();
  }

  /** Adds a server, or applies the changed configuration of a known one. It starts in the background. */
  put(config: MCPServerConfig, origin: Origin): Promise<void> {
    return this.#next(async () => {
      await this.#put(identify(config), origin);
      await this.#assignIds();
    });
  }

  /** Adds a server in this process. */
  putLocal(config: MCPServerConfig, origin: Origin, local: LocalMcpServer): Promise<void> {
    return this.#next(async () => this.#add(identify(config), origin, local));
  }

  /** Restarts a server in the background. */
  restart(name: string): Promise<void> {
    return this.#next(() => this.require(name).restart());
  }

  /** Restarts those servers that failed and that `concerns` chooses. */
  async restartFailed(concerns: (server: McpServer) => boolean): Promise<void> {
    const failed = this.all.filter(server => server.state === 'failed' && concerns(server));
    await Promise.all(failed.map(({ name }) => this.restart(name)));
  }

  /** Has a person sign in to a server. Resolves when it is connected anew, or has failed. */
  async signIn(name: string, options: SignInOptions): Promise<McpServerStatus> {
    await this.require(name).signIn(options);
    await this.restart(name);
    return this.settledStatus(name);
  }

  async signOut(name: string): Promise<McpServerStatus> {
    await this.#next(() => this.require(name).signOut());
    await this.restart(name);
    return this.settledStatus(name);
  }

  remove(name: string): Promise<void> {
    return this.#next(async () => {
      const server = this.#servers.get(name);
      this.#servers.delete(name);
      this.events.emit('state', { server: name });
      await server?.stop();
      this.#forget(name);
      await this.#assignIds();
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
        ...changed.map(config => this.#put(identify(config), originOf(config.name))),
      ]);
      for (const server of gone) if (server) this.#forget(server.name);
      await this.#assignIds();
      this.#reorder([...names]);
      this.events.emit('state', {});
    });
  }

  /**
   * Resolves when every server is ready, has failed or is listed from the cache, or when none became so for `timeout`
   * milliseconds.
   */
  async settled(timeout: number): Promise<void> {
    const starting = () => this.all.filter(({ state, cached }) => state === 'starting' && !cached).length;
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

  async #put(config: IdentifiedConfig, origin: Origin): Promise<void> {
    const known = this.#servers.get(config.name);
    if (known?.isLocal) throw new ConfigError(`servers.${config.name}`, 'a server in this process has this name');
    if (!known) return this.#add(config, origin);
    if (this.#owners.get(known.config.bundle_id) === known) this.#owners.delete(known.config.bundle_id);
    this.#claim(config.bundle_id, known);
    await known.configure(config, origin);
  }

  #add(config: IdentifiedConfig, origin: Origin, local?: LocalMcpServer): void {
    const ownerOf = (id: string) => this.#owners.get(id);
    const takeTurn: McpServerOptions['takeTurn'] = start => this.#turns.take(start);
    const server = new McpServer(config, { ...this.#options, origin, local, ownerOf, takeTurn, events: this.events });
    this.#servers.set(config.name, server);
    this.#claim(config.bundle_id, server);
    server.start();
  }

  /** Forgets the secrets of a server that is gone, after the calls that it left have failed: their errors may repeat them. */
  #forget(name: string): void {
    const forget = () => this.#servers.has(name) || this.#options.secrets.forget(name);
    setTimeout(forget, FORGET_DELAY_MS).unref();
  }

  #claim(id: string, server: McpServer): void {
    const owner = this.#owners.get(id);
    if (!owner || this.#servers.get(owner.name) !== owner) this.#owners.set(id, server);
  }

  /** Gives the ids of servers that are gone to those that were refused, and starts these. */
  async #assignIds(): Promise<void> {
    for (const [id, owner] of this.#owners) if (this.#servers.get(owner.name) !== owner) this.#owners.delete(id);
    const heirs = this.all.filter(({ config }) => !this.#owners.has(config.bundle_id));
    for (const server of heirs) this.#claim(server.config.bundle_id, server);
    await Promise.all(heirs.filter(({ name }) => this.isOwner(name)).map(server => server.restart()));
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
