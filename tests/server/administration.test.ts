import { Agent } from '@a2c-smcp/agent';
import { apiKeys, type CallRequest, ErrorCode, type MemberInfo, SmcpError, SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { openNodes } from '../cluster/nodes.ts';
import { hasRedis } from '../cluster/redis.ts';
import { eventually } from '../eventually.ts';

const toolCall = (req_id: string, tool_name = 'echo') => ({
  ...{ agent: 'a1', computer: 'c1', req_id, tool_name, params: {}, timeout: 5 },
});

describe('a program that runs a Server', () => {
  test('learns of members that enter and leave, lists them, and disconnects one', async () => {
    const keys = new Map([['k1', { id: 'anna' }]]);
    await using server = await SmcpServer.listen({ port: 0, authenticate: apiKeys(keys) });
    const moves: [string, string][] = [];
    server.on('enter', ({ name }) => moves.push(['enter', name]));
    const stop = server.on('leave', ({ name }) => moves.push(['leave', name]));
    const options = { auth: { token: 'k1' }, query: { a2c_version: '0.2.0' } };
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1', options);
    await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1', options);
    await using other = await RawPeer.join(server.url, 'computer', 'c1', 'o2', options);
    expect(server.offices).toEqual(['o1', 'o2']);
    const info: MemberInfo = {
      ...{ sid: String(computer.socket.id), role: 'computer', name: 'c1', office: 'o1' },
      ...{ identity: 'anna', version: '0.2.0', address: '127.0.0.1', since: expect.any(Number), inFlight: 0 },
    };
    expect(await server.members('o1')).toEqual([expect.objectContaining({ name: 'a1', role: 'agent' }), info]);
    expect(await server.members()).toHaveLength(3);
    expect(await server.disconnect({ office: 'o1', role: 'computer', name: 'c9' })).toBe(0);
    expect(await server.disconnect({ office: 'o1', role: 'computer', name: 'c1' })).toBe(1);
    await eventually(() =>
      expect(agent.payloads('notify:leave_office')).toEqual([{ office_id: 'o1', computer: 'c1' }]),
    );
    expect(computer.socket.connected).toBe(false);
    expect(other.socket.connected).toBe(true);
    stop();
    expect(await server.disconnect({ office: 'o1', role: 'agent' })).toBe(1);
    await eventually(() => expect(agent.socket.connected).toBe(false));
    expect(moves).toEqual([
      ['enter', 'a1'],
      ['enter', 'c1'],
      ['enter', 'c1'],
      ['leave', 'c1'],
    ]);
  });

  test.runIf(hasRedis)('lists and disconnects members of other nodes', { timeout: 60_000 }, async () => {
    await using nodes = await openNodes();
    await using agent = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
    await using computer = await RawPeer.join(nodes.two.url, 'computer', 'c1', 'o1');
    expect((await nodes.one.members('o1')).map(({ name }) => name)).toEqual(['a1', 'c1']);
    expect((await nodes.one.members()).map(({ name }) => name)).toEqual(['a1']);
    expect(await nodes.one.disconnect({ office: 'o1', role: 'computer', name: 'c1' })).toBe(1);
    await eventually(() => expect(computer.socket.connected).toBe(false));
    await eventually(() => expect(agent.payloads('notify:leave_office')).toHaveLength(1));
    await eventually(async () => expect(await nodes.one.members('o1')).toHaveLength(1));
  });
});

describe('authorize', () => {
  /** A Server with an Agent and a Computer that counts the calls it gets. */
  async function open(authorize: (request: CallRequest) => boolean | Promise<boolean>, timeout = 30_000) {
    const server = await SmcpServer.listen({ port: 0, authorize, timeout });
    const agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    const computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
    const got: unknown[] = [];
    for (const event of ['client:tool_call', 'client:get_tools']) {
      computer.socket.on(event, (body, answer) => {
        got.push(body.req_id);
        answer('answered');
      });
    }
    return {
      ...{ server, agent, computer, got },
      async [Symbol.asyncDispose]() {
        await agent[Symbol.asyncDispose]();
        await computer[Symbol.asyncDispose]();
        await server.close();
      },
    };
  }

  test('sees who asks for what, and its refusal reaches the Agent and not the Computer', async () => {
    const asked: CallRequest[] = [];
    await using office = await open(async request => {
      asked.push(request);
      return request.tool !== 'delete';
    });
    const { agent, got } = office;
    expect(await agent.ask('client:tool_call', toolCall('r1'))).toEqual(['answered']);
    expect(await agent.ask('client:tool_call', toolCall('r2', 'delete'))).toMatchObject([
      { code: 403, message: "You are not allowed to call tool 'delete' of 'c1'" },
    ]);
    expect(await agent.ask('client:get_tools', { agent: 'a1', computer: 'c1', req_id: 'r3' })).toEqual(['answered']);
    expect(got).toEqual(['r1', 'r3']);
    const common = { identity: { id: 'anonymous' }, office: 'o1', agent: 'a1', computer: 'c1' };
    expect(asked).toEqual([
      { ...common, event: 'client:tool_call', tool: 'echo' },
      { ...common, event: 'client:tool_call', tool: 'delete' },
      { ...common, event: 'client:get_tools' },
    ]);
    await office.server.close();
  });

  test.each([
    ['throws', () => Promise.reject(new Error('secret')), { code: 500, message: 'Internal error' }],
    ['throws an SmcpError', () => Promise.reject(new SmcpError(ErrorCode.Forbidden, 'Not on Sundays')), { code: 403 }],
    ['takes too long', () => new Promise<boolean>(() => {}), { code: 500 }],
  ])('refuses a call when it %s', async (_, authorize, error) => {
    await using office = await open(authorize, 200);
    expect(await office.agent.ask('client:tool_call', toolCall('r1'))).toMatchObject([error]);
    expect(office.got).toEqual([]);
  });

  test('a call that is cancelled or whose Agent moves while it is checked is never sent', async () => {
    const decisions: ((isAllowed: boolean) => void)[] = [];
    await using office = await open(() => new Promise(resolve => decisions.push(resolve)));
    const { server, agent, got } = office;
    await using elsewhere = await RawPeer.join(server.url, 'computer', 'c1', 'o2');
    const cancelled = agent.ask('client:tool_call', toolCall('r1'));
    await eventually(() => expect(decisions).toHaveLength(1));
    agent.socket.emit('server:tool_call_cancel', { agent: 'a1', req_id: 'r1' });
    await eventually(() => expect(office.computer.payloads('notify:tool_call_cancel')).toHaveLength(1));
    decisions[0]?.(true);
    expect(await cancelled).toMatchObject([{ code: 400, message: 'The call was cancelled before it was sent' }]);

    const moved = agent.ask('client:tool_call', toolCall('r2'));
    await eventually(() => expect(decisions).toHaveLength(2));
    await agent.ask('server:leave_office', { office_id: 'o1' });
    await agent.enter('agent', 'a1', 'o2');
    decisions[1]?.(true);
    expect(await moved).toMatchObject([{ code: 4103 }]);
    expect(got).toEqual([]);
    expect(elsewhere.payloads('client:tool_call')).toEqual([]);
  });

  test('calls that are checked count as calls in flight', async () => {
    await using server = await SmcpServer.listen({
      port: 0,
      limits: { callsPerAgent: 1 },
      authorize: () => new Promise(() => {}),
    });
    await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
    agent.socket.emit('client:tool_call', toolCall('r1'), () => {});
    expect(await agent.ask('client:tool_call', toolCall('r2'))).toMatchObject([{ code: 429 }]);
  });

  test('an Agent of ours gets a refusal as an error with 403', async () => {
    await using office = await open(({ tool }) => tool === undefined);
    await office.agent.ask('server:leave_office', { office_id: 'o1' });
    await using agent = await Agent.connect(office.server.url, { name: 'a1', office: 'o1' });
    await expect(agent.callTool({ computer: 'c1', tool: 'echo' })).rejects.toMatchObject({ code: 403 });
  });
});
