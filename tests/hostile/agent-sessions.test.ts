import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Peer } from '@a2c-smcp/peer';
import type { CallToolResult } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { eventually, openBareOffice, openOffice, scripted, textOf } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { openCuttingProxy } from '../peer/cutting-proxy.ts';

const tools = ['echo', 'slow', 'hang'];
const servers = { s: scripted({ tools }, { name: 's' }) };

function enter(server: SmcpServer, office = 'demo'): Promise<Peer> {
  return Peer.join(server.url, { role: 'agent', name: 'assistant', office });
}

/** Always under one request id. */
function call(agent: Peer, tool: string, params: object, timeout = 20): Promise<CallToolResult> {
  const request = {
    agent: 'assistant',
    computer: 'desk',
    req_id: 'r1',
    tool_name: tool,
    params: { ...params },
    timeout,
  };
  return agent.call('client:tool_call', request, { timeout: 30_000 });
}

/** Has the peer lose its connection and make a new one. */
async function interrupt(peer: Peer): Promise<void> {
  const lost = new Promise<void>(resolve => {
    const stop = peer.on('connection', ({ type }) => {
      if (type !== 'lost') return;
      stop();
      resolve();
    });
  });
  peer.reconnect();
  await lost;
  await eventually(() => expect(peer.joined).toBe(true));
}

describe('the result of a call', () => {
  test('is not given to another Agent of the same name that sends the same req_id', async () => {
    await using office = await openOffice({ servers });
    expect(textOf(await call(office.agent, 'echo', { secret: 1 }))).toBe('{"secret":1}');
    await office.agent.leave();
    await using other = await enter(office.server);
    expect(textOf(await call(other, 'echo', { secret: 2 }))).toBe('{"secret":2}');
  });

  test('is given again to the same Agent after its connection was lost', async () => {
    await using office = await openOffice({ servers });
    await call(office.agent, 'echo', { n: 1 });
    await interrupt(office.agent);
    expect(textOf(await call(office.agent, 'echo', { n: 2 }))).toBe('{"n":1}');
    expect(office.computer.history).toHaveLength(1);
  });

  test('is given again to the same Agent after the Computer lost its connection', async () => {
    await using office = await openOffice({ servers });
    await using proxy = await openCuttingProxy(office.server.url);
    await office.computer.join(proxy.url, { office: 'demo' });
    await call(office.agent, 'echo', { n: 1 });
    const states: string[] = [];
    office.computer.on('connection', ({ type }) => states.push(type));
    proxy.cut();
    await eventually(() => expect(states).toEqual(['lost', 'joined']));
    expect(textOf(await call(office.agent, 'echo', { n: 2 }))).toBe('{"n":1}');
    expect(office.computer.history).toHaveLength(1);
  });

  test('is not given to an Agent that came while the Computer was away', async () => {
    await using office = await openOffice({ servers });
    await using proxy = await openCuttingProxy(office.server.url);
    await office.computer.join(proxy.url, { office: 'demo' });
    await call(office.agent, 'echo', { n: 1 });
    const states: string[] = [];
    let replaced: Promise<Peer> | undefined;
    office.computer.on('connection', ({ type }) => {
      states.push(type);
      if (type === 'lost') replaced ??= office.agent.leave().then(() => enter(office.server));
    });
    proxy.cut();
    await eventually(() => expect(states).toEqual(['lost', 'joined']));
    await using other = (await replaced) as Peer;
    expect(textOf(await call(other, 'echo', { n: 2 }))).toBe('{"n":2}');
  });

  test('is not given to the Agent of another office to which the Computer moved', async () => {
    await using office = await openOffice({ servers });
    await call(office.agent, 'echo', { n: 1 });
    await office.computer.join(office.server.url, { office: 'other' });
    await using other = await enter(office.server, 'other');
    expect(textOf(await call(other, 'echo', { n: 2 }))).toBe('{"n":2}');
  });

  test('is not given to the next Agent of a Server that does not name sessions', async () => {
    await using office = await openBareOffice({ servers });
    const request = { agent: 'a', computer: 'desk', req_id: 'r1', tool_name: 'echo', timeout: 20 };
    const echo = async (n: number) =>
      textOf((await office.ask('client:tool_call', { ...request, params: { n } })) as never);
    expect(await echo(1)).toBe('{"n":1}');
    expect(await echo(2)).toBe('{"n":1}');
    office.tell('notify:leave_office', { office_id: 'demo', agent: 'a' });
    office.tell('notify:enter_office', { office_id: 'demo', agent: 'a' });
    expect(await echo(3)).toBe('{"n":3}');
    // A Computer that comes and goes is none of them.
    office.tell('notify:enter_office', { office_id: 'demo', computer: 'c2' });
    office.tell('notify:leave_office', { office_id: 'demo', computer: 'c2' });
    expect(await echo(4)).toBe('{"n":3}');
    // A malformed notification may be about an Agent.
    office.tell('notify:enter_office', { agent: 7 });
    expect(await echo(5)).toBe('{"n":5}');
  });
});

