import { fileURLToPath } from 'node:url';
import { Computer } from '@a2c-smcp/computer';
import type { ComputerConfigFile } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';

/** A Server and a Computer called `desk` in office `demo`. */
export interface Office extends AsyncDisposable {
  url: string;
}

type ServerConfigs = ComputerConfigFile['servers'];

/** Opens an office whose Computer runs these MCP servers. */
export async function openOffice(servers: ServerConfigs = { notes: nodeServer('./notes-server.js') }): Promise<Office> {
  const server = await SmcpServer.listen({ port: 0 });
  const computer = await Computer.open({ name: 'desk', servers });
  await computer.join(server.url, { office: 'demo' });
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await computer.close();
      await server.close();
    },
  };
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
