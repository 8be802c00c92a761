import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, textOf } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { apiKeys, type ServerOptions, SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { Server } from 'socket.io';
import { io as connect } from 'socket.io-client';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';

const echo = { description: '', schema: { type: 'object' }, run: async ({ text }: { text?: string }) => String(text) };

/** An HTTP server with a Socket.IO server that has a namespace of its own. */
async function openChat() {
  const http = createServer();
  const io = new Server(http);
  io.of('/chat').on('connection', socket => socket.on('say', (text, answer) => answer(`heard ${text}`)));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = urlOf(http);
  return {
    ...{ http, io, url },
    async say(path = '/socket.io/'): Promise<string> {
      const chat = connect(`${url}/chat`, { path, forceNew: true, reconnection: false });
      try {
        return await chat.timeout(10_000).emitWithAck('say', 'hi');
      } finally {
        chat.disconnect();
      }
    },
    async [Symbol.asyncDispose]() {
      await io.close();
    },
  };
}

const urlOf = (http: HttpServer) => `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

describe('attaching to an HTTP server with a Socket.IO server', () => {
  test('is refused, because its clients would be lost', async () => {
    await using chat = await openChat();
    expect(() => SmcpServer.attach(chat.http)).toThrow(/has a Socket\.IO server already.*'\/a2c\/'/);
    expect(await chat.say()).toBe('heard hi');
  });

  test('works under another path, and both serve their clients', async () => {
    await using chat = await openChat();
    await using _server = SmcpServer.attach(chat.http, { path: '/a2c/' });
    await using agent = await Agent.connect(chat.url, { name: 'a1', office: 'o1', path: '/a2c/' });
    expect(agent.joined).toBe(true);
    expect(await chat.say()).toBe('heard hi');
  });

  test('a second Server under the same path is refused until the first is closed', async () => {
    const http = createServer();
    const first = SmcpServer.attach(http);
    expect(() => SmcpServer.attach(http)).toThrow('already');
    await first.close();
    await SmcpServer.attach(http).close();
  });
});

describe('attached to a Socket.IO server', () => {
  async function open(options?: ServerOptions) {
    const chat = await openChat();
    const server = SmcpServer.attach(chat.io, options);
    return {
      ...{ ...chat, server },
      async [Symbol.asyncDispose]() {
        await server.close();
        await chat.io.close();
      },
    };
  }

  test.each(['polling', 'websocket'] as const)(
    'a Server serves calls over %s beside other namespaces',
    async transport => {
      await using host = await open();
      await using computer = await Computer.open({ name: 'desk', tools: { echo } });
      await computer.join(host.url, { office: 'o1', transports: [transport] });
      await using agent = await Agent.connect(host.url, { name: 'a1', office: 'o1', transports: [transport] });
      await agent.waitFor({ tool: 'echo' }, { timeout: 10_000 });
      const texts = Array.from({ length: 50 }, (_, n) => `text ${n} 世界`);
      const calls = texts.map(text => agent.callTool({ computer: 'desk', tool: 'echo', params: { text } }));
      expect((await Promise.all(calls)).map(textOf)).toEqual(texts);
      expect(host.server.url).toBe(host.url);
      expect(host.server.health()).toMatchObject({ members: 2, offices: 1 });
      expect(await host.say()).toBe('heard hi');
    },
  );

  test('a client uses both namespaces over one connection, and leaves one of them', async () => {
    await using host = await open();
    const chat = connect(`${host.url}/chat`, { reconnection: false });
    const smcp = chat.io.socket('/smcp');
    smcp.connect();
    const join = { role: 'agent', name: 'a1', office_id: 'o1' };
    expect(await smcp.timeout(10_000).emitWithAck('server:join_office', join)).toBe(true);
    expect(await chat.timeout(10_000).emitWithAck('say', 'hi')).toBe('heard hi');
    smcp.disconnect();
    await eventually(() => expect(host.server.health().members).toBe(0));
    expect(await chat.timeout(10_000).emitWithAck('say', 'hi')).toBe('heard hi');
    chat.io.engine.close();
  });

  test('credentials, versions and host names are checked as on a port of its own', async () => {
    await using host = await open({
      authenticate: apiKeys('k1'),
      acceptVersions: ['0.2'],
      allowedHosts: ['127.0.0.1'],
    });
    const member = { name: 'a1', office: 'o1' };
    await expect(Agent.connect(host.url, member)).rejects.toMatchObject({ code: 401 });
    const auth = { token: 'k1' };
    await using agent = await Agent.connect(host.url, { ...member, auth });
    expect(agent.joined).toBe(true);
    const later = Agent.connect(host.url, { name: 'a2', office: 'o2', auth, protocolVersion: '0.4.0' });
    await expect(later).rejects.toMatchObject({ code: 4008, details: { server_version: '0.2.0' } });
    const misaddressed = RawPeer.connect(host.url, { auth, extraHeaders: { host: 'evil.example' } });
    await expect(misaddressed).rejects.toMatchObject({ data: { code: 403 } });
  });

  test('more events per second than the limit are refused', async () => {
    await using host = await open({ limits: { eventsPerSecond: 5 } });
    await using agent = await RawPeer.join(host.url, 'agent', 'a1', 'o1');
    const list = () => agent.ask('server:list_room', { agent: 'a1', req_id: 'r', office_id: 'o1' });
    const answers = (await Promise.all(Array.from({ length: 10 }, list))).map(([answer]) => answer);
    expect(answers).toContainEqual(expect.objectContaining({ code: 429 }));
  });

  test('closing ends the namespace only, and it can be attached again', async () => {
    await using host = await open();
    await using agent = await RawPeer.join(host.url, 'agent', 'a1', 'o1');
    expect(() => SmcpServer.attach(host.io)).toThrow("has a namespace '/smcp' already");
    await host.server.close();
    await eventually(() => expect(agent.socket.connected).toBe(false));
    await expect(RawPeer.connect(host.url)).rejects.toThrow('Invalid namespace');
    expect(await host.say()).toBe('heard hi');
    await using _again = SmcpServer.attach(host.io);
    await using back = await RawPeer.join(host.url, 'agent', 'a1', 'o1');
    expect(back.socket.connected).toBe(true);
  });

  test('a Socket.IO server without an HTTP server is refused', () => {
    expect(() => SmcpServer.attach(new Server())).toThrow('attached to no HTTP server yet');
  });
});
