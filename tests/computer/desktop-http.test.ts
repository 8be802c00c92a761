import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Computer } from '@a2c-smcp/computer';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from './office.ts';

const uri = 'window://com.example.http/main';

/** A streamable MCP server of 2025 by hand, with one window and a stream of its own messages that can break off. */
async function openHttpServer() {
  const state = { text: 'first', streams: [] as ServerResponse[] };
  const resultOf: Record<string, (params: { protocolVersion?: string }) => object> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { resources: { subscribe: true, listChanged: true } },
      serverInfo: { name: 'http', version: '1' },
    }),
    'resources/list': () => ({ resources: [{ uri, name: 'main' }] }),
    'resources/read': () => ({ contents: [{ uri, text: state.text }] }),
    'resources/subscribe': () => ({}),
  };
  const http = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      return void state.streams.push(response);
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params = {} } = body === '' ? {} : JSON.parse(body);
    if (id === undefined) return response.writeHead(202).end();
    const result = resultOf[method]?.(params) ?? {};
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return Object.assign(state, {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    announce() {
      const message = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } };
      state.streams.at(-1)?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    },
  });
}

test('a window over HTTP is live, also after the stream of announcements broke off', async () => {
  const server = await openHttpServer();
  const servers = { http: { name: 'http', type: 'streamable', server_parameters: { url: server.url } } } as const;
  await using computer = await Computer.open({ name: 'desk', servers });
  await eventually(() => expect(server.streams).toHaveLength(1));
  let told = 0;
  computer.on('desktop', () => void told++);
  expect(await computer.desktop()).toEqual([`${uri}\n\nfirst`]);

  server.text = 'second';
  server.announce();
  await eventually(async () => expect(await computer.desktop()).toEqual([`${uri}\n\nsecond`]));
  await eventually(() => expect(told).toBeGreaterThan(0));

  const before = told;
  server.streams[0]?.end();
  server.text = 'unheard';
  await eventually(() => expect(server.streams).toHaveLength(2));
  await eventually(() => expect(told).toBeGreaterThan(before));
  expect(await computer.desktop()).toEqual([`${uri}\n\nunheard`]);
});
