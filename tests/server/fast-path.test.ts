import type { Duplex } from 'node:stream';
import type { Role } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../eventually.ts';

/** A peer below Socket.IO: frames as text, in both directions. */
async function joinRaw(url: string, role: string, name: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  const frames: string[] = [];
  socket.on('message', data => frames.push(String(data)));
  const received = (text: string) => eventually(() => expect(frames.some(frame => frame.startsWith(text))).toBe(true));
  await received('0');
  socket.send('40/smcp,');
  await received('40/smcp');
  socket.send(`42/smcp,0["server:join_office",{"role":"${role}","name":"${name}","office_id":"o1"}]`);
  await received('43/smcp,0[true');
  /** The id of the next request. */
  const asked = async () => {
    await received('42/smcp,');
    return /^42\/smcp,(\d+)/.exec(frames.at(-1) ?? '')?.[1];
  };
  return { socket, asked };
}

/** How a peer may be connected: the fast lane is for WebSockets, from the start or after an upgrade. */
const ways = {
  webSocket: { transports: ['websocket'] },
  polling: { transports: ['polling'] },
  upgraded: { transports: ['polling', 'websocket'] },
};

async function joinBy(way: keyof typeof ways, url: string, role: Role, name: string): Promise<RawPeer> {
  const peer = await RawPeer.join(url, role, name, 'o1', ways[way]);
  const { engine } = peer.socket.io;
  if (way === 'upgraded') await eventually(() => expect(engine.transport.name).toBe('websocket'));
  return peer;
}

describe.each(['webSocket', 'polling', 'upgraded'] as const)('an Agent by %s', agentWay => {
  test.each(['webSocket', 'polling', 'upgraded'] as const)('and a Computer by %s understand each other', async way => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using agent = await joinBy(agentWay, server.url, 'agent', 'a1');
    await using computer = await joinBy(way, server.url, 'computer', 'c1');
    computer.socket.on('client:anything', (body, ack) => ack({ got: body }, '世界', null));
    const request = (reqId: string) => ({ agent: 'a1', computer: 'c1', req_id: reqId, text: '世界 \u2028' });
    const answers = await Promise.all(['r1', 'r2', 'r3'].map(id => agent.ask('client:anything', request(id))));
    expect(answers).toEqual(['r1', 'r2', 'r3'].map(id => [{ got: request(id) }, '世界', null]));
    expect(await agent.ask('client:anything', { ...request('r4'), computer: 'c2' })).toMatchObject([{ code: 404 }]);
  });
});

describe.each([true, false])('with fastPath: %s', fastPath => {
  test('requests and answers arrive as they were meant', async () => {
    await using server = await SmcpServer.listen({ port: 0, fastPath });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    const odd = {
      text: '世界 \u2028 "quoted" \\ \ud83d\ude00',
      numbers: [0.1, -7, 1e21],
      deep: { __proto__: null, a: [[]] },
    };
    computer.socket.on('client:anything', (body, ack) => ack({ got: body }, 'second', null));
    const request = { agent: 'a1', computer: 'c1', req_id: 'r1', odd };
    expect(await agent.ask('client:anything', request)).toEqual([{ got: request }, 'second', null]);
  });

  test('a notification that was sent before an answer arrives before it', async () => {
    await using server = await SmcpServer.listen({ port: 0, fastPath });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    computer.socket.on('client:get_tools', (_, ack) => {
      computer.socket.emit('server:update_tool_list', { computer: 'c1' });
      ack({ tools: [] });
    });
    const heard: number[] = [];
    for (let n = 0; n < 5; n++) {
      await agent.ask('client:get_tools', { agent: 'a1', computer: 'c1', req_id: `r${n}` });
      heard.push(agent.payloads('notify:update_tool_list').length);
    }
    expect(heard).toEqual([1, 2, 3, 4, 5]);
  });

  test('an answer of an earlier connection of the same client goes nowhere', async () => {
    await using server = await SmcpServer.listen({ port: 0, fastPath });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    const computer = await joinRaw(server.url, 'computer', 'c1');
    const lost = agent.ask('client:get_tools', { agent: 'a1', computer: 'c1', req_id: 'r1' });
    const id = await computer.asked();
    computer.socket.send('41/smcp,');
    computer.socket.send(`43/smcp,${id}["too late"]`);
    expect(await lost).toMatchObject([{ details: { reason: 'computer_disconnected' } }]);
    computer.socket.close();
  });

  test('an event is handled before a disconnect in the same chunk, and none behind it', async () => {
    await using server = await SmcpServer.listen({ port: 0, fastPath });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    const { socket } = await joinRaw(server.url, 'computer', 'c1');
    const { _socket: stream } = socket as unknown as { _socket: Duplex };
    stream.cork();
    socket.send('42/smcp,["server:update_config",{"computer":"c1"}]');
    socket.send('41/smcp,');
    socket.send('42/smcp,["server:update_desktop",{"computer":"c1"}]');
    stream.uncork();
    await eventually(() => expect(agent.payloads('notify:leave_office')).toHaveLength(1));
    await agent.settled();
    const heard = agent.heard.map(([event]) => event);
    expect(heard).toEqual(['notify:enter_office', 'notify:update_config', 'notify:leave_office']);
    socket.close();
  });

  test('only the first argument of a request is forwarded', async () => {
    await using server = await SmcpServer.listen({ port: 0, fastPath });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    computer.socket.on('client:get_tools', (...args) => args.at(-1)(args.slice(0, -1)));
    const request = { agent: 'a1', computer: 'c1', req_id: 'r1' };
    expect(await agent.ask('client:get_tools', request, { more: 1 })).toEqual([[request]]);
  });

  test('a Computer that answers with broken JSON loses its own connection only', async () => {
    await using server = await SmcpServer.listen({ port: 0, fastPath });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    const broken = await joinRaw(server.url, 'computer', 'c1');
    const call = agent.ask('client:get_tools', { agent: 'a1', computer: 'c1', req_id: 'r1' });
    const id = await broken.asked();
    broken.socket.send(`43/smcp,${id}[{"tools":[}]`);
    expect(await call).toEqual([expect.objectContaining({ details: { reason: 'computer_disconnected' } })]);
    await agent.settled();
    expect(agent.socket.connected).toBe(true);
  });

  test('an Agent that sends broken JSON disturbs no Computer', async () => {
    await using server = await SmcpServer.listen({ port: 0, fastPath });
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    const broken = await joinRaw(server.url, 'agent', 'a1');
    broken.socket.send('42/smcp,1["client:get_tools",{"agent":"a1","computer":"c1","req_id":"r1"');
    await eventually(() => expect(computer.payloads('notify:leave_office')).toHaveLength(1));
    expect(computer.payloads('client:get_tools')).toEqual([]);
  });

  test('an answer to a call of another peer is ignored', async () => {
    await using server = await SmcpServer.listen({ port: 0, fastPath });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    const forger = await joinRaw(server.url, 'computer', 'c2');
    let answer: (value: unknown) => void = () => {};
    computer.socket.on('client:get_tools', (_, ack) => {
      answer = ack;
    });
    const call = agent.ask('client:get_tools', { agent: 'a1', computer: 'c1', req_id: 'r1' });
    await eventually(() => expect(computer.heard.at(-1)?.[0]).toBe('client:get_tools'));
    for (let id = 0; id < 20; id++) forger.socket.send(`43/smcp,${id}["forged"]`);
    await computer.settled();
    answer('genuine');
    expect(await call).toEqual(['genuine']);
    forger.socket.close();
  });
});
