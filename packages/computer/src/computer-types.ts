import type { ConnectionState } from '@a2c-smcp/peer';
import type { SMCPTool } from '@a2c-smcp/protocol';
import type { ServerLogLine } from './mcp/server-log.ts';
import type { Progress } from './mcp/session/progress.ts';
import type { McpServerStatus } from './mcp/supervisor/status.ts';
import type { ViewChange } from './resources/view.ts';
import type { ToolCallEvents } from './tools/calls.ts';

/** Events for the program that runs a Computer. */
export interface ComputerEvents extends ToolCallEvents {
  /** The tools that an Agent sees have changed. */
  tools: readonly SMCPTool[];
  /** An MCP server changed its state. */
  servers: McpServerStatus[];
  /** Windows may have changed. Emitted at most every 200 ms. */
  desktop: ViewChange;
  /** Documents may have changed. Emitted at most every 200 ms. */
  finder: ViewChange;
  /** Skills may have changed. Emitted at most every 200 ms. */
  skills: ViewChange;
  connection: ConnectionState;
  /** The configuration file was changed but cannot be used; the former configuration stays in force. */
  configError: Error;
  /** An MCP server wrote a line to its standard error, or sent a log message. At most 1,000 a second of each server. */
  log: ServerLogLine & { server: string };
}

export interface LocalToolCall {
  tool: string;
  params?: Record<string, unknown>;
  /** Milliseconds. @default 60_000 */
  timeout?: number;
  signal?: AbortSignal;
  /** Gets the progress that the tool reports. */
  onProgress?: (progress: Progress) => void;
}

export interface AddServerOptions {
  /** The file that the configuration was read from: values of inputs that others got do not reach it. */
  file?: string | undefined;
}
