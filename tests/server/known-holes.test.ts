import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';

// Holes that were found in other implementations of the protocol. Each test is the attack that works there. A8, secrets in
// a configuration, is closed by the Computer (tests/computer/secrets.test.ts), A16, one process only, by tests/cluster.

const request = (more: object = {}) => ({ agent: 'a1', computer: 'c1', req_id: 'r1', ...more });
const toolCall = (more: object = {}) => request({ tool_name: 't', params: { secret: 's' }, timeout: 5, ...more });
const listen = () => SmcpServer.listen({ port: 0 });

test('A1: moving into an office under the name of a member does not take its name over', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  computer.reply('client:tool_call', () => 'the real one');
  await using evil = await RawPeer.join(server.url, 'computer', 'evil', 'elsewhere');
  evil.reply('client:tool_call', () => 'stolen');
  expect((await evil.enter('computer', 'c1', 'o1'))[0]).toBe(false);
  await evil.leave('elsewhere');
  expect((await evil.enter('computer', 'c1', 'o1'))[0]).toBe(false);
  expect(await agent.ask('client:tool_call', toolCall())).toEqual(['the real one']);
});

test('A2: an Agent cannot call a Computer of another office', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o2');
  expect(await agent.ask('client:tool_call', toolCall())).toEqual([expect.objectContaining({ code: 404 })]);
  await computer.settled();
  expect(computer.heard).toEqual([]);
});

test('A3: an office named after the socket of a member hears nothing of what it is sent', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  computer.reply('client:tool_call', () => 'answer');
  const sid = computer.socket.id ?? '';
  const disguises = [sid, `office:o1`, `/smcp#${sid}`];
  const evil = await Promise.all(disguises.map(office => RawPeer.join(server.url, 'computer', 'spy', office)));
  expect(await agent.ask('client:tool_call', toolCall())).toEqual(['answer']);
  agent.socket.emit('server:tool_call_cancel', { agent: 'a1', req_id: 'r1' });
  await eventually(() => expect(computer.payloads('notify:tool_call_cancel')).toHaveLength(1));
  for (const spy of evil) {
    await spy.settled();
    expect(spy.heard).toEqual([]);
    spy.close();
  }
});

test('A4: leaving an office one is not in tells its members nothing', async () => {
  await using server = await listen();
  await using victim = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using evil = await RawPeer.join(server.url, 'computer', 'c1', 'o2');
  expect((await evil.leave('o1'))[0]).toBe(false);
  await victim.settled();
  expect(victim.heard).toEqual([]);
  expect((await evil.ask('server:list_room', { agent: 'c1', req_id: 'r', office_id: 'o2' }))[0]).toMatchObject({
    sessions: [{ name: 'c1' }],
  });
});

test('A4b: signals of a peer that left its office reach no peer', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o2');
  await using bystander = await RawPeer.connect(server.url);
  await computer.leave('o2');
  await agent.leave('o1');
  computer.socket.emit('server:update_tool_list', { computer: 'c1' });
  computer.socket.emit('server:update_desktop', { computer: 'c1' });
  agent.socket.emit('server:tool_call_cancel', { agent: 'a1', req_id: 'r1' });
  await Promise.all([computer.settled(), agent.settled()]);
  await bystander.settled();
  expect([agent.heard, computer.heard, bystander.heard]).toEqual([[], [], []]);
});

test('A5: re-joining with the name of another member neither renames nor unregisters anybody', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using victim = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  victim.reply('client:tool_call', () => 'still here');
  await using evil = await RawPeer.join(server.url, 'computer', 'c2', 'o1');
  expect((await evil.enter('computer', 'c1', 'o1'))[0]).toBe(false);
  await evil.leave('o1');
  expect(await agent.ask('client:tool_call', toolCall())).toEqual(['still here']);
  expect(agent.payloads('notify:leave_office')).toEqual([{ office_id: 'o1', computer: 'c2' }]);
  expect(await evil.enter('computer', 'c2', 'o1')).toEqual([true, null]);
});

test('A6: the built-in check of keys sees the headers of a real connection', async () => {
  await using server = await SmcpServer.listen({ port: 0, authenticate: apiKeys('k') });
  for (const transports of [['polling'], ['websocket']]) {
    await using peer = await RawPeer.connect(server.url, { transports, extraHeaders: { 'x-api-key': 'k' } });
    expect(peer.socket.connected).toBe(true);
  }
});

