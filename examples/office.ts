import { fileURLToPath } from 'node:url';
import type { ComputerConfigFile } from '@a2c-smcp/protocol';
import { type OpenOffice, openOffice } from '@a2c-smcp/testing';

type ServerConfigs = ComputerConfigFile['servers'];

/** Opens an office `demo` whose Computer, `desk`, runs these MCP servers. */
export function openDemoOffice(
  servers: ServerConfigs = { notes: nodeServer('./notes-server.js') },
): Promise<OpenOffice<'desk'>> {
  return openOffice({ desk: { servers } }, { office: 'demo' });
}

/** The configuration of an MCP server that is a program for Node, beside this file or at a path. */
export function nodeServer(program: string, ...args: string[]): ServerConfigs[string] {
  const path = fileURLToPath(new URL(program, import.meta.url));
  return {
    type: 'stdio',
    server_parameters: { command: process.execPath, args: [path, ...args] },
    // Its tools run without a confirmation.
    default_tool_meta: { auto_apply: true },
  };
}
