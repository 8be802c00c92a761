import { fileURLToPath } from 'node:url';
import type { McpServerSettings } from '../processes/mcp-server.ts';

/** The command that starts the MCP server of the benchmark, made with the official SDK. */
export function mcpCommand(settings: McpServerSettings = {}): { command: string; args: string[] } {
  const script = fileURLToPath(new URL('../processes/mcp-server.js', import.meta.url));
  return { command: process.execPath, args: [script, JSON.stringify(settings)] };
}

/** The same as an entry of a Computer's configuration. */
export function mcpConfig(settings: McpServerSettings = {}) {
  const default_tool_meta = { auto_apply: true };
  return { name: 'bench', type: 'stdio' as const, server_parameters: mcpCommand(settings), default_tool_meta };
}
