import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { functionServer } from './mcp/transport/function-server.ts';
import type { LocalMcpServer } from './mcp/transport/local.ts';
import type { ComputerOptions } from './options.ts';

/** The name of the MCP server whose tools are functions. */
const FUNCTION_SERVER = 'local';

/** Functions and server objects of this process, which is code of its owner: their tools run unasked. */
export function localServers({
  tools,
  localServers = {},
}: Pick<ComputerOptions, 'tools' | 'localServers'>): { config: MCPServerConfig; local: LocalMcpServer }[] {
  const objects = Object.entries(localServers)
    .filter(([name]) => !tools || name !== FUNCTION_SERVER)
    .map(([name, local]) => ({ config: localConfig(name), local }));
  if (!tools) return objects;
  const asked = Object.entries(tools).filter(([, { needsConfirmation }]) => needsConfirmation);
  const toolMeta = Object.fromEntries(asked.map(([name]) => [name, { auto_apply: false }]));
  return [...objects, { config: localConfig(FUNCTION_SERVER, toolMeta), local: functionServer(tools) }];
}

/** A server in this process has no parameters; those of a process stand in for them. */
function localConfig(name: string, tool_meta: Record<string, { auto_apply: boolean }> = {}): MCPServerConfig {
  const server_parameters = { command: process.execPath };
  return { name, type: 'stdio', default_tool_meta: { auto_apply: true }, tool_meta, server_parameters };
}
