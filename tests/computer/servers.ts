import { silentLogger } from '@a2c-smcp/core';
import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { McpServers } from '../../packages/computer/src/mcp/supervisor/mcp-servers.ts';
import { CatalogFiles } from '../../packages/computer/src/mcp/supervisor/server-catalog.ts';
import { Questions } from '../../packages/computer/src/questions/questions.ts';
import { ResourceCatalog } from '../../packages/computer/src/resources/catalog.ts';
import { Secrets } from '../../packages/computer/src/secrets/secrets.ts';
import { Warnings } from '../../packages/computer/src/warnings.ts';

/** MCP servers without a Computer above them. */
export async function openServers(...configs: MCPServerConfig[]): Promise<McpServers & AsyncDisposable> {
  const servers = new McpServers({
    resolve: async config => config,
    authorise: () => undefined,
    adopt: () => Promise.reject(new Error('No windows here')),
    catalogs: new CatalogFiles(undefined, silentLogger),
    isWatched: () => false,
    secrets: new Secrets(),
    logLevel: 'info',
    questions: new Questions(silentLogger),
    timing: { startTimeout: 30_000, requestTimeout: 30_000, pingInterval: 30_000, pingTimeout: 5000 },
    logger: silentLogger,
  });
  for (const config of configs) await servers.put(config, 'name:test');
  await servers.settled(30_000);
  return Object.assign(servers, { [Symbol.asyncDispose]: () => servers.close() });
}

/** The resources of those servers, as Desktop and Finder are fed from them. */
export function catalogOf(servers: McpServers): ResourceCatalog {
  return new ResourceCatalog({ servers, warnings: new Warnings(silentLogger), logger: silentLogger });
}

/** Runs a tool of a server as a Computer would. */
export function callTool(servers: McpServers, server: string, tool: string, params: Record<string, unknown> = {}) {
  return servers.require(server).callTool(tool, params, { signal: AbortSignal.timeout(30_000), onProgress: () => {} });
}
