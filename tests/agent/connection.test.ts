import { Agent, type ConnectionState } from '@a2c-smcp/agent';
import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { openCuttingProxy } from '../peer/cutting-proxy.ts';
import { openOffice } from './office.ts';
import { ScriptedComputer, text } from './scripted-computer.ts';

const member = { name: 'assistant', office: 'demo' };

describe('connecting', () => {
  test.each([
    [
      '4101 when the office has an agent',
      member,
      { code: 4101, message: expect.stringContaining('already has an agent') },
    ],
    [
      '4008 and both versions when they are incompatible',
      { ...member, protocolVersion: '0.9.0' },
      { code: 4008, details: expect.objectContaining({ client_version: '0.9.0', server_version: '0.5.0' }) },
    ],
  ])('connecting fails with %s', async (_, options, expected) => {
    await using office = await openOffice();
    await expect(Agent.connect(office.server.url, options)).rejects.toMatchObject(expected);
    await expect(Agent.connect(office.server.url, { ...options, transports: ['websocket'] })).rejects.toMatchObject(
      expected,
    );
  });

  test('connecting with a wrong key fails with 401 and a hint', async () => {
    await using server = await SmcpServer.listen({ port: 0, authenticate: apiKeys(['right']) });
    await expect(Agent.connect(server.url, { ...member, headers: { 'x-api-key': 'wrong' } })).rejects.toMatchObject({
      code: 401,
      message: expect.stringContaining("check 'auth' and 'headers'"),
    });
    await using agent = await Agent.connect(server.url, { ...member, headers: { 'x-api-key': 'right' } });
    expect(agent.joined).toBe(true);
  });

  test('connecting without a Server fails with 408 and the address', async () => {
    const server = await SmcpServer.listen({ port: 0 });
    const { url } = server;
    await server.close();
    await expect(Agent.connect(url, member)).rejects.toMatchObject({
      code: 408,
      message: expect.stringContaining(url),
    });
  });

  test('connecting fails when the signal fires', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const signal = AbortSignal.abort(new Error('changed my mind'));
    await expect(Agent.connect(server.url, { ...member, signal })).rejects.toThrow('changed my mind');
    expect(server.health().connections).toBe(0);
  });

  verifies('transport.both', async () => {
    for (const transport of ['polling', 'websocket'] as const) {
      await using office = await openOffice({
        tools: { echo: () => text('hi') },
        agent: { transports: [transport] },
      });
      expect(await office.agent.callTool({ computer: 'desk', tool: 'echo' })).toEqual(text('hi'));
    }
  });

  test('connecting does not wait for a Computer that does not answer', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using _silent = await RawPeer.join(server.url, 'computer', 'silent', 'demo');
    await using agent = await Agent.connect(server.url, member);
    expect(agent.computers.get('silent')).toEqual({ tools: [] });
  });

  test('the first join is emitted to a listener that is added at once', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using agent = await Agent.connect(server.url, member);
    const states: ConnectionState[] = [];
    agent.on('connection', state => states.push(state));
    await eventually(() => expect(states).toEqual([{ type: 'joined' }]));
  });

  test('an Agent that is closed has left its office', async () => {
    await using office = await openOffice();
    await office.agent.close();
    await using next = await Agent.connect(office.server.url, member);
    expect(next.joined).toBe(true);
  });
});

describe('when the Server dies and starts again', () => {
  test('the Agent rejoins its office and emits it, and pending calls are answered', async () => {
    const first = await SmcpServer.listen({ port: 0 });
    const port = Number(new URL(first.url).port);
    await using _computer = await ScriptedComputer.join(first.url, { tools: { echo: () => text('hi') } });
    await using agent = await Agent.connect(first.url, member);
    const states: ConnectionState['type'][] = [];
    const back = new Promise<number>(resolve => {
      agent.on('connection', ({ type }) => {
        if (type === 'joined' && states.includes('lost')) resolve(performance.now());
        states.push(type);
      });
    });

    await first.close();
    await eventually(() => expect(states).toContain('lost'));
    const meanwhile = agent.members();
    await eventually(() => expect(states).toContain('retrying'));

    await using _second = await SmcpServer.listen({ port });
    const listening = performance.now();
    expect((await back) - listening).toBeLessThan(2000);
    expect(await meanwhile).toContainEqual(expect.objectContaining({ role: 'agent', name: 'assistant' }));
    await agent.waitFor({ tool: 'echo' }, { timeout: 10_000 });
    expect(await agent.callTool({ computer: 'desk', tool: 'echo' })).toEqual(text('hi'));
    expect(states.filter(type => type === 'joined')).toHaveLength(2);
  });

  test('the Agent updates its Computers after it has rejoined', async () => {
    const first = await SmcpServer.listen({ port: 0 });
    const port = Number(new URL(first.url).port);
    const desk = await ScriptedComputer.join(first.url, { tools: { echo: () => text('hi') } });
    await using lab = await ScriptedComputer.join(first.url, { name: 'lab' });
    await using agent = await Agent.connect(first.url, member);
    const left: string[] = [];
    agent.on('leave', ({ computer }) => left.push(computer));
    await first.close();
    await desk.close();
    lab.tools.set('measure', () => text('7'));
    await using _second = await SmcpServer.listen({ port });
    await eventually(() => expect([...agent.computers.keys()]).toEqual(['lab']));
    await eventually(() => expect(agent.computers.get('lab')?.tools).toMatchObject([{ name: 'measure' }]));
    expect(left).toContain('desk');
  });
});

describe('when only the connection breaks', () => {
  verifies(
    'reconnect.takeover',
    async () => {
      await using server = await SmcpServer.listen({ port: 0 });
      await using proxy = await openCuttingProxy(server.url);
      await using watcher = await RawPeer.join(server.url, 'computer', 'watcher', 'demo');
      await using agent = await Agent.connect(proxy.url, { ...member, autoRefresh: [] });
      const states: ConnectionState[] = [];
      agent.on('connection', state => states.push(state));
      await eventually(() => expect(states).toEqual([{ type: 'joined' }]));
      proxy.cut();
      await eventually(() => expect(states).toHaveLength(3));
      await watcher.settled();
      expect(states.map(({ type }) => type)).toEqual(['joined', 'lost', 'joined']);
      expect(watcher.heard.map(([event]) => event)).toEqual(['notify:enter_office']);
    },
    'the Agent takes its place back before the Server has noticed the loss',
  );
});
