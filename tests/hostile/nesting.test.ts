import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineClient, openPolling, openWebSocket } from './engine-client.ts';
import { ServerProcess } from './server-process.ts';
import { openWorkingOffice } from './working-office.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const TOO_DEEP = 'nested deeper than 512 levels';
const transports = [
  ['WebSocket', openWebSocket],
  ['long polling', openPolling],
] as const;

async function admitted(client: Promise<EngineClient>): Promise<EngineClient> {
  const connection = await client;
  await connection.send('0/smcp,');
  await connection.receive('0/smcp,');
  return connection;
}

async function joined(client: Promise<EngineClient>, role: string, name: string, office: string) {
  const connection = await admitted(client);
  await connection.send(`2/smcp,0["server:join_office",{"role":"${role}","name":"${name}","office_id":"${office}"}]`);
  await connection.receive('3/smcp,0[true');
  return connection;
}

/** Answers the requests that a client receives with a text of JSON. */
function answerWith(client: EngineClient, json: string): void {
  void client.receive('2/smcp,').then(packet => {
    const [, id = ''] = /^2\/smcp,(\d+)/.exec(packet) ?? [];
    return client.send(`3/smcp,${id}[${json}]`);
  });
}

describe.each(['pretty', 'json'])('with %s logs', format => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await ServerProcess.start(['--logs', format]);
  }, 120_000);
  afterAll(() => server[Symbol.asyncDispose]());

  describe.each(transports)('by %s', (transport, open) => {
    test('a request whose req_id is nested 20,000 levels is answered with 400', async () => {
      const office = await openWorkingOffice(server.url);
      using client = await admitted(open(server.url));
      await client.send(`2/smcp,1["client:get_tools",{"agent":"a","computer":"c","req_id":${nested(20_000)}}]`);
      expect(await client.receive('3/smcp,1')).toContain(TOO_DEEP);
      expect((await office.stop()).answered).toBeGreaterThan(0);
    });

    test('a request whose req_id is a list is refused and logged', async () => {
      using client = await admitted(open(server.url));
      await client.send(`2/smcp,1["client:get_tools",{"agent":"a","computer":"c","req_id":${nested(500)}}]`);
      expect(await client.receive('3/smcp,1')).toContain('req_id: expected string');
    });

    test.each(['params', '__proto__', 'more'])('a call with deep %s is answered with 400', async field => {
      using agent = await joined(open(server.url), 'agent', 'a', `${transport}-${field}`);
      const call = `"agent":"a","computer":"c","req_id":"r","tool_name":"t","timeout":5`;
      await agent.send(`2/smcp,1["client:tool_call",{${call},"${field}":${nested(20_000)}}]`);
      expect(await agent.receive('3/smcp,1')).toContain(TOO_DEEP);
    });

    test('an answer nested 20,000 levels reaches the Agent as an error, and both go on', async () => {
      await using agent = await RawPeer.join(server.url, 'agent', 'a', `answers-${transport}`);
      using computer = await joined(open(server.url), 'computer', 'c', `answers-${transport}`);
      answerWith(computer, nested(20_000));
      const [error] = await agent.ask('client:get_tools', { agent: 'a', computer: 'c', req_id: 'r1' });
      expect(error).toMatchObject({ code: 400, message: expect.stringContaining(TOO_DEEP) });
      computer.received.length = 0;
      answerWith(computer, nested(500));
      const [answer] = await agent.ask('client:get_tools', { agent: 'a', computer: 'c', req_id: 'r2' });
      expect(JSON.stringify(answer)).toBe(nested(500));
    });

    test.each([
      ['a deep signal', `2/smcp,["server:update_config",{"computer":"c","x":${nested(20_000)}}]`],
      ['a deep unknown event', `2/smcp,["x",${nested(20_000)}]`],
      ['a deep join', `2/smcp,["server:join_office",{"role":${nested(20_000)}}]`],
      ['an unsolicited answer', `3/smcp,77[${nested(20_000)}]`],
      ['an answer with an id of ours', `3/smcp,${2 ** 30 + 5}[${nested(20_000)}]`],
    ])('%s is harmless', async (_name, packet) => {
      using client = await admitted(open(server.url));
      await client.send(packet);
      await using next = await RawPeer.connect(server.url);
      await next.settled();
    });

    test.each([
      ['an event', '2/smcp,5["x",'],
      ['a request', '2/smcp,5["client:get_tools",'],
      ['an answer', '3/smcp,5['],
      ['a signal', '2/smcp,5["server:update_config",'],
    ])('%s with 300,000 arguments is harmless', async (name, start) => {
      using client = await admitted(open(server.url));
      await client.send(`${start}${Array(300_000).fill('1').join()}]`);
      if (name !== 'an answer') expect(await client.receive('3/smcp,5')).toContain('arguments');
      await using next = await RawPeer.connect(server.url);
      await next.settled();
    });

    test('an answer with 300,000 arguments reaches the Agent as an error', async () => {
      await using agent = await RawPeer.join(server.url, 'agent', 'a', `arguments-${transport}`);
      using computer = await joined(open(server.url), 'computer', 'c', `arguments-${transport}`);
      answerWith(computer, Array(300_000).fill('1').join());
      const [error] = await agent.ask('client:get_tools', { agent: 'a', computer: 'c', req_id: 'r1' });
      expect(error).toMatchObject({ code: 400, message: expect.stringContaining('arguments') });
    });

    test('credentials nested 20,000 levels end the connection', async () => {
      using client = await open(server.url);
      await client.send(`0/smcp,{"token":${nested(20_000)}}`);
      await client.closed;
    });
  });
});

