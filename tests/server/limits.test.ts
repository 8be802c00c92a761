import { Peer } from '@a2c-smcp/peer';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { pollingHandshake } from '../http.ts';

const call = (reqId: string, more: object = {}) => ({ agent: 'a1', computer: 'c1', req_id: reqId, ...more });

describe('a message that is too long', () => {
  test('costs its sender an error with both sizes, not the connection', async () => {
    await using server = await SmcpServer.listen({ port: 0, limits: { messageBytes: 10_000 } });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    computer.reply('client:get_tools', ({ req_id }) => ({ tools: [], req_id }));
    const [refusal] = await agent.ask('client:get_tools', call('r1', { padding: 'x'.repeat(12_000) }));
    expect(refusal).toMatchObject({ code: 413, details: { size: expect.any(Number), limit: 10_000 } });
    expect(await agent.ask('client:get_tools', call('r2'))).toEqual([{ tools: [], req_id: 'r2' }]);
  });

  test('of many bytes but few characters is measured in bytes', async () => {
    await using server = await SmcpServer.listen({ port: 0, limits: { messageBytes: 10_000 } });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    const [refusal] = await agent.ask('client:get_tools', call('r1', { padding: '世'.repeat(4000) }));
    expect(refusal).toMatchObject({ code: 413 });
  });

  test('from a Computer reaches the Agent as 413', async () => {
    await using server = await SmcpServer.listen({ port: 0, limits: { messageBytes: 10_000 } });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    computer.reply('client:get_tools', () => ({ padding: 'x'.repeat(12_000) }));
    expect(await agent.ask('client:get_tools', call('r1'))).toEqual([expect.objectContaining({ code: 413 })]);
    expect(computer.socket.connected).toBe(true);
  });

  verifies('limits.message', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const response = await pollingHandshake(server.url, '');
    const text = await response.text();
    expect(JSON.parse(text.slice(1))).toMatchObject({ maxPayload: 16 * 1024 * 1024 });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    computer.reply('client:get_tools', ({ padding }) => ({ size: String(padding).length }));
    const fits = call('r1', { padding: 'x'.repeat(15 * 1024 * 1024) });
    expect(await agent.ask('client:get_tools', fits)).toEqual([{ size: 15 * 1024 * 1024 }]);
    const tooLong = call('r2', { padding: 'x'.repeat(17 * 1024 * 1024) });
    expect(await agent.ask('client:get_tools', tooLong)).toEqual([expect.objectContaining({ code: 413 })]);
  });
});

verifies('office.size', async () => {
  await using server = await SmcpServer.listen({ port: 0, limits: { membersPerOffice: 2 } });
  await using _agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using _first = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  await using second = await RawPeer.connect(server.url);
  expect(await second.enter('computer', 'c2', 'o1')).toEqual([false, 'The office is full: it has 2 members']);
  expect(await second.enter('computer', 'c2', 'o2')).toEqual([true, null]);
});

describe('connections', () => {
  test('of one address are limited', async () => {
    await using server = await SmcpServer.listen({ port: 0, limits: { connectionsPerAddress: 2 } });
    await using _first = await RawPeer.connect(server.url);
    const second = await RawPeer.connect(server.url);
    const response = await pollingHandshake(server.url, '');
    expect([response.status, await response.json()]).toEqual([
      429,
      { code: 429, message: 'There are 2 connections from 127.0.0.1 already' },
    ]);
    second.close();
    await eventually(async () => expect((await pollingHandshake(server.url, '')).status).toBe(200));
  });

  test('of all addresses are limited', async () => {
    await using server = await SmcpServer.listen({ port: 0, limits: { connections: 1 } });
    await using _first = await RawPeer.connect(server.url);
    const response = await pollingHandshake(server.url, '');
    expect([response.status, await response.json()]).toMatchObject([429, { code: 429 }]);
  });

  test('behind a trusted proxy are counted by the address the proxy names', async () => {
    const limits = { connectionsPerAddress: 1 };
    await using server = await SmcpServer.listen({ port: 0, trustProxy: true, allowAnonymous: true, limits });
    const from = (addresses: string) => ({ extraHeaders: { 'x-forwarded-for': addresses } });
    await using _first = await RawPeer.connect(server.url, from('10.0.0.1'));
    await using _second = await RawPeer.connect(server.url, from('10.0.0.2'));
    await expect(RawPeer.connect(server.url, from('1.2.3.4, 10.0.0.2'))).rejects.toThrow();
  });
});

