import { Agent } from '@a2c-smcp/agent';
import { ErrorCode, readError } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { expect, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { verifies } from './verifies.ts';

const listen = () => SmcpServer.listen({ port: 0 });

verifies('join.malformed', async () => {
  await using server = await listen();
  await using peer = await RawPeer.connect(server.url);
  const malformed = [
    undefined,
    null,
    5,
    'text',
    [],
    {},
    { role: 'agent' },
    { role: 'king', name: 'a', office_id: 'o' },
  ];
  for (const request of [...malformed, { role: 'agent', name: 5, office_id: 'o' }]) {
    const [ok, reason, ...more] = await peer.ask('server:join_office', request);
    expect([ok, more]).toEqual([false, []]);
    expect(reason).toMatch(/^server:join_office: \S/);
  }
});

verifies('join.identity', async () => {
  await using server = await listen();
  await using peer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  expect(await peer.enter('agent', 'c1', 'o1')).toEqual([false, expect.stringContaining('computer')]);
  expect(await peer.enter('computer', 'c2', 'o1')).toEqual([false, expect.stringContaining("'c1'")]);
  expect(await peer.enter('computer', 'c2', 'o2')).toEqual([false, expect.stringContaining("'c1'")]);
  await peer.leave('o1');
  expect(await peer.enter('agent', 'c1', 'o1')).toEqual([false, expect.stringContaining('computer')]);
});

verifies('join.repeat', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  expect(await computer.enter('computer', 'c1', 'o1')).toEqual([true, null]);
  await agent.settled();
  expect(agent.payloads('notify:enter_office')).toHaveLength(1);
});

verifies('join.agent.exclusive', async () => {
  await using server = await listen();
  await using _first = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using second = await RawPeer.connect(server.url);
  expect(await second.enter('agent', 'a2', 'o1')).toEqual([false, 'Room already has an agent']);
  await using c1 = await RawPeer.connect(server.url);
  await using c2 = await RawPeer.connect(server.url);
  expect(await c1.enter('computer', 'c1', 'o1')).toEqual([true, null]);
  expect(await c2.enter('computer', 'c2', 'o1')).toEqual([true, null]);
});

verifies('join.agent.elsewhere', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  expect(await agent.enter('agent', 'a1', 'o2')).toEqual([false, expect.stringContaining('leave it first')]);
  await agent.leave('o1');
  expect(await agent.enter('agent', 'a1', 'o2')).toEqual([true, null]);
});

verifies('join.computer.moves', async () => {
  await using server = await listen();
  await using left = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using entered = await RawPeer.join(server.url, 'agent', 'a2', 'o2');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  expect(await computer.enter('computer', 'c1', 'o2')).toEqual([true, null]);
  await eventually(() => {
    expect(left.payloads('notify:leave_office')).toEqual([{ office_id: 'o1', computer: 'c1' }]);
    expect(entered.payloads('notify:enter_office')).toEqual([{ office_id: 'o2', computer: 'c1' }]);
  });
  const [answer] = await left.ask('client:get_tools', { agent: 'a1', computer: 'c1', req_id: 'r1' });
  expect(answer).toMatchObject({ code: 404 });
});

verifies('join.name', async () => {
  await using server = await listen();
  await using _first = await RawPeer.join(server.url, 'computer', 'same', 'o1');
  await using second = await RawPeer.connect(server.url);
  expect(await second.enter('computer', 'same', 'o1')).toEqual([false, expect.stringContaining("'same'")]);
  expect(await second.enter('computer', 'same', 'o2')).toEqual([true, null]);
  await using agent = await RawPeer.connect(server.url);
  expect(await agent.enter('agent', 'same', 'o1')).toEqual([true, null]);
});

verifies('join.atomic', async () => {
  await using server = await listen();
  await using home = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using away = await RawPeer.join(server.url, 'agent', 'a2', 'o2');
  await using _taken = await RawPeer.join(server.url, 'computer', 'c1', 'o2');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  computer.reply('client:get_tools', ({ req_id }) => ({ tools: [], req_id }));
  expect((await computer.enter('computer', 'c1', 'o2'))[0]).toBe(false);
  expect((await computer.enter('computer', '', 'o2'))[0]).toBe(false);
  const [answer] = await home.ask('client:get_tools', { agent: 'a1', computer: 'c1', req_id: 'r1' });
  expect(answer).toEqual({ tools: [], req_id: 'r1' });
  await away.settled();
  expect(home.payloads('notify:leave_office')).toEqual([]);
  expect(away.payloads('notify:enter_office')).toEqual([{ office_id: 'o2', computer: 'c1' }]);
  away.socket.emit('server:tool_call_cancel', { agent: 'a2', req_id: 'r9' });
  await away.settled();
  await computer.settled();
  expect(computer.payloads('notify:tool_call_cancel')).toEqual([]);
});

