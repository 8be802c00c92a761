import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Windows, windows } from '@a2c-smcp/publish';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { eventually } from '../eventually.ts';
import { eras, serve } from './served.ts';

const identity = { name: 'app', version: '1' };
const uri = 'window://com.example.app/status';

describe.each(eras)('windows for a client of the %s era', era => {
  test('a window is listed with its order, read, and announced when its text changes', async () => {
    const server = new McpServer(identity);
    const desk = windows(server, { host: 'com.example.app' });
    const status = desk.open(['status'], { title: 'Status', priority: 0.9 });
    status.set('idle');
    await using served = await serve(() => server, era);
    expect(served.client.getServerCapabilities()?.resources).toMatchObject({ subscribe: true, listChanged: true });
    const { resources } = await served.client.listResources();
    expect(resources).toMatchObject([
      { uri, title: 'Status', mimeType: 'text/plain', annotations: { priority: 0.9, audience: ['assistant'] } },
    ]);
    expect(await served.read(uri)).toBe('idle');
    await served.watch(uri);
    status.set('idle');
    status.set('busy');
    await eventually(() => expect(served.notified).toEqual([uri]));
    expect(await served.read(uri)).toBe('busy');
    const log = desk.open(['a/b', 'ü'], { fullscreen: true });
    await eventually(() => expect(served.notified).toEqual([uri, 'list']));
    expect((await served.client.listResources()).resources[1]).toMatchObject({
      uri: 'window://com.example.app/a%2Fb/%C3%BC',
      _meta: { fullscreen: true },
    });
    log.close();
    log.close();
    log.set('too late');
    await eventually(() => expect(served.notified).toEqual([uri, 'list', 'list']));
    await expect(served.read(log.uri)).rejects.toThrow();
    expect((await served.client.listResources()).resources).toHaveLength(1);
  });

  test('what a tool changes is announced before its result, and a burst of changes once', async () => {
    const server = new McpServer(identity);
    const status = windows(server, { host: 'com.example.app' }).open(['status']);
    server.registerTool('count', { inputSchema: z.object({}) }, () => {
      for (let number = 1; number <= 1000; number += 1) status.set(`at ${number}`);
      return { content: [{ type: 'text', text: 'done' }] };
    });
    await using served = await serve(() => server, era);
    await served.watch(uri);
    status.set('before');
    await eventually(() => expect(served.notified).toEqual([uri]));
    await served.client.callTool({ name: 'count', arguments: {} });
    expect(served.notified).toEqual([uri, uri]);
    expect(await served.read(uri)).toBe('at 1000');
  });

  test("resources of the author's own stand beside the windows", async () => {
    const server = new McpServer(identity);
    windows(server, { host: 'com.example.app' }).open(['status']).set('idle');
    const file = 'file:///notes.txt';
    server.registerResource('notes', file, {}, () => ({ contents: [{ uri: file, text: 'mine' }] }));
    await using served = await serve(() => server, era);
    const { resources } = await served.client.listResources();
    expect(resources.map(resource => resource.uri)).toEqual([uri, file]);
    expect([await served.read(file), await served.read(uri)]).toEqual(['mine', 'idle']);
    await expect(served.read('file:///other')).rejects.toThrow('file:///other');
    await expect(served.read('window://com.example.app/other')).rejects.toThrow();
    await expect(served.client.listResources({ cursor: 'x' })).rejects.toThrow('Unknown cursor');
  });
});

test('windows are shared by several connections, and a client of 2025 gets only what it subscribed to', async () => {
  const desk = new Windows({ host: 'com.example.app' });
  const status = desk.open(['status']);
  const factory = () => {
    const server = new Server(identity, { capabilities: {} });
    desk.serve(server);
    return server;
  };
  await using first = await serve(factory, 'legacy');
  await using second = await serve(factory, 'modern');
  await second.watch(uri);
  status.set('changed');
  await eventually(() => expect(second.notified).toEqual([uri]));
  await first.client.ping();
  expect(first.notified).toEqual([]);
});

describe('windows() refuses', () => {
  const desk = () => windows(new McpServer(identity), { host: 'com.example.app' });

  test.each([2, -0.1, Number.NaN])('a priority of %d', priority => {
    expect(() => desk().open(['a'], { priority })).toThrow("'window://com.example.app/a' must be from 0 to 1");
  });

  test('a host that cannot stand in a URI, an empty segment, and a window that is open', () => {
    expect(() => windows(new McpServer(identity), { host: 'a b' })).toThrow('a b');
    expect(() => desk().open([''])).toThrow('empty');
    const opened = desk();
    opened.open(['a']);
    expect(() => opened.open(['a'])).toThrow("'window://com.example.app/a' is open already");
  });

  test('a server that has resources already', () => {
    const server = new McpServer(identity, { capabilities: { resources: {} } });
    expect(() => windows(server, { host: 'com.example.app' })).toThrow('before resources are registered');
  });

  test('an answer that clients would not accept', async () => {
    const server = new McpServer(identity);
    windows(server, { host: 'com.example.app' })
      .open(['status'])
      .set('x'.repeat(9 * 1024 * 1024));
    await using served = await serve(() => server, 'legacy');
    await expect(served.read(uri)).rejects.toMatchObject({ code: 413 });
  });
});

test('over HTTP of 2026 every request has its own server, and the handler announces', async () => {
  const desk = new Windows({ host: 'com.example.app' });
  const status = desk.open(['status']);
  const handler = createMcpHandler(() => {
    const server = new McpServer(identity);
    desk.serve(server);
    server.registerTool('work', { inputSchema: z.object({}) }, () => {
      status.set('worked');
      return { content: [{ type: 'text', text: 'done' }] };
    });
    return server;
  });
  desk.onChange(({ listChanged, updated }) => {
    if (listChanged) handler.notify.resourcesChanged();
    for (const changed of updated) handler.notify.resourceUpdated(changed);
  });
  const answer = toNodeHandler(handler);
  const http = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const client = new Client(identity, { versionNegotiation: { mode: 'auto' } });
  const notified: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void notified.push(params.uri));
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`)),
  );
  await client.listen({ resourceSubscriptions: [uri] });
  await client.callTool({ name: 'work', arguments: {} });
  await eventually(() => expect(notified).toEqual([uri]));
  expect((await client.readResource({ uri })).contents).toMatchObject([{ text: 'worked' }]);
  await client.close();
  await handler.close();
  http.close();
});
