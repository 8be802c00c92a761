import { fileURLToPath } from 'node:url';
import type { MCPServerConfig } from '@a2c-smcp/protocol';

type Given<T> = T extends unknown ? Partial<Omit<T, 'type' | 'server_parameters'>> : never;

/** The program of a scripted MCP server. Its argument is the script as JSON. */
export const scriptedProgram = fileURLToPath(new URL('../servers/scripted.mjs', import.meta.url));

/**
 * The configuration of an MCP server in a process of its own that does what `script` says, mistakes included; the comment
 * at the start of `servers/scripted.mjs` lists the fields. Its tools run unasked unless `config` says otherwise.
 */
export function scriptedServer(script: object = {}, config: Given<MCPServerConfig> = {}): MCPServerConfig {
  return {
    name: 'scripted',
    default_tool_meta: { auto_apply: true },
    ...config,
    type: 'stdio',
    server_parameters: { command: process.execPath, args: [scriptedProgram, JSON.stringify(script)] },
  };
}