describe('a pending call', () => {
  test('is cancelled when another Agent enters, which neither shares nor ends with it', async () => {
    const log = join(temporaryFolder(), 'log');
    await using office = await openOffice({ servers: { s: scripted({ tools, log }, { name: 's' }) } });
    const pending = call(office.agent, 'hang', {}, 600).catch(error => error);
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('"hang"'));
    await office.agent.close();
    await pending;
    await using other = await enter(office.server);
    expect(textOf(await call(other, 'echo', { n: 2 }))).toBe('{"n":2}');
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('notifications/cancelled'));
  });

  test('goes on while its Agent reconnects, and a repetition gets its result', async () => {
    const log = join(temporaryFolder(), 'log');
    await using office = await openOffice({ servers: { s: scripted({ tools, log }, { name: 's' }) } });
    const pending = call(office.agent, 'slow', { ms: 3000 }).catch(error => error);
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('"slow"'));
    await interrupt(office.agent);
    await pending;
    expect(textOf(await call(office.agent, 'slow', { ms: 1 }))).toBe('done');
    expect(office.computer.history).toHaveLength(1);
  });

  test('is cancelled when the Computer leaves the office', async () => {
    const log = join(temporaryFolder(), 'log');
    await using office = await openOffice({ servers: { s: scripted({ tools, log }, { name: 's' }) } });
    const pending = call(office.agent, 'hang', {}, 600).catch(error => error);
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('"hang"'));
    await office.computer.leave();
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('notifications/cancelled'));
    await pending;
  });
});

test.each(['req_id', 'agent'])('a call whose %s is longer than 1,024 characters is refused with 400', async field => {
  await using office = await openBareOffice({ servers });
  const request = { agent: 'a', computer: 'desk', req_id: 'r', tool_name: 'echo', params: {}, timeout: 20 };
  const ask = (length: number) => office.ask('client:tool_call', { ...request, [field]: 'x'.repeat(length) });
  expect(await ask(1024)).not.toHaveProperty('code');
  expect(await ask(1025)).toMatchObject({ code: 400, message: expect.stringContaining(field) });
});

describe('the session_id of an Agent', () => {
  const join = (server: SmcpServer, auth: object) =>
    RawPeer.join(server.url, 'agent', 'assistant', 'demo', { auth: { ...auth } });

  test('is the same for one instance_id, another for any other, and never the instance_id itself', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using computer = await RawPeer.join(server.url, 'computer', 'desk', 'demo');
    for (const auth of [{ instance_id: 'one' }, { instance_id: 'one' }, { instance_id: 'two' }, {}, {}]) {
      const agent = await join(server, auth);
      const { length } = computer.payloads('notify:leave_office');
      agent.close();
      await eventually(() => expect(computer.payloads('notify:leave_office').length).toBe(length + 1));
    }
    const idsOf = (event: string) =>
      computer.payloads(event).map(payload => (payload as { session_id: string }).session_id);
    const ids = idsOf('notify:enter_office');
    expect(idsOf('notify:leave_office')).toEqual(ids);
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(4);
  });

  test('is listed for Computers only, as notifications tell it', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using computer = await RawPeer.join(server.url, 'computer', 'desk', 'demo');
    await using agent = await join(server, { instance_id: 'one' });
    const list = async (peer: RawPeer, name: string) => {
      const [answer] = await peer.ask('server:list_room', { agent: name, req_id: 'r', office_id: 'demo' });
      return (answer as { sessions: { session_id?: string }[] }).sessions.map(({ session_id }) => session_id);
    };
    const [entered] = computer.payloads('notify:enter_office') as [{ session_id: string }];
    expect(await list(computer, 'desk')).toEqual([entered.session_id, undefined]);
    expect(await list(agent, 'assistant')).toEqual([undefined, undefined]);
  });
});
