import { InMemoryTransport, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { asSent } from './sdk.ts';
import type { McpTransport } from './transport.ts';

/** An MCP server in this process, such as a `Server` or `McpServer` object of the official SDK. */
export interface LocalMcpServer {
  /** Called once per session, with the server's end of a connection in memory. */
  connect(transport: Transport): Promise<unknown>;
}

/** MCP in memory. Messages are passed by reference, as the server is trusted code of this process. */
export class LocalTransport implements McpTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #server: LocalMcpServer;
  readonly #end: InMemoryTransport;
  readonly #serverEnd: InMemoryTransport;

  constructor(server: LocalMcpServer) {
    this.#server = server;
    [this.#end, this.#serverEnd] = InMemoryTransport.createLinkedPair();
  }

  async start(): Promise<void> {
    const end = this.#end;
    end.onmessage = (message, extra) => this.onmessage?.(message, extra);
    end.onclose = () => this.onclose?.();
    end.onerror = error => this.onerror?.(error);
    await this.#server.connect(this.#serverEnd);
    await end.start();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#end.send(asSent(message));
  }

  async close(): Promise<void> {
    await this.#end.close();
  }
}
