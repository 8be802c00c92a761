import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { pollingHandshake, rawUpgrade } from '../http.ts';

const request = (reqId: string) => ({ agent: 'a1', computer: 'c1', req_id: reqId });

describe('a running Server', () => {
  test('tells how it is', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using _agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using _idle = await RawPeer.connect(server.url);
    const health = await fetch(`${server.url}/health`);
    expect(await health.json()).toEqual({
      status: 'ok',
      uptime: expect.any(Number),
      connections: 2,
      offices: 1,
      members: 1,
      inFlight: 0,
    });
    const ready = await fetch(`${server.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }]);
    expect((await fetch(`${server.url}/`)).status).toBe(404);
    expect((await fetch(`${server.url}/health`, { method: 'POST' })).status).toBe(405);
  });

  test('counts calls by event and outcome, and how long they took', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    computer.reply('client:get_tools', () => 'done');
    computer.reply('client:brand_new', () => 'done');
    await agent.ask('client:get_tools', request('r1'));
    await agent.ask('client:get_tools', { ...request('r2'), computer: 'nobody' });
    await agent.ask('client:brand_new', request('r3'));
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('a2c_calls_total{event="client:get_tools",outcome="answered"} 1');
    expect(metrics).toContain('a2c_calls_total{event="client:get_tools",outcome="refused"} 1');
    expect(metrics).toContain('a2c_calls_total{event="other",outcome="answered"} 1');
    expect(metrics).toContain('a2c_call_seconds_count{event="client:get_tools"} 1');
    expect(metrics).toContain('a2c_call_seconds_bucket{le="+Inf",event="client:get_tools"} 1');
    expect(metrics).toMatch(/a2c_received_bytes_total \d{3,}/);
    expect(metrics).toContain('a2c_members 2');
  });

  test('shows its metrics to this machine only, unless told otherwise', async () => {
    const forwarded = { headers: { 'x-forwarded-for': '203.0.113.7' } };
    await using local = await SmcpServer.listen({ port: 0 });
    expect((await fetch(`${local.url}/metrics`, forwarded)).status).toBe(404);
    await using open = await SmcpServer.listen({ port: 0, exposeMetrics: 'public' });
    expect((await fetch(`${open.url}/metrics`, forwarded)).status).toBe(200);
    await using off = await SmcpServer.listen({ port: 0, exposeMetrics: 'off' });
    expect((await fetch(`${off.url}/metrics`)).status).toBe(404);
  });
});

describe('closing', () => {
  test('lets calls in flight end and refuses new connections', async () => {
    const server = await SmcpServer.listen({ port: 0 });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    await using late = await RawPeer.connect(server.url);
    const acks: ((answer: unknown) => void)[] = [];
    computer.socket.on('client:get_tools', (_, ack) => acks.push(ack));
    const call = agent.ask('client:get_tools', request('r1'));
    await eventually(() => expect(acks).toHaveLength(1));
    const closed = server.close();
    expect(await late.enter('computer', 'c2', 'o1')).toEqual([false, 'The server is shutting down']);
    expect((await fetch(`${server.url}/ready`)).status).toBe(503);
    expect((await pollingHandshake(server.url, '')).status).toBe(503);
    acks[0]!('done');
    expect(await call).toEqual(['done']);
    await closed;
    await eventually(() => expect([agent, computer].some(({ socket }) => socket.connected)).toBe(false));
  });

  test('waits no longer than the grace period', async () => {
    const server = await SmcpServer.listen({ port: 0, gracePeriod: 50 });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    const lost = new Promise(resolve => agent.socket.once('disconnect', resolve));
    agent.socket.emit('client:get_tools', request('r1'), () => {});
    await eventually(() => expect(computer.heard).toHaveLength(1));
    await server.close();
    // Socket.IO clients reconnect after this reason by themselves.
    expect(await lost).toBe('transport close');
  });

  test('twice is the same as once', async () => {
    const server = await SmcpServer.listen({ port: 0 });
    await Promise.all([server.close(), server.close()]);
    await server.close();
  });

  test('frees the port', async () => {
    const server = await SmcpServer.listen({ port: 0 });
    const port = Number(new URL(server.url).port);
    await using _idle = await RawPeer.connect(server.url, { transports: ['polling'] });
    await server.close();
    await using again = await SmcpServer.listen({ port });
    expect(again.url).toBe(`http://127.0.0.1:${port}`);
  });
});

test('a port that is taken is an error that says so', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  const port = Number(new URL(server.url).port);
  await expect(SmcpServer.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

describe('attached to an HTTP server of the host program', () => {
  test('leaves other paths and upgrades to them, and the HTTP server open', async () => {
    const http = createServer((_, response) => response.end('mine'));
    http.on('upgrade', (incoming, socket) => {
      if (incoming.url === '/other') socket.end('HTTP/1.1 418 Teapot\r\n\r\n');
    });
    const server = SmcpServer.attach(http);
    expect(() => server.url).toThrow('does not listen on a port');
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    await using peer = await RawPeer.join(url, 'agent', 'a1', 'o1');
    expect(server.url).toBe(url);
    expect(await (await fetch(`${url}/health`)).text()).toBe('mine');
    expect(server.health()).toMatchObject({ members: 1 });
    expect(await rawUpgrade(url, '/other')).toMatch(/^HTTP\/1.1 418 Teapot/);
    await server.close();
    await eventually(() => expect(peer.socket.connected).toBe(false));
    expect(await (await fetch(`${url}/socket.io/`)).text()).toBe('mine');
    http.close();
    http.closeAllConnections();
  });
});
