import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';

const OFFICE = 'o1';
const asked = { agent: 'a1', req_id: 'r1' };

// The Agents of all official SDKs join like this: they send the request and do not wait for its answer.
describe('what a peer sends after a join that is not answered yet', () => {
  test('is answered as to a member', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using agent = await RawPeer.connect(server.url);
    agent.socket.emit('server:join_office', { role: 'agent', name: 'a1', office_id: OFFICE });
    const [listed] = await agent.ask('server:list_room', { ...asked, office_id: OFFICE });
    expect(listed).toMatchObject({ req_id: 'r1', sessions: [{ name: 'a1' }] });
  });

  test('reaches a Computer', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', OFFICE);
    computer.reply('client:get_tools', ({ req_id }) => ({ tools: [], req_id }));
    await using agent = await RawPeer.connect(server.url);
    agent.socket.emit('server:join_office', { role: 'agent', name: 'a1', office_id: OFFICE });
    expect(await agent.ask('client:get_tools', { ...asked, computer: 'c1' })).toEqual([{ tools: [], req_id: 'r1' }]);
  });

  test('reaches the office, and after a leave it does not', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', OFFICE);
    await using computer = await RawPeer.connect(server.url);
    computer.socket.emit('server:join_office', { role: 'computer', name: 'c1', office_id: OFFICE });
    computer.socket.emit('server:update_config', { computer: 'c1' });
    computer.socket.emit('server:leave_office', { office_id: OFFICE });
    computer.socket.emit('server:update_desktop', { computer: 'c1' });
    await computer.settled();
    await eventually(() => expect(agent.payloads('notify:leave_office')).toHaveLength(1));
    const heard = agent.heard.map(([event]) => event);
    expect(heard).toEqual(['notify:enter_office', 'notify:update_config', 'notify:leave_office']);
  });
});

test('a cancellation does not overtake the call that it cancels', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', OFFICE);
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', OFFICE);
  const call = { ...asked, computer: 'c1', tool_name: 't', params: {}, timeout: 60 };
  await computer.settled();
  computer.heard.length = 0;
  for (const req_id of ['r1', 'r2', 'r3']) {
    agent.socket.emit('client:tool_call', { ...call, req_id }, () => {});
    agent.socket.emit('server:tool_call_cancel', { agent: 'a1', req_id });
  }
  const order = ['client:tool_call', 'notify:tool_call_cancel'];
  await eventually(() => expect(computer.heard.map(([event]) => event)).toEqual([...order, ...order, ...order]));
});

test('no two calls have the same id, so that an answer over a later connection answers nothing else', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', OFFICE);
  const ids: string[] = [];
  for (const req_id of ['r1', 'r2', 'r3']) {
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', OFFICE);
    computer.socket.io.engine.on('message', (message: string) => {
      const [, id] = /^2\/smcp,(\d+)\["client:/.exec(message) ?? [];
      if (id !== undefined) ids.push(id);
    });
    const call = agent.ask('client:get_tools', { ...asked, req_id, computer: 'c1' });
    await eventually(() => expect(computer.heard.map(([event]) => event)).toContain('client:get_tools'));
    computer.close();
    await call;
  }
  expect(new Set(ids).size).toBe(3);
});

test('members of a large office get all notifications in one order, and before what is sent to them later', async () => {
  await using server = await SmcpServer.listen({ port: 0 });
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', OFFICE);
  const names = Array.from({ length: 60 }, (_, index) => `c${index}`);
  const polling = { transports: ['polling'], upgrade: false };
  const join = (name: string) => RawPeer.join(server.url, 'computer', name, OFFICE, name === 'c7' ? polling : {});
  const computers = await Promise.all(names.map(join));
  await eventually(() => expect(agent.payloads('notify:enter_office')).toHaveLength(names.length));
  const order = agent.payloads('notify:enter_office').map(payload => (payload as { computer: string }).computer);
  expect(order.toSorted()).toEqual(names.toSorted());

  const [sender] = computers;
  sender?.socket.on('client:get_tools', (_, ack) => {
    for (const event of ['config', 'desktop', 'finder'])
      sender.socket.emit(`server:update_${event}`, { computer: 'c0' });
    ack('answer');
  });
  expect(await agent.ask('client:get_tools', { ...asked, computer: 'c0' })).toEqual(['answer']);
  const signals = ['notify:update_config', 'notify:update_desktop', 'notify:update_finder'];
  expect(agent.heard.slice(-3).map(([event]) => event)).toEqual(signals);
  for (const computer of computers) {
    if (computer !== sender)
      await eventually(() => expect(computer.heard.slice(-3).map(([event]) => event)).toEqual(signals));
    const heard = computer.payloads('notify:enter_office').map(payload => (payload as { computer: string }).computer);
    // Those that entered after it, and none before.
    expect(heard).toEqual(order.slice(order.length - heard.length));
  }
  for (const computer of computers) computer.close();
});
