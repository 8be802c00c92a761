import type { Resource } from '@a2c-smcp/protocol';
import type { RawResult } from '../mcp/mcp-schemas.ts';
import type { McpServers } from '../mcp/servers.ts';

/** The resources of one MCP server, of either era, as those see them who show resources. */
export interface ResourceSource {
  readonly server: string;
  /** Whether the server announces updates of single resources, so that what was read stays good until it does. */
  readonly announcesUpdates: boolean;
  /** All pages, verbatim. Costs no request while the server has announced no change. */
  list(): Promise<Resource[]>;
  /** The answer to `resources/read`, verbatim. `timeout` in milliseconds. */
  read(uri: string, options?: { timeout?: number; signal?: AbortSignal }): Promise<RawResult>;
  /**
   * Replaces the set of URIs whose updates are announced as `resources` events of `McpServers`. Subscribes each once,
   * however often it is named, and resolves with those that the server agreed to. A server that was started again
   * (`ready`) must be told again.
   */
  watch(uris: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * The servers whose resources count for Desktop and Finder now, in the order of the configuration: those that are
 * ready and announce updates, and those that need not by their `require_subscribe: false`.
 */
export function resourceSources(servers: McpServers): ResourceSource[] {
  return servers.all.flatMap(server => {
    const { session, config } = server;
    const { resources } = session?.connection.capabilities ?? {};
    const announcesUpdates = resources?.subscribe === true;
    if (!session || !resources || !(announcesUpdates || config.require_subscribe === false)) return [];
    return [
      {
        server: server.name,
        announcesUpdates,
        list: () => session.resources(),
        read: (uri, options) => session.connection.readResource(uri, options),
        watch: uris => session.connection.watchResources(uris),
      },
    ];
  });
}
