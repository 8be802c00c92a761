import { fileURLToPath } from 'node:url';
import type { ComputerConfigFile, MCPServerConfig } from '@a2c-smcp/protocol';

type Given<T> = T extends unknown ? Partial<Omit<T, 'type' | 'server_parameters'>> : never;
type Named<T> = T & { name: string };

/** The program of a scripted MCP server. Its argument is the script as JSON. */
export const scriptedProgram = fileURLToPath(new URL('../servers/scripted.mjs', import.meta.url));

/**
 * The configuration of an MCP server in a process of its own that does what `script` says, mistakes included; the comment
 * at the start of `servers/scripted.mjs` lists the fields. Its tools run unasked unless `config` says otherwise. Among the
 * `servers` of a Computer it has the name of its key.
 */
export function scriptedServer(script: object, config: Named<Given<MCPServerConfig>>): MCPServerConfig;
export function scriptedServer(script?: object, config?: Given<MCPServerConfig>): ComputerConfigFile['servers'][string];
export function scriptedServer(script: object = {}, config: Given<MCPServerConfig> = {}): MCPServerConfig {
  // The name is there where the type promises it.
  return {
    default_tool_meta: { auto_apply: true },
    ...config,
    type: 'stdio',
    server_parameters: { command: process.execPath, args: [scriptedProgram, JSON.stringify(script)] },
  } as MCPServerConfig;
}
