import type { Logger } from '@a2c-smcp/core';
import type { CompleteMCPServerConfig, Resource } from '@a2c-smcp/protocol';
import { type PriorDiscovery, ProtocolError } from '@modelcontextprotocol/client';
import type { McpConnection } from './connection.ts';
import { Health } from './health.ts';
import { ListCache } from './list-cache.ts';
import { isLostSession } from './lost-session.ts';
import type { McpTool, RawResult, ResourceTemplate } from './mcp-schemas.ts';
import type { McpCallOptions, McpServerTiming, ResourceChange } from './mcp-server-types.ts';
import { MessageRefused } from './message-bounds.ts';
import { openConnection } from './open-connection.ts';
import { Refresher } from './refresher.ts';
import { silenceLimit } from './transports.ts';

/** Between two listings of tools at the server's own request, in milliseconds. */
const REFRESH_PAUSE = 50;

export interface SessionOptions {
  timing: McpServerTiming;
  prior: PriorDiscovery | undefined;
  /** The tools have changed. */
  onTools: () => void;
  onResources: (change: ResourceChange) => void;
  /** The session is over and was not closed from here. */
  onLost: (reason: string) => void;
  onStderr: (text: string) => void;
  signal: AbortSignal;
  /** Says of every line which server it is about. */
  logger: Logger;
}

/** A connection in use: what it lists is kept up to date, and its life is checked. */
export class Session {
  readonly connection: McpConnection;
  readonly #options: SessionOptions;
  readonly #health: Health;
  /** Milliseconds of silence that end a call. */
  readonly #silence: number | undefined;
  readonly #resources = new ListCache<Resource[]>();
  readonly #templates = new ListCache<ResourceTemplate[]>();
  readonly #refresher = new Refresher(() => this.#refreshTools(), REFRESH_PAUSE);
  #tools: readonly McpTool[] = [];
  #closed = false;

  private constructor(connection: McpConnection, options: SessionOptions, silence: number | undefined) {
    this.connection = connection;
    this.#options = options;
    this.#silence = silence;
    this.#health = new Health(connection, options.timing, options.onLost);
  }

  /** Connects and lists the tools: a session that exists has answered. */
  static async open(config: CompleteMCPServerConfig, options: SessionOptions): Promise<Session> {
    const { timing, prior, onLost, onStderr, signal, logger } = options;
    let session: Session | undefined;
    const tell = (act: (session: Session) => void) => session && act(session);
    const connection = await openConnection(config, {
      ...timing,
      ...(prior ? { prior } : {}),
      onStderr,
      signal,
      logger,
      events: {
        toolsChanged: () => tell(known => known.#refresher.request()),
        resourcesChanged: () => tell(known => known.#relist()),
        resourceUpdated: uri => options.onResources({ type: 'updated', uri }),
        updatesMissed: () => options.onResources({ type: 'missed' }),
        trouble: error => tell(known => known.#doubt(error)),
        lost: onLost,
      },
    });
    session = new Session(connection, options, silenceLimit(config));
    try {
      session.#tools = await session.#listTools();
      signal.throwIfAborted();
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  get tools(): readonly McpTool[] {
    return this.#tools;
  }

  /** Runs a tool by its original name. */
  async callTool(name: string, params: Record<string, unknown>, options: McpCallOptions): Promise<RawResult> {
    const { deadline, interruption } = options;
    const timeout = Math.max(1, deadline - Date.now());
    const silence = this.#silence === undefined ? {} : { silence: this.#silence };
    let isSuspect = false;
    this.#health.beginCall();
    try {
      return await this.connection.callTool(name, params, { timeout, interruption, ...silence });
    } catch (error) {
      // An error that the server sent itself is a sign of life, and a lost session is dealt with by the caller.
      isSuspect = !(interruption.reason !== undefined || error instanceof ProtocolError || isLostSession(error));
      throw error;
    } finally {
      this.#health.endCall();
      if (isSuspect) this.#health.suspect();
    }
  }

  /** All resources. Asks the server only if it does not announce changes or has announced one. */
  resources(): Promise<Resource[]> {
    const list = () => this.connection.resources();
    return this.connection.capabilities.resources?.listChanged ? this.#resources.get(list) : list();
  }

  /** All resource templates, asked for as seldom as resources. */
  resourceTemplates(): Promise<ResourceTemplate[]> {
    const list = () => this.connection.resourceTemplates();
    return this.connection.capabilities.resources?.listChanged ? this.#templates.get(list) : list();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#health.stop();
    await this.connection.close();
  }

  #listTools(): Promise<McpTool[]> {
    return this.connection.tools(entry =>
      this.#options.logger.warn('An MCP server listed something that is no tool', { entry }),
    );
  }

  async #refreshTools(): Promise<void> {
    if (this.#closed) return;
    try {
      const tools = await this.#listTools();
      if (this.#closed || JSON.stringify(tools) === JSON.stringify(this.#tools)) return;
      this.#tools = tools;
      this.#options.onTools();
    } catch (error) {
      if (this.#closed) return;
      // The tools known so far still serve; whether the server does is found out by a ping.
      this.#options.logger.warn('The tools of an MCP server could not be listed again', { error });
      this.#health.suspect();
    }
  }

  #relist(): void {
    this.#resources.clear();
    this.#templates.clear();
    this.#options.onResources({ type: 'list' });
  }

  #doubt(error: Error): void {
    if (error instanceof MessageRefused) {
      this.#options.logger.warn('A message of an MCP server was refused', { reason: error.message });
      return;
    }
    this.#options.logger.debug('An MCP connection reported trouble', { error: error.message });
    this.#health.suspect();
  }
}
