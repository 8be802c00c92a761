import type { Logger } from '@a2c-smcp/core';
import type { CompleteMCPServerConfig } from '@a2c-smcp/protocol';
import type { InputUser } from '../inputs/inputs.ts';
import type { Origin } from '../inputs/origin.ts';
import type { Interruption } from '../interruption.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { HealthOptions } from './health.ts';

/**
 * `starting` covers the return of a lost server, whose tools stay listed; a `failed` one is tried again unless only a
 * person can help; `stopped` and `disabled` ones have no process.
 */
export type McpServerState = 'starting' | 'ready' | 'failed' | 'stopped' | 'disabled';

/** What can be said of an MCP server at one moment. */
export interface McpServerStatus {
  name: string;
  type: CompleteMCPServerConfig['type'];
  state: McpServerState;
  /** Why it failed, or why it had to be started again. */
  error?: string;
  /** The last lines of its standard error, when it failed. */
  stderr?: string[];
  /** How many tools it has, forbidden ones included. */
  tools: number;
  pid?: number;
  /** `modern` is the MCP of 2026, without sessions; `legacy` everything before. */
  era?: 'legacy' | 'modern';
  /** How often it was started again after it had failed or was lost. */
  restarts: number;
}

export interface McpServerTiming extends HealthOptions {
  /** Milliseconds from start to the end of the handshake. */
  startTimeout: number;
  /** Milliseconds for a list or a read. */
  requestTimeout: number;
}

/**
 * A server's resources were gained (`ready`), lost (`gone`), are to be listed anew (`list`), one was `updated`, or any
 * may have been without our hearing of it (`missed`).
 */
export type ResourceChange = { type: 'ready' | 'gone' | 'list' | 'missed' } | { type: 'updated'; uri: string };

/** What an MCP server reports to those who offer its tools and resources. */
export interface McpServerEvents {
  /** Its state, its tools, or whether they can be called, may have changed. */
  changed(): void;
  resources(change: ResourceChange): void;
}

export interface McpServerOptions {
  /** Puts the values of inputs in the place of their placeholders. What it throws ends the attempts to start. */
  resolve: (config: CompleteMCPServerConfig, user: InputUser) => Promise<CompleteMCPServerConfig>;
  /** The configuration it comes from. */
  origin: Origin;
  /** Masked in all texts for people. */
  secrets: Secrets;
  timing: McpServerTiming;
  events: McpServerEvents;
  logger: Logger;
}

export interface McpCallOptions {
  /** When the call must be over, in milliseconds since the epoch. */
  deadline: number;
  interruption: Interruption;
}