describe.each([true, false])('a Server with fastPath %s', fastPath => {
  test('forwards requests and answers at the depth limit and refuses one level more', async () => {
    await using server = await SmcpServer.listen({ port: 0, fastPath });
    await using agent = await RawPeer.join(server.url, 'agent', 'a', 'o');
    await using computer = await RawPeer.join(server.url, 'computer', 'c', 'o');
    computer.reply('client:get_tools', ({ echo }) => echo);
    const call = (levels: number) => ({ agent: 'a', computer: 'c', req_id: 'r', echo: JSON.parse(nested(levels)) });
    // The list of arguments and the request are two levels.
    const [answer] = await agent.ask('client:get_tools', call(510));
    expect(JSON.stringify(answer)).toBe(nested(510));
    expect(await agent.ask('client:get_tools', call(511))).toMatchObject([{ code: 400 }]);
  });

  test('does not blame a Computer for calls that could not be delivered', async () => {
    await using server = await SmcpServer.listen({ port: 0, fastPath, limits: { unansweredCalls: 2 } });
    using agent = await joined(openPolling(server.url), 'agent', 'a', 'o');
    await using computer = await RawPeer.join(server.url, 'computer', 'c', 'o');
    for (let id = 1; id <= 10; id++) {
      const call = `"agent":"a","computer":"c","req_id":"r${id}","tool_name":"t","timeout":1`;
      await agent.send(`2/smcp,${id}["client:tool_call",{${call},"params":${nested(20_000)}}]`);
      expect(await agent.receive(`3/smcp,${id}[`)).toContain(TOO_DEEP);
    }
    expect(server.health().inFlight).toBe(0);
    expect(computer.socket.connected).toBe(true);
  });
});

test.each(['2/smcp,7 ', '2/smcp, ', '2/smcp,1234567890123456', '3/smcp,7 ', '2', '2/other,7'])(
  'a packet that begins with %j and has 300,000 arguments costs its sender the connection, and the Server goes on',
  async head => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using evil = await RawPeer.join(server.url, 'agent', 'evil', 'o1');
    await using good = await RawPeer.join(server.url, 'agent', 'good', 'o2');
    const { engine } = evil.socket.io;
    engine.write(`${head}["x"${',0'.repeat(300_000)}]`);
    await expect.poll(() => evil.socket.connected, { timeout: 10_000 }).toBe(false);
    expect(await good.ask('server:list_room', { agent: 'good', req_id: 'r', office_id: 'o2' })).toMatchObject([
      { req_id: 'r' },
    ]);
  },
);
