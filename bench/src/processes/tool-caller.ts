import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent } from '@a2c-smcp/agent';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mcpCommand } from '../harness/mcp-server.ts';
import type { BurstRequest } from './agent.ts';
import { closedLoop } from './closed-loop.ts';
import { obey, settings } from './obey.ts';

type CallEcho = (params: { text: string }) => Promise<{ isError?: boolean; content: unknown }>;

const { url, isBridged = false } = settings<{ url?: string; isBridged?: boolean }>();
const callEcho = await connect();

obey('ready', ({ size, inFlight, milliseconds }: BurstRequest) => {
  const params = { text: 'x'.repeat(size) };
  return closedLoop({ inFlight, milliseconds }, async done => {
    const { isError, content } = await callEcho(params);
    if (isError) throw new Error(JSON.stringify(content));
    done();
  });
});

function connect(): Promise<CallEcho> {
  if (url === undefined) return connectDirectly();
  return isBridged ? connectThroughBridge(url) : connectThroughOffice(url);
}

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

/** As an MCP client starts it. The tools are listed when the bridge has joined the office. */
async function connectThroughBridge(url: string): Promise<CallEcho> {
  const command = fileURLToPath(new URL('../../../packages/cli/bin/a2c.js', import.meta.url));
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const args = [command, 'bridge', '--url', url, '--office', 'bench', '--own-seat'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  for (let attempt = 0; ; attempt++) {
    const { tools } = await client.listTools();
    if (tools.some(({ name }) => name === 'echo'))
      return params => client.callTool({ name: 'echo', arguments: params });
    if (attempt === 100) throw new Error('The bridge does not offer the tool');
    await pause(50);
  }
}
