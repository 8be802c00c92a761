import { Agent, type AgentOptions } from '@a2c-smcp/agent';
import { Office } from './office.ts';
import type { BridgeOptions } from './options.ts';
import { LazySeat } from './seat/seat.ts';
import { BridgeHttpServer, type HttpOptions } from './serve/http.ts';
import { type StdioConnection, type StdioOptions, serveStreams } from './serve/stdio.ts';

/** How a bridge joins its office. `autoRefresh` is the bridge's own. */
export type BridgeConnection = Omit<AgentOptions, 'autoRefresh' | 'signal' | 'logger'> & { url: string };

/** An office as one MCP server for any number of clients. It joins the office when a client first needs it. */
export class Bridge implements AsyncDisposable {
  readonly #office: Office;
  readonly #options: BridgeOptions;
  readonly #http = new Set<BridgeHttpServer>();

  constructor({ url, ...connection }: BridgeConnection, options: BridgeOptions = {}) {
    const { logger } = options;
    // Windows and documents are fetched only while a client wants them.
    const agentOptions = { ...connection, autoRefresh: ['tools'] as const, ...(logger && { logger }) };
    const seat = new LazySeat({ open: signal => Agent.connect(url, { ...agentOptions, signal }), logger });
    this.#office = new Office(seat, options);
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
