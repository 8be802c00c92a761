import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** The connection to one MCP server. Everything beside `Transport` is optional: a session asks for no class. */
export interface McpTransport extends Transport {
  /** Process id of a local server. */
  readonly pid?: number | undefined;
  /** Why the connection ended, when it was not closed from here. */
  readonly failure?: string | undefined;
  /** Milliseconds to wait for the answer to a probe of the protocol's era. @default the time for the handshake */
  readonly probeTimeout?: number;
  /** Milliseconds that the configuration allows for a list or a read. @default that of the Computer */
  readonly requestTimeout?: number | undefined;
  /** Milliseconds without an answer or progress after which a tool call fails. @default none */
  readonly silenceTimeout?: number | undefined;
  /** True if a request can have HTTP headers of its own. @default false */
  readonly carriesHeaders?: boolean;
  /** Carries requests past the SDK's client. @default requests go through the client */
  readonly direct?: DirectTransport;
  /** Called when no more messages come for a request, be it answered or not. */
  onRequestEnd?: (ticket: number) => void;
  /** Called when a stream for the server's own messages was opened: earlier ones may not have arrived. */
  onServerStream?: () => void;
}

/** The messages of a transport before the SDK's client gets them. */
export interface DirectTransport {
  /** Sends a message as it is. Throws when the process has ended. */
  write(message: JSONRPCMessage): void;
  /** Shows every message to `take` before the SDK gets it, and drops those for which it returns true. */
  intercept(take: (message: unknown) => boolean): void;
}