verifies('leave.foreign', async () => {
  await using server = await listen();
  await using victim = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using stranger = await RawPeer.join(server.url, 'computer', 'c1', 'o2');
  await using outsider = await RawPeer.connect(server.url);
  expect(await stranger.leave('o1')).toEqual([false, 'Not in room']);
  expect(await outsider.leave('o1')).toEqual([false, 'Not in room']);
  await victim.settled();
  expect(victim.heard).toEqual([]);
  expect(await stranger.leave('o2')).toEqual([true, null]);
});

verifies('leave.clears', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  expect(await computer.leave('o1')).toEqual([true, null]);
  expect(await agent.leave('o1')).toEqual([true, null]);
  await using nextAgent = await RawPeer.connect(server.url);
  await using nextComputer = await RawPeer.connect(server.url);
  expect(await nextAgent.enter('agent', 'a1', 'o1')).toEqual([true, null]);
  expect(await nextComputer.enter('computer', 'c1', 'o1')).toEqual([true, null]);
  expect(await computer.enter('computer', 'c1', 'o2')).toEqual([true, null]);
  expect(await agent.enter('agent', 'a1', 'o2')).toEqual([true, null]);
});

verifies('disconnect.leaves', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  const computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  computer.close();
  await eventually(() => expect(agent.payloads('notify:leave_office')).toEqual([{ office_id: 'o1', computer: 'c1' }]));
  await using next = await RawPeer.connect(server.url);
  expect(await next.enter('computer', 'c1', 'o1')).toEqual([true, null]);
  agent.close();
  await eventually(() =>
    expect(next.payloads('notify:leave_office')).toMatchObject([{ office_id: 'o1', agent: 'a1' }]),
  );
});

verifies('broadcast.audience', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using sender = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  await using neighbour = await RawPeer.join(server.url, 'computer', 'c2', 'o1');
  await using stranger = await RawPeer.join(server.url, 'agent', 'a2', 'o2');
  await using outsider = await RawPeer.connect(server.url);
  for (const name of ['update_config', 'update_tool_list', 'update_desktop', 'update_finder']) {
    sender.socket.emit(`server:${name}`, { computer: 'c1' });
  }
  const expected = ['notify:update_config', 'notify:update_tool_list', 'notify:update_desktop', 'notify:update_finder'];
  const updatesOf = (peer: RawPeer) => peer.heard.map(([event]) => event).filter(event => event.includes('update'));
  await eventually(() => {
    for (const peer of [agent, neighbour]) expect(updatesOf(peer)).toEqual(expected);
  });
  for (const peer of [sender, stranger, outsider]) {
    await peer.settled();
    expect(updatesOf(peer)).toEqual([]);
  }
});

verifies('broadcast.update-guard', async () => {
  const warn = vi.fn();
  const logger = { debug() {}, info() {}, error() {}, warn };
  await using server = await SmcpServer.listen({ port: 0, logger });
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  await using outsider = await RawPeer.connect(server.url);
  computer.socket.emit('server:update_desktop', { computer: 'c2' });
  computer.socket.emit('server:update_desktop', {});
  agent.socket.emit('server:update_desktop', { computer: 'a1' });
  outsider.socket.emit('server:update_desktop', { computer: 'c1' });
  await Promise.all([computer.settled(), agent.settled(), outsider.settled()]);
  await agent.settled();
  expect(agent.payloads('notify:update_desktop')).toEqual([]);
  expect(warn.mock.calls.filter(([message]) => message === 'A signal was dropped')).toHaveLength(4);
  const [refusal] = await computer.ask('server:update_desktop', { computer: 'c2' });
  expect(refusal).toMatchObject({ code: 403 });
});

