import type { ServerLogLine } from './server-log.ts';

/** Events of all MCP servers of a Computer. */
export interface McpEvents {
  /** The state or the configuration of a server has changed; without a name, servers were added, removed or reordered. */
  state: { server?: string };
  /** Tools were listed anew, or count as others now. */
  'tools-changed': { server: string };
  /** The list of prompts may have changed. */
  'prompts-changed': { server: string };
  /** The list of resources may have changed. */
  'resources-changed': { server: string };
  /** A resource was updated; without a URI, any of them may have been. */
  'resource-updated': { server: string; uri?: string };
  /** A server wrote to its standard error, or sent a log message. */
  log: ServerLogLine & { server: string };
}
