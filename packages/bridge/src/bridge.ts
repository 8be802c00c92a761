import { Agent, type AgentOptions } from '@a2c-smcp/agent';
import { guardLogger, type Logger } from '@a2c-smcp/core';
import { Office } from './office.ts';
import type { BridgeOptions } from './options.ts';
import { LazySeat, type LazySeatOptions } from './seat/seat.ts';
import { seatPath } from './seat/seat-path.ts';
import { openSharedSeat } from './seat/shared-seat.ts';
import { BridgeHttpServer, type HttpOptions } from './serve/http.ts';
import { type StdioConnection, type StdioOptions, serveStreams } from './serve/stdio.ts';

/** How a bridge joins its office. `autoRefresh` is the bridge's own. */
export interface BridgeConnection extends Omit<AgentOptions, 'autoRefresh' | 'signal' | 'logger'> {
  url: string;
  /**
   * True if the bridges of this user on this machine that have the same Server, office and credentials share one seat: the
   * first holds it, and when it ends, the next takes it over. Not on Windows. @default false
   */
  share?: boolean | undefined;
}

/** An office as one MCP server for any number of clients. It joins the office when a client first needs it. */
export class Bridge implements AsyncDisposable {
  readonly #office: Office;
  readonly #options: BridgeOptions;
  readonly #http = new Set<BridgeHttpServer>();

  constructor(connection: BridgeConnection, options: BridgeOptions = {}) {
    const { logger } = options;
    this.#office = new Office(new LazySeat({ open: opener(connection, logger), logger }), options);
    this.#options = options;
  }

  /** Serves the client at two streams, such as standard input and output. */
  serve(streams: Omit<StdioOptions, 'logger'>): StdioConnection {
    return serveStreams(this.#office, { ...streams, logger: this.#options.logger });
  }

  /** Serves clients over HTTP. */
  async listen(options: Omit<HttpOptions, 'logger'> = {}): Promise<BridgeHttpServer> {
    const http = await BridgeHttpServer.listen(this.#office, { ...options, logger: this.#options.logger });
    this.#http.add(http);
    return http;
  }

  /** Ends all connections and leaves the office. */
  async close(): Promise<void> {
    await Promise.all([...this.#http].map(http => http.close()));
    await this.#office.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function opener({ url, share, ...connection }: BridgeConnection, logger: Logger | undefined): LazySeatOptions['open'] {
  // Windows and documents are fetched only while a client wants them.
  const agentOptions = { ...connection, autoRefresh: ['tools'] as const, ...(logger && { logger }) };
  const open = async (signal: AbortSignal) => {
    const agent = await Agent.connect(url, { ...agentOptions, signal });
    return { agent, close: () => agent.close() };
  };
  if (!share) return open;
  const { office, auth = {}, headers = {} } = connection;
  return async signal => {
    const path = await seatPath([url, office, auth, headers], process.env);
    if (path === undefined)
      guardLogger(logger).info('The seat is not shared: there is no private folder for its socket');
    return path === undefined ? open(signal) : openSharedSeat(path, open, signal);
  };
}