verifies('broadcast.cancel-guard', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  computer.socket.emit('server:tool_call_cancel', { agent: 'a1', req_id: 'r1' });
  const refused = await computer.ask('server:tool_call_cancel', { agent: 'c1', req_id: 'r1' });
  expect(refused).toMatchObject([{ code: 403, message: 'Only an Agent may send server:tool_call_cancel' }]);
  const foreign = await agent.ask('server:update_config', { computer: 'a1' });
  expect(foreign).toMatchObject([{ code: 403, message: 'Only a Computer may send server:update_config' }]);
  agent.socket.emit('server:tool_call_cancel', { agent: 'a2', req_id: 'r2' });
  agent.socket.emit('server:tool_call_cancel', { agent: 'a1', req_id: 'r3' });
  await eventually(() => expect(computer.payloads('notify:tool_call_cancel')).toEqual([{ agent: 'a1', req_id: 'r3' }]));
  await agent.settled();
  expect(agent.payloads('notify:tool_call_cancel')).toEqual([]);
});

verifies('list-room.members', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1', { query: { a2c_version: '0.2.1' } });
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  const [answer] = await agent.ask('server:list_room', { agent: 'a1', req_id: 'r1', office_id: 'o1' });
  expect(answer).toEqual({
    sessions: [
      { sid: agent.socket.id, name: 'a1', role: 'agent', office_id: 'o1', a2c_version: '0.2.1' },
      { sid: computer.socket.id, name: 'c1', role: 'computer', office_id: 'o1' },
    ],
    req_id: 'r1',
  });
});

verifies('list-room.foreign', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using _other = await RawPeer.join(server.url, 'agent', 'a2', 'o2');
  const list = async (office_id: string) => {
    const [answer] = await agent.ask('server:list_room', { agent: 'a1', req_id: 'r1', office_id });
    return answer;
  };
  expect(await list('o2')).toMatchObject({ code: 4104 });
  expect(await list('empty')).toMatchObject({ code: 4102 });
});

verifies(
  'ack.pair',
  async () => {
    await using server = await listen();
    await using first = await RawPeer.connect(server.url);
    await using second = await RawPeer.connect(server.url);
    expect(await first.enter('agent', 'a1', 'o1')).toEqual([true, null]);
    expect(await second.enter('agent', 'a2', 'o1')).toEqual([false, expect.any(String)]);
    expect(await second.leave('o1')).toEqual([false, expect.any(String)]);
    expect(await first.leave('o1')).toEqual([true, null]);
  },
  'the Server answers with two arguments',
);

verifies('names.legal', async () => {
  await using server = await listen();
  const enter = async (name: string, office: string) => {
    await using peer = await RawPeer.connect(server.url);
    const [ok] = await peer.enter('computer', name, office);
    return ok;
  };
  const longest = 'é'.repeat(256);
  expect(await enter(longest, longest)).toBe(true);
  for (const illegal of ['', ' ', `${longest}x`, 'a\u0000b', 'line\nbreak', '\u007f', '\ud800']) {
    expect([illegal, await enter(illegal, 'o1'), await enter('c1', illegal)]).toEqual([illegal, false, false]);
  }
});

verifies('error.codes.room', async () => {
  await using server = await listen();
  await using outsider = await RawPeer.connect(server.url);
  const { OfficeFull, OfficeNotFound, NotInOffice, CrossOfficeAccess, AgentElsewhere } = ErrorCode;
  const codes = [OfficeFull, OfficeNotFound, NotInOffice, CrossOfficeAccess, AgentElsewhere];
  expect(codes).toEqual([4101, 4102, 4103, 4104, 4106]);
  const codeOf = ([answer]: unknown[]) => readError(answer)?.code;
  const list = (office_id: string) => ({ agent: 'a1', req_id: 'r1', office_id });
  expect(codeOf(await outsider.ask('server:list_room', list('o1')))).toBe(4103);
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using _other = await RawPeer.join(server.url, 'computer', 'c1', 'o2');
  expect(codeOf(await agent.ask('server:list_room', list('o2')))).toBe(4104);
  expect(codeOf(await agent.ask('server:list_room', list('o3')))).toBe(4102);
  // Earlier lines refuse a join with a text.
  await using second = await RawPeer.connect(server.url, { query: { a2c_version: '0.5.0' } });
  expect(codeOf(await second.enter('agent', 'a2', 'o1'))).toBe(4101);
  const refused = Agent.connect(server.url, { name: 'a2', office: 'o1', connectTimeout: 2000 });
  await expect(refused).rejects.toMatchObject({ code: 4101 });
});

verifies('transport.both', async () => {
  await using server = await listen();
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1', { transports: ['polling'] });
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1', { transports: ['websocket'] });
  computer.reply('client:get_tools', ({ req_id }) => ({ tools: [], req_id }));
  const [answer] = await agent.ask('client:get_tools', { agent: 'a1', computer: 'c1', req_id: 'r1' });
  expect(answer).toEqual({ tools: [], req_id: 'r1' });
});
