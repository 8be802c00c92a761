import { Agent } from '@a2c-smcp/agent';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mcpCommand } from '../harness/mcp-server.ts';
import type { BurstRequest } from './agent.ts';
import { closedLoop } from './closed-loop.ts';
import { obey, settings } from './obey.ts';

type CallEcho = (params: { text: string }) => Promise<{ isError?: boolean; content: unknown }>;

const { url } = settings<{ url?: string }>();
const callEcho = await (url === undefined ? connectDirectly() : connectThroughOffice(url));

obey('ready', ({ size, inFlight, milliseconds }: BurstRequest) => {
  const params = { text: 'x'.repeat(size) };
  return closedLoop({ inFlight, milliseconds }, async done => {
    const { isError, content } = await callEcho(params);
    if (isError) throw new Error(JSON.stringify(content));
    done();
  });
});

/** The MCP server is a child of this process, and there is nothing in between. */
async function connectDirectly(): Promise<CallEcho> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StdioClientTransport(mcpCommand()));
  return params => client.callTool({ name: 'echo', arguments: params });
}

async function connectThroughOffice(url: string): Promise<CallEcho> {
  const agent = await Agent.connect(url, { name: 'a', office: 'bench', autoRefresh: [] });
  return params => agent.callTool({ computer: 'c', tool: 'echo', params });
}
