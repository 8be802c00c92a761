import type { CompleteMCPServerConfig } from '@a2c-smcp/protocol';
import type { AuthState } from '../../oauth/options.ts';

/**
 * `starting` covers the restart of a lost server, whose tools stay listed; a `failed` one is started again unless only a
 * person can help; `asleep`, `stopped` and `disabled` ones have no process. The tools of one that is `asleep` are listed,
 * and a call starts it.
 */
export type McpServerState = 'starting' | 'ready' | 'asleep' | 'failed' | 'stopped' | 'disabled';

/** An MCP server at one moment. */
export interface McpServerStatus {
  name: string;
  /** `local` runs in the process of the Computer. */
  type: CompleteMCPServerConfig['type'] | 'local';
  state: McpServerState;
  /** True if it is signed in to; undefined if it does not ask for that. */
  auth?: AuthState;
  /** Why it failed, or why it had to be started again. */
  error?: string;
  /** The last lines of its standard error, when it failed. */
  stderr?: string[];
  /** How many tools it has, forbidden ones included. */
  tools: number;
  pid?: number;
  /** `modern` is the MCP of 2026, without sessions; `legacy` everything before. */
  era?: 'legacy' | 'modern';
  /** How to use it, in its own words, while it is ready: at most 4,096 characters. */
  instructions?: string;
  /** How often it was started again after it had failed or was lost. */
  restarts: number;
}
