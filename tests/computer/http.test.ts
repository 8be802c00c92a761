import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Computer } from '@a2c-smcp/computer';
import type { MCPServerStreamableHttpParameters } from '@a2c-smcp/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, textOf } from './office.ts';

interface Seen {
  method?: string | undefined;
  headers: IncomingMessage['headers'];
  rpc?: string;
}

/** A streamable MCP server by hand, with a session, that remembers what was asked of it. */
async function openHttpServer(): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = body === '' ? {} : JSON.parse(body);
    seen.push({ method: request.method, headers: request.headers, rpc: message.method });
    if (request.method !== 'POST') return response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
    const result = resultOf(message);
    if (result === undefined) return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 'session-1' });
    const say = (data: object) =>
      response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...data })}\n\n`);
    const answer = () => {
      say({ id: message.id, result });
      response.end();
    };
    if (message.method !== 'tools/call') return answer();
    if (message.params.name === 'silent') return;
    if (message.params.name === 'dying') return void setTimeout(() => response.destroy(), 100);
    let progress = 0;
    const progressToken = message.params._meta?.progressToken;
    const timer = setInterval(() => {
      progress += 1;
      if (progress < 8) return say({ method: 'notifications/progress', params: { progressToken, progress } });
      clearInterval(timer);
      return answer();
    }, 250);
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, seen };
}

function resultOf({ method, params }: { method: string; params: { protocolVersion: string } }): object | undefined {
  const capabilities = { tools: {} };
  switch (method) {
    case 'initialize':
      return { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 'h', version: '1' } };
    case 'tools/list':
      return { tools: ['silent', 'talking', 'dying'].map(name => ({ name, inputSchema: { type: 'object' } })) };
    case 'tools/call':
      return { content: [{ type: 'text', text: 'done' }] };
    case 'ping':
      return {};
    default:
      return undefined;
  }
}

function open(server_parameters: MCPServerStreamableHttpParameters): Promise<Computer> {
  const server = { type: 'streamable' as const, default_tool_meta: { auto_apply: true }, server_parameters };
  return Computer.open({ name: 'desk', servers: { s: server } });
}

describe('streamable HTTP', () => {
  verifies(
    'config.effects',
    async () => {
      for (const [terminate_on_close, count] of [
        [true, 1],
        [false, 0],
      ] as const) {
        const { url, seen } = await openHttpServer();
        await (await open({ url, terminate_on_close })).close();
        expect(seen.filter(({ method }) => method === 'DELETE')).toHaveLength(count);
      }
    },
    'terminate_on_close',
  );

  verifies(
    'config.effects',
    async () => {
      const { url, seen } = await openHttpServer();
      const withUser = url.replace('://', '://ann:p%40ss@');
      await using computer = await open({ url: withUser, headers: { 'X-Number': 7 } });
      expect(computer.status()).toMatchObject([{ state: 'ready' }]);
      for (const { headers } of seen) {
        expect(headers).toMatchObject({ 'x-number': '7', authorization: `Basic ${btoa('ann:p@ss')}` });
      }
    },
    'headers, and credentials of the URL as a header',
  );

  verifies(
    'config.effects',
    async () => {
      const { url } = await openHttpServer();
      await using computer = await open({ url, sse_read_timeout: 'PT1S' });
      const silent = await computer.callTool({ tool: 'silent', timeout: 60_000 });
      expect(silent).toMatchObject({ isError: true, meta: { error_code: 4004, a2c_timeout: true } });
      expect(textOf(await computer.callTool({ tool: 'talking' }))).toBe('done');
    },
    'a call fails after sse_read_timeout of silence, and progress breaks the silence',
  );

  test('a call whose answer is cut off fails at once', async () => {
    const { url } = await openHttpServer();
    await using computer = await open({ url });
    const started = Date.now();
    const result = await computer.callTool({ tool: 'dying', timeout: 600_000 });
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(Date.now() - started).toBeLessThan(20_000);
    expect(textOf(await computer.callTool({ tool: 'talking' }))).toBe('done');
  });

  test('an invalid duration fails that server alone', async () => {
    const { url } = await openHttpServer();
    await using computer = await open({ url, timeout: '30 seconds' });
    expect(computer.status()).toMatchObject([{ state: 'failed' }]);
    expect(computer.status()[0]?.error).toContain('ISO 8601');
  });
});

describe('SSE', () => {
  test('an interrupted SSE stream ends the session, and a new one begins', async () => {
    const streams: ServerResponse[] = [];
    let handshakes = 0;
    const http = createServer(async (request, response) => {
      if (request.method === 'GET') {
        streams.push(response.writeHead(200, { 'content-type': 'text/event-stream' }));
        return response.write(`event: endpoint\ndata: /messages/${streams.length}\n\n`);
      }
      let body = '';
      for await (const chunk of request) body += chunk;
      const message = JSON.parse(body);
      if (message.method === 'initialize') handshakes += 1;
      const result = resultOf(message);
      const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
      const stream = streams[Number(request.url?.split('/').at(-1)) - 1];
      if (result) stream?.write(`event: message\ndata: ${answer}\n\n`);
      return response.writeHead(202).end();
    });
    await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`;
    const server = { type: 'sse' as const, default_tool_meta: { auto_apply: true }, server_parameters: { url } };
    await using computer = await Computer.open({ name: 'desk', servers: { s: server } });
    expect(handshakes).toBe(1);
    streams[0]?.destroy();
    await eventually(() => expect(computer.status()).toMatchObject([{ state: 'starting' }]));
    expect(textOf(await computer.callTool({ tool: 'silent' }))).toBe('done');
    expect(handshakes).toBe(2);
  });
});

test.each(['sse', 'streamable'] as const)(
  'a server of type %s that never answers does not keep a Computer open',
  async type => {
    const http = createServer(() => {});
    await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
    const s = { type, server_parameters: { url } };
    const computer = await Computer.open({ name: 'desk', servers: { s }, patience: 100 });
    expect(computer.status()).toMatchObject([{ state: 'starting' }]);
    await computer.close();
    expect(computer.status()).toMatchObject([{ state: 'stopped' }]);
  },
);
