import type { Emitter, Logger } from '@a2c-smcp/core';
import type { CompleteMCPServerConfig } from '@a2c-smcp/protocol';
import type { LoggingLevel } from '@modelcontextprotocol/client';
import type { Origin } from '../../config/origin.ts';
import type { InputUser } from '../../inputs/inputs.ts';
import type { ServerAuth } from '../../oauth/server-auth.ts';
import type { Questions } from '../../questions/questions.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { McpEvents } from '../events.ts';
import type { Sample } from '../session/sampling.ts';
import type { McpSession, ResourceSession } from '../session/session.ts';
import type { SessionTiming } from '../session/session-options.ts';
import type { LocalMcpServer } from '../transport/local.ts';
import type { CatalogFiles } from './server-catalog.ts';

export interface McpServerOptions {
  /** Fills the placeholders of a configuration. A `ConfigError` ends the attempts to start. */
  resolve: (config: CompleteMCPServerConfig, user: InputUser) => Promise<CompleteMCPServerConfig>;
  /** The authorisation for a server of a configuration whose placeholders are filled; undefined if it needs none. */
  authorise: (config: CompleteMCPServerConfig, origin: Origin, onChange: () => void) => ServerAuth | undefined;
  /** The configuration it comes from. */
  origin: Origin;
  /** The server that a `bundle_id` belongs to. Any other with the same is refused. */
  ownerOf: (bundleId: string) => { readonly name: string } | undefined;
  /** Masked in all texts for people. */
  secrets: Secrets;
  timing: SessionTiming;
  /** The least important log messages that servers are asked for. */
  logLevel: LoggingLevel;
  /** Where the questions of the server are asked. */
  questions: Questions;
  /** Asks a model for the server. */
  sample?: Sample | undefined;
  /** The server itself, if it is in this process. */
  local?: LocalMcpServer | undefined;
  /** Prepares the windows and documents of a configuration. The result adds them to a session. */
  adopt: (config: CompleteMCPServerConfig) => Promise<(session: McpSession) => Adopted | undefined>;
  /** Where the lists of servers are cached. */
  catalogs: CatalogFiles;
  /** True if an Agent looks at windows or documents of a server. */
  isWatched: (server: string) => boolean;
  /** Runs the start of a process when few enough others start. */
  takeTurn: <T>(start: () => Promise<T>) => Promise<T>;
  events: Emitter<McpEvents>;
  logger: Logger;
}

/** How an MCP server is started. */
export interface StartOptions {
  /** It need not start if its lists are cached. */
  maySleep?: boolean;
  /** It has had no session: it is listed from the cache until the first has opened. */
  isFirst?: boolean;
}

/** A session whose resources have windows and documents of the configuration among them. */
export interface Adopted extends ResourceSession {
  /** Shows windows for the first time, and refreshes them from then on. */
  start(): void;
  /** A tool of the server has run. */
  called(): void;
  close(): void;
}
