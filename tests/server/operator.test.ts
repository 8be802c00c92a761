import { apiKeys, type CallRecord, type ListenOptions, type OperatorFrame, SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { openOffice } from '../cluster/nodes.ts';
import { hasRedis } from '../cluster/redis.ts';
import { eventually } from '../eventually.ts';
import { rawUpgrade } from '../http.ts';
import { EventStream } from './event-stream.ts';

const key = 'operator-key-for-tests';
const headers = { authorization: `Bearer ${key}` };

const open = (options: ListenOptions = {}) => SmcpServer.listen({ port: 0, operatorKeys: [key], ...options });

async function get<T = Record<string, unknown>>(server: SmcpServer, path: string, init: RequestInit = {}) {
  const response = await fetch(`${server.url}/api/v1${path}`, { headers, ...init });
  return { status: response.status, body: (await response.json()) as T, headers: response.headers };
}

const callsOf = async (server: SmcpServer, query = '') =>
  (await get<{ calls: CallRecord[] }>(server, `/calls${query}`)).body.calls;

const toolCall = (req_id: string, more: object = {}) => ({
  ...{ agent: 'a1', computer: 'c1', req_id, tool_name: 'echo', params: { secret: 'canary' }, timeout: 5, ...more },
});

/** A Server for operators with an Agent and a Computer that echoes. */
async function openServer(options: ListenOptions = {}) {
  const server = await open(options);
  const agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1', { query: { a2c_version: '0.2.0' } });
  const computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  computer.reply('client:tool_call', () => ({ content: [{ type: 'text', text: 'canary' }] }));
  return {
    ...{ server, agent, computer },
    async [Symbol.asyncDispose]() {
      agent.close();
      computer.close();
      await server.close();
    },
  };
}

describe('the credentials of the operator API', () => {
  test('without an operator key the API is off', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    for (const path of ['/overview', '/offices', '/events'])
      expect(await get(server, path)).toMatchObject({ status: 404 });
  });

  test('only an operator key opens the API, only in the header, and it admits to no office', async () => {
    await using server = await open({ authenticate: apiKeys('key-of-an-agent') });
    for (const authorization of ['', 'Bearer', 'Bearer key-of-an-agent', `Basic ${key}`, `Bearer ${key}x`]) {
      const answer = await get(server, '/offices', { headers: { authorization } });
      expect(answer).toMatchObject({ status: 401, body: { error: { code: 401 } } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    const elsewhere = { headers: { 'x-api-key': key, cookie: `token=${key}` } };
    expect(await get(server, `/offices?token=${key}&authorization=${key}`, elsewhere)).toMatchObject({ status: 401 });
    expect(await get(server, '/events', { headers: {} })).toMatchObject({ status: 401 });
    const del = { method: 'DELETE', headers: {} };
    expect(await get(server, '/offices/o1/members/a1', del)).toMatchObject({ status: 401 });
    await expect(RawPeer.connect(server.url, { auth: { token: key } })).rejects.toThrow();
    expect(await get(server, '/overview')).toMatchObject({
      status: 200,
      body: { refusals: { operator: 8, unauthorized: 1 } },
    });
  });

  test('a key that can be guessed is refused at the start, and the port is free again', async () => {
    await using server = await open();
    const port = Number(new URL(server.url).port);
    await server.close();
    await expect(SmcpServer.listen({ port, operatorKeys: [key, 'short'] })).rejects.toThrow(
      'Key 2 of the operators is weak: it needs 16 or more ASCII characters, no spaces',
    );
    await using again = await SmcpServer.listen({ port });
    expect(again.url).toContain(String(port));
  });

  test('foreign names and upgrades to WebSockets are refused', async () => {
    await using server = await open();
    const upgrade = { Authorization: headers.authorization };
    expect(await rawUpgrade(server.url, '/api/v1/events', upgrade)).toBe('');
    const foreign = await rawUpgrade(server.url, '/api/v1/overview', {
      ...upgrade,
      Host: 'evil.example',
      Connection: 'close',
      Upgrade: '',
    });
    expect(foreign).toMatch(/^HTTP\/1.1 403/);
  });
});

describe('the operator API', () => {
  test('lists offices and their members with line, address, time and calls in flight', async () => {
    await using office = await openServer();
    const { server, agent, computer } = office;
    await using other = await RawPeer.join(server.url, 'computer', 'desk', 'q 1/ä%');
    computer.socket.on('client:get_tools', () => {});
    agent.socket.emit('client:get_tools', { agent: 'a1', computer: 'c1', req_id: 'r1' }, () => {});
    await eventually(() => expect(computer.payloads('client:get_tools')).toHaveLength(1));
    expect((await get(server, '/offices')).body).toEqual({
      offices: [
        { office: 'o1', agent: 'a1', computers: 1, inFlight: 1 },
        { office: 'q 1/ä%', agent: null, computers: 1, inFlight: 0 },
      ],
      total: 2,
    });
    expect((await get(server, '/offices?q=DES')).body).toMatchObject({ offices: [{ office: 'q 1/ä%' }], total: 1 });
    expect((await get(server, '/offices?limit=1&after=o1')).body).toMatchObject({ offices: [{ office: 'q 1/ä%' }] });
    const { body } = await get<{ members: object[] }>(server, '/offices/o1');
    const common = { office: 'o1', address: '127.0.0.1', identity: 'anonymous', inFlight: 1, node: 'main' };
    expect(body.members).toEqual([
      { ...common, role: 'agent', name: 'a1', sid: agent.socket.id, since: expect.any(Number), version: '0.2.0' },
      { ...common, role: 'computer', name: 'c1', sid: computer.socket.id, since: expect.any(Number) },
    ]);
    const path = `/offices/${encodeURIComponent('q 1/ä%')}`;
    expect((await get(server, path)).body).toMatchObject({ members: [{ name: 'desk', sid: other.socket.id }] });
    expect((await get(server, '/overview')).body).toMatchObject({
      ...{ status: 'ok', connections: 3, offices: 2, members: 3, inFlight: 1 },
      limits: { callsPerAgent: 256 },
      nodes: [{ self: true, reachable: true, observed: true }],
    });
    // No seat is taken.
    expect(computer.payloads('notify:enter_office')).toEqual([]);
  });

  test('records how each call ended, and neither arguments nor results', async () => {
    await using office = await openServer();
    const { server, agent, computer } = office;
    computer.reply('client:get_finder', () => ({ code: 4007, message: 'canary' }));
    computer.socket.on('client:get_tools', () => {});
    await agent.ask('client:tool_call', toolCall('r1'));
    await agent.ask('client:get_finder', { agent: 'a1', computer: 'c1', req_id: 'r2' });
    await agent.ask('client:tool_call', toolCall('r3', { computer: 'nobody' }));
    await agent.ask('client:brand_new_canary', { agent: 'a1', req_id: 'r4' });
    const lost = agent.ask('client:get_tools', { agent: 'a1', computer: 'c1', req_id: 'r5' });
    await eventually(() => expect(computer.payloads('client:get_tools')).toHaveLength(1));
    computer.close();
    await lost;
    const calls = await callsOf(server);
    const ended = { office: 'o1', agent: 'a1', computer: 'c1' };
    expect(calls.toReversed()).toMatchObject([
      { ...ended, event: 'client:tool_call', tool: 'echo', outcome: 'answered' },
      { ...ended, event: 'client:get_finder', outcome: 'answered', code: 4007 },
      { ...ended, event: 'client:tool_call', computer: 'nobody', tool: 'echo', outcome: 'refused', code: 404 },
      { ...ended, event: 'client:brand_new_canary', computer: '', outcome: 'refused', code: 400 },
      { ...ended, event: 'client:get_tools', outcome: 'computer_lost', code: 404 },
    ]);
    const [first] = calls.toReversed();
    expect(first?.requestBytes).toBe(JSON.stringify(['client:tool_call', toolCall('r1')]).length);
    expect(first?.responseBytes).toBeGreaterThan(40);
    expect(await callsOf(server, '?outcome=answered&event=client:tool_call')).toHaveLength(1);
    expect(await callsOf(server, '?limit=2')).toEqual(calls.slice(0, 2));
    await eventually(async () => {
      const { body } = await get<{ seconds: { total: Record<string, number>; events: object }[] }>(server, '/stats');
      const total = (outcome: string) => body.seconds.reduce((sum, second) => sum + (second.total[outcome] ?? 0), 0);
      expect([total('answered'), total('refused'), total('computer_lost')]).toEqual([2, 2, 1]);
      expect(JSON.stringify(body)).toContain('"client:tool_call":{"answered":1');
      expect(body.seconds.some(({ total: { p50 = 0 } }) => p50 > 0)).toBe(true);
    });
    const paths = ['/overview', '/offices', '/offices/o1', '/stats', '/moves', '/refusals'];
    const texts = await Promise.all(paths.map(async path => JSON.stringify((await get(server, path)).body)));
    expect(texts.join('\n')).not.toContain('canary');
    expect(JSON.stringify(await callsOf(server)).match(/canary/g)).toEqual(['canary']);
  });

  test('keeps the last 1,000 calls and counts the others', async () => {
    await using office = await openServer({ limits: { eventsPerSecond: 10_000, callsPerAgent: 2000 } });
    const asked = Array.from({ length: 1100 }, (_, index) =>
      office.agent.ask('client:tool_call', toolCall(`r${index}`)),
    );
    await Promise.all(asked);
    expect(await callsOf(office.server)).toHaveLength(1000);
    expect((await get(office.server, '/overview')).body).toMatchObject({ calls: { answered: 1100 } });
  });

  test('records joins, leaves and refusals with their addresses', async () => {
    await using office = await openServer({ limits: { eventsPerSecond: 20 } });
    const { server, agent } = office;
    await using second = await RawPeer.connect(server.url);
    expect((await second.enter('agent', 'a2', 'o1'))[0]).toBe(false);
    await Promise.all(Array.from({ length: 40 }, (_, index) => agent.ask('client:tool_call', toolCall(`r${index}`))));
    office.computer.close();
    await eventually(async () => {
      const { body } = await get<{ refusals: Record<string, unknown>[] }>(server, '/refusals');
      const join = body.refusals.find(({ reason }) => reason === 'join');
      expect(join).toMatchObject({ address: '127.0.0.1', message: 'Room already has an agent', count: 1 });
      const rate = body.refusals.filter(({ reason }) => reason === 'rate');
      expect(rate.length).toBeLessThan(5);
      expect(Number(rate[0]?.count)).toBeGreaterThan(5);
    });
    await eventually(async () => {
      const { body } = await get(server, '/moves?type=leave');
      expect(body).toMatchObject({ moves: [{ role: 'computer', name: 'c1', office: 'o1', address: '127.0.0.1' }] });
    });
  });

  test('disconnects a member by its name and role, and logs it', async () => {
    const lines: unknown[][] = [];
    const logger = { debug() {}, info: (...line: unknown[]) => lines.push(line), warn() {}, error() {} };
    await using office = await openServer({ logger });
    const { server, agent, computer } = office;
    await using twin = await RawPeer.join(server.url, 'computer', 'a1', 'o1');
    const end = (path: string) => get(server, `/offices/o1/members/${path}`, { method: 'DELETE' });
    expect(await end('c1?role=agent')).toMatchObject({ status: 404 });
    expect(await end('c1?role=boss')).toMatchObject({ status: 400 });
    expect(await end('a1?role=computer')).toMatchObject({ status: 200, body: { disconnected: 1 } });
    await eventually(() => expect(twin.socket.connected).toBe(false));
    expect([agent.socket.connected, computer.socket.connected]).toEqual([true, true]);
    expect(await end('c1')).toMatchObject({ status: 200, body: { disconnected: 1 } });
    expect(await end('c1')).toMatchObject({ status: 404 });
    const fields = { office: 'o1', name: 'c1', roles: ['agent', 'computer'] };
    expect(lines).toContainEqual(['An operator disconnected a member', expect.objectContaining(fields)]);
  });

  test('answers requests that make no sense with what would', async () => {
    await using server = await open();
    expect(await get(server, '/nothing')).toMatchObject({ status: 404 });
    expect(await get(server, '/offices/none')).toMatchObject({ status: 404 });
    expect(await get(server, '/offices', { method: 'POST' })).toMatchObject({ status: 405 });
    expect(await get(server, '/calls?limit=0')).toMatchObject({ status: 400 });
    expect(await get(server, '/calls?limit=1001')).toMatchObject({ status: 400 });
    expect(await get(server, '/offices/%E0%A4%A')).toMatchObject({ status: 400 });
    const preflight = await fetch(`${server.url}/api/v1/overview`, {
      method: 'OPTIONS',
      headers: { origin: 'http://evil.example' },
    });
    expect(preflight.status).toBe(401);
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the event stream of the operator API', () => {
  const stream = (server: SmcpServer, more: Record<string, string> = {}) =>
    EventStream.open<OperatorFrame>(`${server.url}/api/v1/events`, { ...headers, ...more });

  test('begins with a snapshot, continues with what is new, and resumes where it was interrupted', async () => {
    await using office = await openServer();
    const { server, agent } = office;
    await agent.ask('client:tool_call', toolCall('r1'));
    using first = await stream(server);
    const [snapshot] = await first.has(1);
    expect(snapshot).toMatchObject({
      topic: 'snapshot',
      value: {
        overview: { members: 2 },
        calls: [{ tool: 'echo' }],
        moves: [{ name: 'a1' }, { name: 'c1' }],
        limits: {},
      },
    });
    await agent.ask('client:tool_call', toolCall('r2', { tool_name: 'again' }));
    await using _late = await RawPeer.join(server.url, 'computer', 'c2', 'o1');
    await eventually(() => {
      const deltas = first.frames.filter(({ topic }) => topic === 'delta').map(({ value }) => value);
      expect(deltas.flatMap(({ calls }) => calls.map(({ tool }) => tool))).toEqual(['again']);
      expect(deltas.flatMap(({ moves }) => moves.map(({ name }) => name))).toEqual(['c2']);
      expect(deltas.flatMap(({ seconds }) => seconds).length).toBeGreaterThan(0);
      expect(deltas.at(-1)?.overview.members).toBe(3);
    });
    first[Symbol.dispose]();

    using resumed = await stream(server, { 'last-event-id': snapshot?.id ?? '' });
    const [delta] = await resumed.has(1);
    expect(delta).toMatchObject({ topic: 'delta', value: { calls: [{ tool: 'again' }], moves: [{ name: 'c2' }] } });
    for (const id of ['', 'x', 'ffffffffffff.0.0.0.0.9999999999', `${snapshot?.id.split('.')[0]}.9.9.9.9.9999999999`]) {
      using fresh = await stream(server, { 'last-event-id': id });
      expect((await fresh.has(1))[0]).toMatchObject({ topic: 'snapshot' });
    }
  });

  test('sends at most 100 calls in a frame, a heartbeat each second, and ends with the Server', async () => {
    await using office = await openServer({ limits: { eventsPerSecond: 10_000, callsPerAgent: 2000 } });
    const { server, agent } = office;
    using watching = await stream(server);
    await watching.has(2);
    await Promise.all(Array.from({ length: 600 }, (_, index) => agent.ask('client:tool_call', toolCall(`r${index}`))));
    await eventually(() => {
      const deltas = watching.frames.slice(1).map(({ value }) => value);
      expect(Math.max(...deltas.map(({ calls }) => calls.length))).toBeLessThanOrEqual(100);
      expect(deltas.reduce((sum, { calls, skipped }) => sum + calls.length + skipped, 0)).toBe(600);
    });
    await server.close();
    await eventually(() => expect(watching.isEnded).toBe(true));
  });

  test('is refused beyond 50 at the same time', async () => {
    await using server = await open();
    const streams = await Promise.all(Array.from({ length: 50 }, () => stream(server)));
    expect(await get(server, '/events')).toMatchObject({ status: 429 });
    for (const each of streams) each[Symbol.dispose]();
    await eventually(async () => (await stream(server))[Symbol.dispose]());
  });
});

test.runIf(hasRedis)('the operator API of one node shows all nodes', { timeout: 60_000 }, async () => {
  await using office = await openOffice({ operatorKeys: [key] });
  const { one, two, redis } = office;
  await office.call();
  await using silent = await SmcpServer.listen({ port: 0, redis: redis.url });
  await using desk = await RawPeer.join(silent.url, 'computer', 'desk', 'o1');
  for (const server of [one, two]) {
    expect((await get(server, '/offices')).body).toEqual({
      offices: [{ office: 'o1', agent: 'a1', computers: 2, inFlight: 0 }],
      total: 1,
    });
    const { body } = await get<{ members: { name: string; node: string; address: string }[] }>(server, '/offices/o1');
    expect(body.members.map(({ name, address }) => [name, address])).toEqual([
      ['a1', '127.0.0.1'],
      ['c1', '127.0.0.1'],
      ['desk', '127.0.0.1'],
    ]);
    expect(new Set(body.members.map(({ node }) => node)).size).toBe(3);
    // A call between nodes is one call.
    expect(await callsOf(server)).toMatchObject([{ event: 'client:get_tools', agent: 'a1', computer: 'c1' }]);
    const overview = (await get<{ nodes: { observed: boolean }[] }>(server, '/overview')).body;
    expect(overview).toMatchObject({ members: 3, calls: { answered: 1 } });
    expect(overview.nodes.map(({ observed }) => observed).toSorted()).toEqual([false, true, true]);
  }
  const moves = (await get<{ moves: { name: string }[] }>(one, '/moves')).body.moves.map(({ name }) => name);
  expect(moves.toSorted()).toEqual(['a1', 'c1']);
  const path = '/offices/o1/members/desk';
  expect(await get(one, path, { method: 'DELETE' })).toMatchObject({ status: 200 });
  await eventually(() => expect(desk.socket.connected).toBe(false));
  await silent.close();
  await eventually(async () => {
    const { body } = await get<{ nodes: object[] }>(one, '/overview');
    expect(body.nodes).toHaveLength(2);
  });
});