verifies('calls.pending-limit', async () => {
  await using server = await SmcpServer.listen({ port: 0, limits: { callsPerAgent: 3 } });
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  const waiting: ((answer: unknown) => void)[] = [];
  computer.socket.on('client:get_tools', (_, ack) => waiting.push(ack));
  const calls = ['r1', 'r2', 'r3'].map(reqId => agent.ask('client:get_tools', call(reqId)));
  await eventually(() => expect(waiting).toHaveLength(3));
  expect(await agent.ask('client:get_tools', call('r4'))).toEqual([expect.objectContaining({ code: 429 })]);
  for (const ack of waiting) ack('done');
  expect(await Promise.all(calls)).toEqual([['done'], ['done'], ['done']]);
});

describe('too many events', () => {
  verifies('limits.rate', async () => {
    await using server = await SmcpServer.listen({ port: 0, limits: { eventsPerSecond: 20 } });
    await using noisy = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using quiet = await RawPeer.join(server.url, 'agent', 'a2', 'o2');
    const list = { agent: 'a1', req_id: 'r', office_id: 'o1' };
    const answers = await Promise.all(Array.from({ length: 100 }, () => noisy.ask('server:list_room', list)));
    const refused = answers.filter(([answer]) => (answer as { code?: number }).code === 429);
    expect(refused.length).toBeGreaterThan(50);
    expect(refused.length).toBeLessThan(100);
    const [answer] = await quiet.ask('server:list_room', { ...list, agent: 'a2', office_id: 'o2' });
    expect(answer).toMatchObject({ req_id: 'r' });
  });

  test('are refused in the form of the event, and forgiven after a while', async () => {
    await using server = await SmcpServer.listen({ port: 0, limits: { eventsPerSecond: 5 } });
    await using peer = await RawPeer.connect(server.url);
    const answers = await Promise.all(Array.from({ length: 30 }, () => peer.enter('agent', '', '')));
    expect(answers.at(-1)).toEqual([false, expect.stringContaining('slow down')]);
    await eventually(async () => expect(await peer.enter('agent', 'a1', 'o1')).toEqual([true, null]), 20_000, 500);
  });
});

test('a peer that does not read is disconnected before it fills the memory', async () => {
  const limits = { backlogBytes: 2_000_000, eventsPerSecond: 10_000 };
  await using server = await SmcpServer.listen({ port: 0, limits, pingTimeout: 60_000 });
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using deaf = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  // The raw TCP socket below engine.io and ws: nothing is read from it any more.
  const { transport } = deaf.socket.io.engine as unknown as { transport: { ws: { pause(): void } } };
  transport.ws.pause();
  const padding = 'x'.repeat(500_000);
  const calls = Array.from({ length: 100 }, (_, n) => agent.ask('client:get_tools', call(`r${n}`, { padding })));
  const codes = (await Promise.all(calls)).map(([answer]) => (answer as { code: number }).code);
  // Those that fit wait until it is disconnected; the others are refused at once.
  expect([...new Set(codes)].sort()).toEqual([404, 429]);
  expect(await server.metrics()).toContain('a2c_rejected_total{reason="backlog"} 1');
});

test('a Computer that never answers is disconnected', async () => {
  const limits = { unansweredCalls: 3 };
  await using server = await SmcpServer.listen({ port: 0, timeout: 50, limits });
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using silent = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  for (const reqId of ['r1', 'r2', 'r3', 'r4']) await agent.ask('client:get_tools', call(reqId));
  await eventually(() => expect(silent.socket.connected).toBe(false));
});

test('clients that connect all at once are told to return one after another, and ours do', async () => {
  await using server = await SmcpServer.listen({ port: 0, limits: { handshakesPerSecond: 2 } });
  const handshake = () => fetch(`${server.url}/socket.io/?EIO=4&transport=polling`);
  const answers = await Promise.all(Array.from({ length: 12 }, handshake));
  const refused = answers.filter(({ status }) => status === 503);
  const waits = refused.map(({ headers }) => Number(headers.get('retry-after')));
  expect(Math.min(...waits)).toBe(1);
  expect(Math.max(...waits)).toBeGreaterThan(1);
  expect(await refused[0]?.json()).toMatchObject({ code: 503, retry_after: waits[0] });
  expect(await server.metrics()).toMatch(/a2c_rejected_total\{reason="busy"\} \d/);
  const refusals: unknown[] = [];
  server.on('refuse', refusal => refusals.push(refusal));
  await expect(Peer.join(server.url, { role: 'agent', name: 'a1', office: 'o1' })).rejects.toMatchObject({
    code: 503,
    details: { retry_after: expect.any(Number) },
  });
  await using peer = await Peer.join(server.url, { role: 'agent', name: 'a1', office: 'o1', waitForServer: true });
  expect(peer.joined).toBe(true);
  // It was told once, and did not ask again before.
  expect(refusals.length).toBeLessThanOrEqual(4);
});
