import { serve } from '@a2c-smcp/core';
import { Peer, type PeerOptions } from '@a2c-smcp/peer';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { recordingLogger } from '@a2c-smcp/testing';
import { describe, expect, test, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { joinAnswers, openForeignServer } from './foreign-server.ts';

/** How a peer may be connected. */
const ways = { polling: ['polling'], webSocket: ['websocket'], upgraded: ['polling', 'websocket'] } as const;
type Way = keyof typeof ways;

const agent: PeerOptions = { role: 'agent', name: 'a1', office: 'o1' };
const computer: PeerOptions = { role: 'computer', name: 'c1', office: 'o1' };
const request = (reqId: string, more: object = {}) => ({ agent: 'a1', computer: 'c1', req_id: reqId, ...more });
const tools = (reqId: string) => ({ tools: [], req_id: reqId });
const welcome = joinAnswers(true, null);
const limit = { timeout: 5000 };

async function settled(peer: Peer, way: Way): Promise<void> {
  await eventually(() => expect(peer.transport).toBe(way === 'polling' ? 'polling' : 'websocket'));
}

const pairs = (Object.keys(ways) as Way[]).flatMap(asking =>
  (Object.keys(ways) as Way[]).map(way => [asking, way] as const),
);

describe.each(pairs)('an Agent by %s and a Computer by %s', (asking, answering) => {
  async function openOffice(prepare: PeerOptions['prepare']) {
    const server = await SmcpServer.listen({ port: 0 });
    const answers = await Peer.join(server.url, { ...computer, transports: ways[answering], prepare });
    const asks = await Peer.join(server.url, { ...agent, transports: ways[asking] });
    await Promise.all([settled(answers, answering), settled(asks, asking)]);
    return {
      asks,
      answers,
      async [Symbol.asyncDispose]() {
        await Promise.all([asks.close(), answers.close()]);
        await server.close();
      },
    };
  }

  test('exchange requests, answers and errors, whatever is in them', async () => {
    const received: unknown[] = [];
    await using office = await openOffice(socket => {
      serve(socket, 'client:get_tools', async body => {
        received.push(body);
        if (body.fail) throw new SmcpError(ErrorCode.NotFound, 'Not here: "世\n界"');
        return { ...tools(body.req_id), text: body.text };
      });
    });
    const texts = ['', '43/smcp,1[]', '"quoted" \\ 世\n界 \ud83d\ude00', 'x'.repeat(100_000)];
    const calls = texts.map((text, n) => office.asks.call('client:get_tools', request(`r${n}`, { text }), limit));
    expect(await Promise.all(calls)).toEqual(texts.map((text, n) => ({ ...tools(`r${n}`), text })));
    expect(received).toEqual(texts.map((text, n) => request(`r${n}`, { text })));
    const failing = office.asks.call('client:get_tools', request('r9', { fail: true }), limit);
    await expect(failing).rejects.toMatchObject({ code: 404, message: 'Not here: "世\n界"' });
  });

  test('hear requests and notifications in the order in which they were sent', async () => {
    const heard: string[] = [];
    await using office = await openOffice(socket => {
      serve(socket, 'client:get_tools', ({ req_id }) => {
        heard.push(req_id);
        return tools(req_id);
      });
      socket.on('notify:tool_call_cancel', ({ req_id }) => heard.push(req_id));
    });
    const sent = Array.from({ length: 20 }, (_, n) => String(n));
    const calls: Promise<unknown>[] = [];
    for (const id of sent) {
      if (Number(id) % 3 === 0) office.asks.emit('server:tool_call_cancel', { agent: 'a1', req_id: id });
      else calls.push(office.asks.call('client:get_tools', request(id), limit));
    }
    await Promise.all(calls);
    await eventually(() => expect(heard).toEqual(sent));
  });
});

describe.each(['polling', 'webSocket'] as const)('a peer by %s', way => {
  const transports = ways[way];

  test('sends nothing after its signal has fired, and ends a pending call when it fires', async () => {
    const asked: string[] = [];
    await using server = await openForeignServer({
      connected: socket => {
        welcome(socket);
        socket.on('client:get_tools', ({ req_id }) => asked.push(req_id));
      },
    });
    await using peer = await Peer.join(server.url, { ...agent, transports });
    const fired = AbortSignal.abort(new Error('never'));
    await expect(peer.call('client:get_tools', request('r1'), { ...limit, signal: fired })).rejects.toThrow('never');
    const stop = new AbortController();
    const pending = peer.call('client:get_tools', request('r2'), { ...limit, signal: stop.signal });
    await eventually(() => expect(asked).toEqual(['r2']));
    stop.abort(new Error('changed my mind'));
    await expect(pending).rejects.toThrow('changed my mind');
  });

  test('gives up what is not answered in time, and ignores an answer that is late', async () => {
    const acks: ((answer: unknown) => void)[] = [];
    await using server = await openForeignServer({
      connected: socket => {
        welcome(socket);
        socket.on('client:get_tools', (_, ack) => acks.push(ack));
      },
    });
    await using peer = await Peer.join(server.url, { ...agent, transports });
    const late = peer.call('client:get_tools', request('r1'), { timeout: 50 });
    await expect(late).rejects.toMatchObject({ code: 408, details: { reason: 'timeout' } });
    acks[0]?.(tools('r1'));
    const next = peer.call('client:get_tools', request('r2'), limit);
    await eventually(() => expect(acks).toHaveLength(2));
    acks[1]?.(tools('r2'));
    expect(await next).toEqual(tools('r2'));
  });

  test('fails what waits as soon as the connection is lost, and goes on over the next one', async () => {
    let answers = false;
    await using server = await openForeignServer({
      connected: socket => {
        welcome(socket);
        socket.on('client:get_tools', ({ req_id }, ack) => (answers ? ack(tools(req_id)) : socket.disconnect(true)));
      },
    });
    await using peer = await Peer.join(server.url, { ...agent, transports });
    const lost = peer.call('client:get_tools', request('r1'), { timeout: 60_000 });
    await expect(lost).rejects.toMatchObject({ details: { reason: 'disconnected' } });
    answers = true;
    expect(await peer.call('client:get_tools', request('r2'), limit)).toEqual(tools('r2'));
  });

  test.each([
    '2/smcp,1["client:get_tools",{',
    '3/smcp,0[',
    '2/smcp,7[',
    '2/smcp,1{"a":1}',
    '2/smcp,1["disconnect"]',
    '2/smcp,1 ["x"]',
    '3/smcp,1 [0]',
  ])('drops the connection for a broken message, %s', async broken => {
    await using server = await openForeignServer({ connected: welcome });
    await using peer = await Peer.join(server.url, { ...agent, transports });
    const states = vi.fn();
    peer.on('connection', ({ type }) => states(type));
    for (const socket of server.io.of('/smcp').sockets.values()) socket.conn.write(broken);
    await eventually(() => expect(states).toHaveBeenCalledWith('lost'));
  });

  test('ignores requests without a handler and answers without a request', async () => {
    await using server = await openForeignServer({
      connected: socket => {
        welcome(socket);
        for (const odd of ['3/smcp,1073741999[1]', '2/smcp,5["client:unknown",{}]', '2/smcp,5["client:get_tools"]']) {
          socket.conn.write(odd);
        }
        socket.on('client:get_tools', ({ req_id }, ack) => ack(tools(req_id)));
      },
    });
    await using peer = await Peer.join(server.url, { ...agent, transports });
    expect(await peer.call('client:get_tools', request('r1'), limit)).toEqual(tools('r1'));
  });
});

test('an answer is not sent over another connection than the one it was asked for on', async () => {
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const received: string[] = [];
  await using server = await openForeignServer({
    connected: socket => {
      welcome(socket);
      socket.conn.on('packet', ({ data }) => received.push(String(data)));
    },
  });
  const prepare: PeerOptions['prepare'] = socket => {
    serve(socket, 'client:get_tools', async ({ req_id }) => {
      if (req_id === 'old') await held;
      return tools(req_id);
    });
  };
  await using peer = await Peer.join(server.url, { ...computer, transports: ['websocket'], prepare });
  const states = vi.fn();
  peer.on('connection', ({ type }) => states(type));
  const ask = (reqId: string) => {
    for (const socket of server.io.of('/smcp').sockets.values()) {
      socket.conn.write(`2/smcp,7["client:get_tools",${JSON.stringify(request(reqId))}]`);
    }
  };
  ask('old');
  server.io.of('/smcp').disconnectSockets(true);
  await eventually(() => expect(states).toHaveBeenLastCalledWith('joined'));
  release();
  ask('new');
  await eventually(() => expect(received.join()).toContain('"new"'));
  expect(received.join()).not.toContain('"old"');
});

test('a listener that throws or rejects is logged, and the next message is served', async () => {
  const logger = recordingLogger();
  await using server = await openForeignServer({ connected: welcome });
  const heard: string[] = [];
  const prepare: PeerOptions['prepare'] = channel => {
    channel.on('notify:update_config', () => {
      throw new Error('thrown');
    });
    channel.on('notify:update_tool_list', async () => {
      throw new Error('rejected');
    });
    channel.on('notify:update_desktop', ({ computer: name }) => heard.push(name));
  };
  await using _ = await Peer.join(server.url, { ...agent, prepare, logger });
  for (const event of ['notify:update_config', 'notify:update_tool_list', 'notify:update_desktop']) {
    server.io.of('/smcp').emit(event, { computer: 'c1' });
  }
  await eventually(() => expect(heard).toEqual(['c1']));
  const failures = logger.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields?.event);
  expect(failures.toSorted()).toEqual(['notify:update_config', 'notify:update_tool_list']);
});
