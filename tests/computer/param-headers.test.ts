import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Computer } from '@a2c-smcp/computer';
import { recordingLogger } from '@a2c-smcp/testing';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { textOf } from './office.ts';

const schemaOf = (header: string | undefined, type = 'string') =>
  fromJsonSchema<{ region?: string }>({
    type: 'object',
    properties: { region: { type, ...(header === undefined ? {} : { 'x-mcp-header': header }) } },
  });

/** A server of the official SDK, which refuses calls whose headers do not repeat their parameters. */
async function listen() {
  const state = { header: 'Region' };
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'routed', version: '1.0.0' });
    const run = ({ region }: { region?: string }) => ({ content: [{ type: 'text' as const, text: `in ${region}` }] });
    server.registerTool('route', { inputSchema: schemaOf(state.header) }, run);
    server.registerTool('plain', { inputSchema: schemaOf(undefined) }, run);
    server.registerTool('broken', { inputSchema: schemaOf('My Region') }, run);
    return server;
  });
  const serve = toNodeHandler(handler);
  const seen: IncomingHttpHeaders[] = [];
  const http = createServer((request, response) => {
    if (request.headers['mcp-method'] === 'tools/call') seen.push(request.headers);
    void serve(request, response);
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    state,
    seen,
    async [Symbol.asyncDispose]() {
      await handler.close();
      http.closeAllConnections();
      http.close();
    },
  };
}

const config = (url: string, mcp_protocol: 'legacy' | 'auto') => ({
  ...{ type: 'streamable' as const, mcp_protocol, default_tool_meta: { auto_apply: true } },
  server_parameters: { url },
});

test('a parameter that an HTTP server of 2026 declares as a header is sent as one, and the others are not', async () => {
  await using server = await listen();
  await using computer = await Computer.open({ name: 'desk', servers: { s: config(server.url, 'auto') } });
  for (const tool of ['route', 'plain']) {
    expect(textOf(await computer.callTool({ tool, params: { region: 'zürich' } }))).toBe('in zürich');
  }
  const header = `=?base64?${Buffer.from('zürich').toString('base64')}?=`;
  expect(server.seen.map(headers => headers['mcp-param-region'])).toEqual([header, undefined]);
  expect(textOf(await computer.callTool({ tool: 'route' }))).toBe('in undefined');
});

test('a call is repeated with the new headers when the schema of the tool has changed unannounced', async () => {
  await using server = await listen();
  await using computer = await Computer.open({ name: 'desk', servers: { s: config(server.url, 'auto') } });
  const changes: (readonly unknown[])[] = [];
  computer.on('tools', tools => changes.push(tools));
  server.state.header = 'Place';
  expect(textOf(await computer.callTool({ tool: 'route', params: { region: 'eu' } }))).toBe('in eu');
  expect(server.seen.map(headers => headers['mcp-param-place'])).toEqual([undefined, 'eu']);
  expect(JSON.stringify(changes.at(-1))).toContain('"Place"');
});

test('a tool with malformed headers is not offered over HTTP of 2026, and the log says why', async () => {
  await using server = await listen();
  const logger = recordingLogger();
  await using computer = await Computer.open({ name: 'desk', servers: { s: config(server.url, 'auto') }, logger });
  expect(computer.tools.map(({ name }) => name)).toEqual(['route', 'plain']);
  const warning = logger.lines.find(({ level, fields }) => level === 'warn' && fields?.tool === 'broken');
  expect(warning?.fields).toMatchObject({ mcp_server: 's', reason: expect.stringContaining("'region'") });
});

test('a server of 2025 gets no such headers, and all of its tools are offered', async () => {
  await using server = await listen();
  await using computer = await Computer.open({ name: 'desk', servers: { s: config(server.url, 'legacy') } });
  expect(computer.tools.map(({ name }) => name)).toEqual(['route', 'plain', 'broken']);
  expect(textOf(await computer.callTool({ tool: 'route', params: { region: 'eu' } }))).toBe('in eu');
  expect(server.seen.filter(headers => 'mcp-param-region' in headers)).toEqual([]);
});
