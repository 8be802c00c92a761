import { fileURLToPath } from 'node:url';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';

/** A Server and a Computer with one MCP server, waiting for an Agent in office `demo`. */
export interface Office extends AsyncDisposable {
  url: string;
}

export async function openOffice(): Promise<Office> {
  const server = await SmcpServer.listen({ port: 0 });
  const computer = await Computer.open({
    name: 'desk',
    servers: {
      notes: {
        type: 'stdio',
        server_parameters: {
          command: process.execPath,
          args: [fileURLToPath(new URL('./notes-server.js', import.meta.url))],
        },
        // Nobody is asked before its tools run.
        default_tool_meta: { auto_apply: true },
      },
    },
  });
  await computer.join(server.url, { office: 'demo' });
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await computer.close();
      await server.close();
    },
  };
}
