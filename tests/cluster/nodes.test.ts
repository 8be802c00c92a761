import { once } from 'node:events';
import { createServer } from 'node:http';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { openNodes, request, toolCall } from './nodes.ts';
import { hasRedis } from './redis.ts';

describe.runIf(hasRedis)('two nodes with one Redis', { timeout: 60_000 }, () => {
  verifies('cluster.one-server', async () => {
    await using nodes = await openNodes();
    await using agent = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(nodes.two.url, 'computer', 'c1', 'o1');
    await eventually(() =>
      expect(agent.payloads('notify:enter_office')).toEqual([{ office_id: 'o1', computer: 'c1' }]),
    );

    computer.socket.on('client:get_tools', (body, ack) => ack({ got: body }, 'second', null));
    expect(await agent.ask('client:get_tools', request('r1', { text: '世\n界' }))).toEqual([
      { got: request('r1', { text: '世\n界' }) },
      'second',
      null,
    ]);
    const [unknown] = await agent.ask('client:get_tools', request('r2', { computer: 'nobody' }));
    expect(unknown).toMatchObject({ code: 404, message: "No computer 'nobody' in this office: it has 'c1'" });

    agent.socket.emit('server:tool_call_cancel', { agent: 'a1', req_id: 'r9' });
    computer.socket.emit('server:update_desktop', { computer: 'c1' });
    await eventually(() => {
      expect(computer.payloads('notify:tool_call_cancel')).toEqual([{ agent: 'a1', req_id: 'r9' }]);
      expect(agent.payloads('notify:update_desktop')).toEqual([{ computer: 'c1' }]);
    });

    await using bystander = await RawPeer.join(nodes.one.url, 'computer', 'c2', 'o1');
    const progress = { computer: 'c1', req_id: 'r9', progress: 1 };
    computer.socket.emit('server:update_progress', progress);
    await eventually(() => expect(agent.payloads('notify:update_progress')).toEqual([progress]));
    await bystander.settled();
    expect(bystander.payloads('notify:update_progress')).toEqual([]);
    bystander.close();
    await eventually(() => expect(agent.payloads('notify:leave_office')).toHaveLength(1));

    const [room] = await agent.ask('server:list_room', { agent: 'a1', req_id: 'l', office_id: 'o1' });
    expect(room).toMatchObject({
      sessions: [
        { name: 'a1', role: 'agent' },
        { name: 'c1', role: 'computer' },
      ],
    });
  });

  test('may be attached to servers of the host program', async () => {
    await using nodes = await openNodes();
    const http = createServer().listen(0, '127.0.0.1');
    await once(http, 'listening');
    await using server = await SmcpServer.attach(http, { redis: nodes.redis.url });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(nodes.one.url, 'computer', 'c1', 'o1');
    computer.reply('client:get_tools', () => 'answer');
    expect(await agent.ask('client:get_tools', request('r1'))).toEqual(['answer']);
    http.close();
  });

  test('let a member replace one of another node, and announce both', async () => {
    await using nodes = await openNodes();
    await using computer = await RawPeer.join(nodes.one.url, 'computer', 'c1', 'o1');
    await using first = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
    await using other = await RawPeer.connect(nodes.two.url);
    expect((await other.enter('agent', 'a2', 'o1'))[0]).toBe(false);
    await using second = await RawPeer.connect(nodes.two.url, { auth: { replace: true } });
    expect(await second.enter('agent', 'a2', 'o1')).toEqual([true, null]);
    await eventually(() => expect(first.socket.connected).toBe(false));
    await eventually(() => expect(computer.payloads('notify:enter_office')).toMatchObject([{}, { agent: 'a2' }]));
    expect(computer.payloads('notify:leave_office')).toMatchObject([{ agent: 'a1' }]);
    const [room] = await second.ask('server:list_room', { agent: 'a2', req_id: 'l', office_id: 'o1' });
    expect(room).toMatchObject({ sessions: [{ name: 'a2' }, { name: 'c1' }] });
  });

  test('keep many calls of one moment apart, whatever is in them', async () => {
    await using nodes = await openNodes();
    await using agent = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(nodes.two.url, 'computer', 'c1', 'o1');
    computer.reply('client:get_tools', ({ req_id, text }) => ({ req_id, text: `${text}\n\ud83d\ude00` }));
    const texts = Array.from({ length: 50 }, (_, n) => '\n世界 "quoted" \ud83d\ude00'.repeat(n));
    const calls = texts.map((text, n) => agent.ask('client:get_tools', request(`r${n}`, { text })));
    expect(await Promise.all(calls)).toEqual(
      texts.map((text, n) => [{ req_id: `r${n}`, text: `${text}\n\ud83d\ude00` }]),
    );
  });

  test('keep a cancellation behind the call that it cancels', async () => {
    await using nodes = await openNodes();
    await using agent = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(nodes.two.url, 'computer', 'c1', 'o1');
    computer.reply('client:get_tools', () => 'answer');
    await agent.ask('client:get_tools', request('r0'));
    computer.heard.length = 0;
    const ids = Array.from({ length: 20 }, (_, n) => `r${n + 1}`);
    for (const req_id of ids) {
      agent.socket.emit('client:tool_call', toolCall(req_id), () => {});
      agent.socket.emit('server:tool_call_cancel', { agent: 'a1', req_id });
    }
    const expected = ids.flatMap(id => [`client:tool_call ${id}`, `notify:tool_call_cancel ${id}`]);
    const heard = () => computer.heard.map(([event, payload]) => `${event} ${(payload as { req_id: string }).req_id}`);
    await eventually(() => expect(heard()).toHaveLength(40));
    expect(heard()).toEqual(expected);
  });

  test('of three nodes each reaches the others', async () => {
    await using nodes = await openNodes();
    await using three = await SmcpServer.listen({ port: 0, redis: nodes.redis.url });
    await using agent = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
    const urls = { c1: nodes.one.url, c2: nodes.two.url, c3: three.url };
    const computers = Object.entries(urls).map(async ([name, url]) => {
      const computer = await RawPeer.join(url, 'computer', name, 'o1');
      computer.reply('client:get_tools', () => name);
      return computer;
    });
    for (const name of Object.keys(urls)) {
      await using _computer = await computers.shift()!;
      expect(await agent.ask('client:get_tools', request(name, { computer: name }))).toEqual([name]);
    }
  });

  test('reach each other through a Redis that does not let them suppress its replies', async () => {
    const debug = vi.fn();
    const logger = { debug, info() {}, warn() {}, error() {} };
    await using nodes = await openNodes({ logger }, '--user default on nopass ~* &* +@all -client|reply'.split(' '));
    await using agent = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(nodes.two.url, 'computer', 'c1', 'o1');
    computer.reply('client:get_tools', () => 'answer');
    expect(await agent.ask('client:get_tools', request('r1'))).toEqual(['answer']);
    await agent.settled();
    // The client of Redis complains of replies that it has not asked for.
    expect(debug).not.toHaveBeenCalledWith('Redis reported an error', expect.anything());
  });

  test('keep names and the seat of the Agent unique', async () => {
    await using nodes = await openNodes();
    await using _agent = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
    await using _computer = await RawPeer.join(nodes.one.url, 'computer', 'c1', 'o1');
    await using other = await RawPeer.connect(nodes.two.url);
    expect(await other.enter('agent', 'a2', 'o1')).toEqual([false, 'Room already has an agent']);
    await using third = await RawPeer.connect(nodes.two.url);
    expect(await third.enter('computer', 'c1', 'o1')).toEqual([false, expect.stringContaining("'c1'")]);
    expect(await third.enter('computer', 'c1', 'o2')).toEqual([true, null]);
  });

  test('let a client take over its own session from the other node', async () => {
    await using nodes = await openNodes();
    await using agent = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
    const auth = { instance_id: 'i1' };
    const stale = await RawPeer.join(nodes.one.url, 'computer', 'c1', 'o1', { auth });
    await using back = await RawPeer.join(nodes.two.url, 'computer', 'c1', 'o1', { auth });
    await eventually(() => expect(stale.socket.connected).toBe(false));
    back.reply('client:get_tools', () => 'from the second node');
    expect(await agent.ask('client:get_tools', request('r1'))).toEqual(['from the second node']);
    await agent.settled();
    expect(agent.payloads('notify:leave_office')).toEqual([]);
  });

  test('report a Computer that is lost, moves, or does not answer', async () => {
    await using nodes = await openNodes({ timeout: 300 });
    await using agent = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
    const computer = await RawPeer.join(nodes.two.url, 'computer', 'c1', 'o1');
    expect(await agent.ask('client:get_tools', request('r1'))).toEqual([expect.objectContaining({ code: 408 })]);
    const call = agent.ask('client:tool_call', toolCall('r2'));
    await eventually(() => expect(computer.payloads('client:tool_call')).toHaveLength(1));
    computer.close();
    expect(await call).toEqual([expect.objectContaining({ details: { reason: 'computer_disconnected' } })]);
    await eventually(() => expect(agent.payloads('notify:leave_office')).toHaveLength(1));
    // The first node still believes it on the second; it has come back on the first.
    await using moved = await RawPeer.join(nodes.one.url, 'computer', 'c1', 'o1');
    moved.reply('client:get_tools', () => 'moved');
    expect(await agent.ask('client:get_tools', request('r3'))).toEqual(['moved']);
  });

  test('tell the offices when a node closes', async () => {
    await using nodes = await openNodes();
    await using agent = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
    await using _computer = await RawPeer.join(nodes.two.url, 'computer', 'c1', 'o1');
    await nodes.two.close();
    await eventually(() =>
      expect(agent.payloads('notify:leave_office')).toEqual([{ office_id: 'o1', computer: 'c1' }]),
    );
    expect(await agent.ask('client:get_tools', request('r1'))).toEqual([expect.objectContaining({ code: 404 })]);
  });

  test('never give one seat to two Agents, in 1,000 races', { timeout: 120_000 }, async () => {
    await using nodes = await openNodes({ limits: { eventsPerSecond: 1_000_000 } });
    await using left = await RawPeer.connect(nodes.one.url);
    await using right = await RawPeer.connect(nodes.two.url);
    for (let round = 0; round < 1000; round++) {
      const office = `race-${round % 7}`;
      const answers = await Promise.all([left.enter('agent', 'l', office), right.enter('agent', 'r', office)]);
      expect(answers.filter(([ok]) => ok)).toHaveLength(1);
      await (answers[0]![0] ? left : right).leave(office);
    }
  });
});
