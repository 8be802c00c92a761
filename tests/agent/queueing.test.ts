import { Agent } from '@a2c-smcp/agent';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { openOffice } from './office.ts';
import { ScriptedComputer, text } from './scripted-computer.ts';

const call = { computer: 'desk', tool: 'echo' };
const tools = { echo: () => text('hi') };
const failures = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []));

describe('an Agent with more calls than its Server takes', () => {
  test('queues those above the default limit', async () => {
    let [running, most] = [0, 0];
    const slow = async () => {
      most = Math.max(most, ++running);
      await new Promise(resolve => setTimeout(resolve, 5));
      running -= 1;
      return text('hi');
    };
    await using office = await openOffice({ tools: { echo: slow } });
    const results = await Promise.allSettled(Array.from({ length: 600 }, () => office.agent.callTool(call)));
    expect(failures(results)).toEqual([]);
    expect(most).toBeGreaterThan(100);
    expect(most).toBeLessThanOrEqual(256);
  });

  test('learns of a lower limit, and repeats the calls that were refused', async () => {
    await using office = await openOffice({ tools, server: { limits: { callsPerAgent: 5 } } });
    const results = await Promise.allSettled(Array.from({ length: 100 }, () => office.agent.callTool(call)));
    expect(failures(results)).toEqual([]);
    expect(office.computer.askedFor('client:tool_call')).toHaveLength(100);
  });

  test('slows down when it sends more events per second than it may', async () => {
    await using office = await openOffice({ tools, server: { limits: { eventsPerSecond: 100 } } });
    const begun = performance.now();
    const results = await Promise.allSettled(Array.from({ length: 300 }, () => office.agent.callTool(call)));
    expect(failures(results)).toEqual([]);
    expect(performance.now() - begun).toBeGreaterThan(1500);
    expect(office.agent.joined).toBe(true);
  });

  test('a call that is aborted or times out in the queue is never sent', async () => {
    const hang = () => new Promise<never>(() => {});
    await using office = await openOffice({ tools: { ...tools, hang }, agent: { callsInFlight: 1 } });
    const { agent, computer } = office;
    const running = agent.callTool({ computer: 'desk', tool: 'hang' }, { timeout: 20_000 });
    await eventually(() => expect(computer.askedFor('client:tool_call')).toHaveLength(1));
    const controller = new AbortController();
    const aborted = agent.callTool(call, { signal: controller.signal });
    const late = agent.getConfig('desk', { timeout: 100 });
    controller.abort();
    expect(await aborted).toMatchObject({ isError: true, meta: { a2c_cancelled: true } });
    await expect(late).rejects.toMatchObject({ code: 408, message: expect.stringContaining('was not sent in time') });
    expect(computer.askedFor('client:tool_call')).toHaveLength(1);
    expect(computer.askedFor('client:get_config')).toHaveLength(0);
    await computer.close();
    await running.catch(() => {});
  });
});

test('the Server names the limit that refused a call', async () => {
  await using server = await SmcpServer.listen({ port: 0, limits: { callsPerAgent: 1 } });
  await using agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  await using computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  computer.socket.on('client:get_tools', () => {});
  const request = (req_id: string) => ({ agent: 'a1', computer: 'c1', req_id });
  agent.socket.emit('client:get_tools', request('r1'), () => {});
  const [refusal] = await agent.ask('client:get_tools', request('r2'));
  expect(refusal).toMatchObject({ code: 429, details: { limit: 'callsPerAgent', value: 1 } });
});

describe('a call after the Server was restarted', () => {
  test('waits for the Computer that was there before', async () => {
    const first = await SmcpServer.listen({ port: 0 });
    const port = Number(new URL(first.url).port);
    const desk = await ScriptedComputer.join(first.url, { tools });
    await using agent = await Agent.connect(first.url, { name: 'assistant', office: 'demo' });
    const states: string[] = [];
    agent.on('connection', ({ type }) => states.push(type));
    await first.close();
    await desk.close();
    await eventually(() => expect(states).toContain('lost'));
    const offline = agent.callTool(call);
    await using second = await SmcpServer.listen({ port });
    await eventually(() => expect(states.at(-1)).toBe('joined'));
    const online = agent.callTool(call);
    await eventually(() => expect(agent.computers.size).toBe(0));
    await using _back = await ScriptedComputer.join(second.url, { tools });
    expect(await Promise.all([offline, online])).toEqual([text('hi'), text('hi')]);
  });

  test('fails at once for a Computer that was not there, and for one that left', async () => {
    await using office = await openOffice({ tools });
    await expect(office.agent.callTool({ computer: 'lab', tool: 'echo' })).rejects.toMatchObject({ code: 404 });
    await office.computer.close();
    await eventually(() => expect(office.agent.computers.size).toBe(0));
    await expect(office.agent.callTool(call)).rejects.toMatchObject({ code: 404 });
  });

  test('ends with its own timeout and signal while it waits', async () => {
    const first = await SmcpServer.listen({ port: 0 });
    const port = Number(new URL(first.url).port);
    const desk = await ScriptedComputer.join(first.url, { tools });
    await using agent = await Agent.connect(first.url, { name: 'assistant', office: 'demo' });
    await first.close();
    await desk.close();
    await using _second = await SmcpServer.listen({ port });
    await eventually(() => expect(agent.computers.size).toBe(0));
    await expect(agent.getTools('desk', { timeout: 100 })).rejects.toMatchObject({ code: 404 });
    const controller = new AbortController();
    const aborted = agent.getTools('desk', { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(aborted).rejects.toThrow('changed my mind');
  });
});
