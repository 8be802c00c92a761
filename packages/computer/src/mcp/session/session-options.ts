import type { Emitter, Logger } from '@a2c-smcp/core';
import type { Resource } from '@a2c-smcp/protocol';
import type { LoggingLevel, LoggingMessageNotificationParams, PriorDiscovery } from '@modelcontextprotocol/client';
import type { Questions } from '../../questions/questions.ts';
import type { McpEvents } from '../events.ts';
import type { TransportOptions } from '../transport/create.ts';
import type { LocalMcpServer } from '../transport/local.ts';
import type { HealthOptions } from './health.ts';
import type { AskingCall } from './open-calls.ts';
import type { ProgressListener } from './progress.ts';
import type { Sample } from './sampling.ts';

export interface SessionTiming extends HealthOptions {
  /** Milliseconds from the start to the end of the handshake. */
  startTimeout: number;
  /** Milliseconds for a list or a read. */
  requestTimeout: number;
}

export interface McpSessionOptions extends TransportOptions {
  /** The name of the server in events. */
  server: string;
  /** Gets the changes that the server announces. */
  events: Emitter<McpEvents>;
  /** Gets the log messages of the server. */
  onLog: (message: LoggingMessageNotificationParams) => void;
  /** The least important log messages that the server is asked for. */
  logLevel: LoggingLevel;
  /** Called when the session ends and was not closed from here. */
  onLost: (reason: string) => void;
  timing: SessionTiming;
  /** Where the questions of the server are asked. */
  questions: Questions;
  /** Asks a model for the server. */
  sample: Sample | undefined;
  /** The server itself, if it is in this process. */
  local?: LocalMcpServer | undefined;
  /** The `verdict` of an earlier session, so that the era of the protocol is not probed again. */
  prior: PriorDiscovery | undefined;
  signal: AbortSignal;
  logger: Logger;
}

/** How a tool call ends early, and how it reports. */
export interface CallOptions extends AskingCall {
  onProgress: ProgressListener;
}

/** One page of an MCP server's resources. */
export interface ResourceList {
  resources: Resource[];
  nextCursor?: string | null | undefined;
}

export interface ReadOptions {
  /** Milliseconds. */
  timeout?: number | undefined;
  /** True if a text that is refreshed now and then must be refreshed now. Servers always answer with their present one. */
  isFresh?: boolean;
}