test('A7: names in payloads are not believed', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  await using other = await RawPeer.join(server.url, 'computer', 'c2', 'o1');
  expect(await agent.ask('client:get_tools', request({ agent: 'boss' }))).toEqual([
    expect.objectContaining({ code: 403 }),
  ]);
  expect(await other.ask('client:get_tools', request())).toEqual([expect.objectContaining({ code: 403 })]);
  expect(await other.ask('server:list_room', { agent: 'a1', req_id: 'r', office_id: 'o1' })).toEqual([
    expect.objectContaining({ code: 403 }),
  ]);
  other.socket.emit('server:update_desktop', { computer: 'c1' });
  await other.settled();
  await agent.settled();
  expect(agent.payloads('notify:update_desktop')).toEqual([]);
  expect(computer.payloads('client:get_tools')).toEqual([]);
});

test('A9: every failure is answered', async () => {
  await using server = await listen();
  await using peer = await RawPeer.connect(server.url);
  const events = ['client:tool_call', 'client:get_config', 'server:list_room', 'server:update_config', 'no:such_event'];
  for (const event of events)
    expect(await peer.ask(event, {})).toEqual([expect.objectContaining({ code: expect.any(Number) })]);
  for (const event of ['server:join_office', 'server:leave_office']) {
    expect(await peer.ask(event, {})).toEqual([false, expect.any(String)]);
  }
});

test('A10: a Computer that does not answer blocks no call for ever', async () => {
  await using server = await SmcpServer.listen({ port: 0, timeout: 50 });
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using _mute = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  expect(await agent.ask('client:get_tools', request())).toEqual([expect.objectContaining({ code: 408 })]);
  expect(server.health().inFlight).toBe(0);
});

test('A11: a refused move leaves the Computer where it was', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using _taken = await RawPeer.join(server.url, 'computer', 'c1', 'o2');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  expect((await computer.enter('computer', 'c1', 'o2'))[0]).toBe(false);
  computer.socket.emit('server:update_desktop', { computer: 'c1' });
  await eventually(() => expect(agent.payloads('notify:update_desktop')).toEqual([{ computer: 'c1' }]));
});

test('A12: events before joining are refused, not crashed on', async () => {
  await using server = await listen();
  await using peer = await RawPeer.connect(server.url);
  expect(await peer.ask('client:tool_call', toolCall())).toEqual([expect.objectContaining({ code: 4103 })]);
  expect(await peer.ask('server:join_office')).toEqual([false, expect.any(String)]);
});

test('A13: two offices, and the two roles, may use one name', async () => {
  await using server = await listen();
  const all: ['agent' | 'computer', string][] = [
    ['agent', 'o1'],
    ['computer', 'o1'],
    ['agent', 'o2'],
    ['computer', 'o2'],
  ];
  const peers = await Promise.all(all.map(([role, office]) => RawPeer.join(server.url, role, 'same', office)));
  expect(server.health()).toMatchObject({ offices: 2, members: 4 });
  for (const peer of peers) peer.close();
});

test('A14: a client that comes back at once is not locked out by its own dead connection', async () => {
  await using server = await listen();
  const auth = { instance_id: 'i1' };
  const dead = await RawPeer.join(server.url, 'agent', 'a1', 'o1', { auth });
  await using back = await RawPeer.connect(server.url, { auth });
  expect(await back.enter('agent', 'a1', 'o1')).toEqual([true, null]);
  dead.close();
});

test.each([
  ['empty', ''],
  ['blank', '   '],
  ['too long', 'x'.repeat(257)],
  ['with control characters', 'a\nb'],
  ['with a NUL', 'a\0'],
  ['with half a surrogate pair', '\ud800'],
])('A15: a name that is %s is refused with a reason', async (_, bad) => {
  await using server = await listen();
  await using peer = await RawPeer.connect(server.url);
  expect(await peer.enter('agent', bad, 'o1')).toEqual([false, expect.stringMatching(/^The name /)]);
  expect(await peer.enter('agent', 'a1', bad)).toEqual([false, expect.stringMatching(/^The office id /)]);
});

test('A17: of many Agents that rush into one office exactly one gets in', async () => {
  await using server = await listen();
  const peers = await Promise.all(Array.from({ length: 50 }, () => RawPeer.connect(server.url)));
  const answers = await Promise.all(peers.map((peer, n) => peer.enter('agent', `a${n}`, 'o1')));
  expect(answers.filter(([ok]) => ok)).toHaveLength(1);
  for (const peer of peers) peer.close();
});
