import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Computer } from '@a2c-smcp/computer';
import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { ProtocolError } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modernServers, resources } from '../fixtures/modern-mcp-server.mjs';
import { bundled } from '../programs.ts';
import { eventually, scripted, textOf } from './office.ts';
import { callTool, openServers } from './servers.ts';
import { temporaryFolder } from './temporary.ts';

const modern = bundled('modern-mcp-server');
const base = { name: 's', default_tool_meta: { auto_apply: true } };

function stdio(file: string, mcp_protocol: 'legacy' | 'auto'): MCPServerConfig {
  return { ...base, type: 'stdio', mcp_protocol, server_parameters: { command: process.execPath, args: [file] } };
}

const createModernServer = modernServers();
const handler: McpHttpHandler = createMcpHandler(() => createModernServer(handler.notify));
const http = createServer(toNodeHandler(handler));
let url = '';
beforeAll(async () => {
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
});
afterAll(async () => {
  await handler.close();
  http.closeAllConnections();
  http.close();
});

const overHttp = (mcp_protocol: 'legacy' | 'auto'): MCPServerConfig => ({
  ...base,
  type: 'streamable',
  mcp_protocol,
  server_parameters: { url },
});

describe.each([
  ['stdio, 2025', () => stdio(modern, 'legacy'), 'legacy'],
  ['stdio, 2026', () => stdio(modern, 'auto'), 'modern'],
  ['streamable HTTP, 2026', () => overHttp('auto'), 'modern'],
] as const)('%s', (_, config, era) => {
  test('tools are listed, called, cancelled and changed', async () => {
    await using computer = await Computer.open({ name: 'desk', servers: { s: config() } });
    expect(computer.status()).toMatchObject([{ state: 'ready', era }]);
    expect(textOf(await computer.callTool({ tool: 'echo', params: { a: 1 } }))).toBe('{"a":1}');
    const count = Number(textOf(await computer.callTool({ tool: 'cancelled' })));
    const cancel = new AbortController();
    const call = computer.callTool({ tool: 'hang', signal: cancel.signal });
    setTimeout(() => cancel.abort(), 100);
    expect(await call).toMatchObject({ meta: { a2c_cancelled: true } });
    await eventually(async () =>
      expect(Number(textOf(await computer.callTool({ tool: 'cancelled' })))).toBe(count + 1),
    );
    await computer.callTool({ tool: 'retool' });
    await eventually(() => expect(computer.tools.map(({ name }) => name)).toContain('fresh'));
  });

  test('an error that the server answers, and an abort, end a call alike', async () => {
    await using servers = await openServers(config());
    const unknown = await callTool(servers, 's', 'nobody').catch(error => error);
    expect(unknown).toBeInstanceOf(ProtocolError);
    expect(unknown).toMatchObject({ code: -32602, message: expect.stringContaining('nobody') });
    const abort = new AbortController();
    const call = servers.require('s').callTool('hang', {}, { signal: abort.signal, onProgress: () => {} });
    setTimeout(() => abort.abort(Symbol('enough')), 50);
    await expect(call).rejects.toThrow();
    await expect(
      servers.require('s').callTool('echo', {}, { signal: abort.signal, onProgress: () => {} }),
    ).rejects.toThrow();
    await servers.require('s').session?.ping();
    expect(servers.status()).toMatchObject([{ state: 'ready', restarts: 0 }]);
  });

  test('resources are listed with all their oddities, read and watched', async () => {
    await using servers = await openServers(config());
    const session = await servers.require('s').ready();
    expect(session.capabilities.resources?.subscribe).toBe(true);
    await session.ping();
    expect(await session.resources()).toEqual(resources);
    const [{ uri } = { uri: '' }] = resources;
    expect(await session.readResource(uri)).toMatchObject({ contents: [{ uri, text: 'content' }] });
    const updates: string[] = [];
    servers.events.on('resource-updated', ({ uri: updated }) => updates.push(String(updated)));
    await session.watchResources([uri, uri]);
    await session.watchResources([uri]);
    await callTool(servers, 's', 'touch', { uri });
    await eventually(() => expect(updates).toEqual([uri]));
  });
});

test('a 2026 stream that ends is opened again, and changes that were missed are reported', async () => {
  await using servers = await openServers(overHttp('auto'));
  const changes: string[] = [];
  servers.events.on('resources-changed', () => changes.push('list'));
  servers.events.on('resource-updated', ({ uri: updated }) => changes.push(String(updated)));
  const [{ uri } = { uri: '' }] = resources;
  await servers.require('s').session?.watchResources([uri]);
  http.closeAllConnections();
  await eventually(() => expect(changes).toContain('list'));
  await callTool(servers, 's', 'touch', { uri });
  await eventually(() => expect(changes).toContain(uri));
  expect(servers.status()).toMatchObject([{ state: 'ready', restarts: 0 }]);
});

describe('probing', () => {
  test.each([{}, { exit: 'unknown' }])('a probe of the era falls back to 2025 once and for all: %j', async script => {
    const log = join(temporaryFolder(), 'log');
    const config = { ...scripted({ ...script, log }, { name: 's' }), mcp_protocol: 'auto' as const };
    await using computer = await Computer.open({ name: 'desk', servers: { s: config } });
    expect(computer.status()).toMatchObject([{ state: 'ready', era: 'legacy', restarts: 0 }]);
    expect(await computer.restartServer('s')).toMatchObject({ state: 'ready', era: 'legacy' });
    expect(readFileSync(log, 'utf8').match(/server\/discover/g)).toHaveLength(1);
  });

  test('a 2026 server that is asked in the manner of 2025 over HTTP answers too', async () => {
    await using computer = await Computer.open({ name: 'desk', servers: { s: overHttp('legacy') } });
    expect(computer.status()).toMatchObject([{ state: 'ready', era: 'legacy' }]);
  });

  test('results of a 2026 server without resultType are complete ones', async () => {
    const results: Record<string, object> = {
      'server/discover': {
        ...{ resultType: 'complete', ttlMs: 0, cacheScope: 'private', supportedVersions: ['2026-07-28'] },
        ...{ capabilities: { tools: {} }, serverInfo: { name: 'bare', version: '1' } },
      },
      'tools/list': { tools: [{ name: 'bare', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
    };
    const bare = createServer(async (request, response) => {
      const { id, method } = JSON.parse(Buffer.concat(await request.toArray()).toString());
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
    });
    await new Promise<void>(resolve => bare.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/mcp`;
    const config = { ...overHttp('auto'), server_parameters: { url: address } } as MCPServerConfig;
    try {
      await using computer = await Computer.open({ name: 'desk', servers: { s: config } });
      expect(computer.status()).toMatchObject([{ state: 'ready', era: 'modern' }]);
      const result = await computer.callTool({ tool: 'bare' });
      expect(textOf(result)).toBe('done');
      expect(result).not.toHaveProperty('resultType');
    } finally {
      bare.close();
    }
  });

  test('the verdict of 2026 is kept over a restart', async () => {
    await using servers = await openServers(stdio(modern, 'auto'));
    const server = servers.get('s')!;
    expect(server.session?.verdict.kind).toBe('modern');
    await server.restart();
    await server.settled();
    expect(server.status()).toMatchObject({ state: 'ready', era: 'modern' });
  });
});
