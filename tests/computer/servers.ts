import { silentLogger } from '@a2c-smcp/core';
import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { Interruption } from '../../packages/computer/src/interruption.ts';
import { McpServers } from '../../packages/computer/src/mcp/servers.ts';
import { Secrets } from '../../packages/computer/src/secrets/secrets.ts';

/** MCP servers without a Computer above them, as those parts see them that show resources. */
export async function openServers(...configs: MCPServerConfig[]): Promise<McpServers & AsyncDisposable> {
  const servers = new McpServers({
    resolve: async config => config,
    secrets: new Secrets(),
    timing: { startTimeout: 30_000, requestTimeout: 30_000, pingInterval: 30_000, pingTimeout: 5000 },
    logger: silentLogger,
  });
  for (const config of configs) await servers.put(config, 'name:test');
  await servers.settled(30_000);
  return Object.assign(servers, { [Symbol.asyncDispose]: () => servers.close() });
}

/** Runs a tool of a server as a Computer would. */
export function callTool(servers: McpServers, server: string, tool: string, params: Record<string, unknown> = {}) {
  const options = { deadline: Date.now() + 30_000, interruption: new Interruption() };
  return servers.require(server).callTool(tool, params, options);
}
