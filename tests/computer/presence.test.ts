import { Peer } from '@a2c-smcp/peer';
import { SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, openBareOffice, openComputer, openOffice, scripted, textOf } from './office.ts';
import { publishing } from './publishing.ts';

const identity = { agent: 'a', req_id: 'r1', computer: 'desk' };

describe('in an office', () => {
  verifies(['ack.req-id.echo'], async () => {
    await using office = await openBareOffice({
      servers: {
        s: scripted({ resources: [{ uri: 'x://y' }] }, { name: 's' }),
        app: publishing({ windows: 1, documents: 1, pages: 1 }),
      },
    });
    const answers = await Promise.all([
      office.ask('client:get_desktop', identity),
      office.ask('client:get_finder', identity),
      office.ask('client:get_dpe', { ...identity, uri: 'dpe://com.example.app/0' }),
      office.ask('client:get_skills', identity),
      office.ask('client:get_tools', identity),
      office.ask('client:get_resources', { ...identity, mcp_server: 's' }),
      office.ask('client:read_resource', { ...identity, uri: 'x://y' }),
    ]);
    for (const answer of answers) expect(answer).toMatchObject({ req_id: 'r1' });
    const config = await office.ask('client:get_config', identity);
    expect(config).not.toHaveProperty('req_id');
    const call = { ...identity, tool_name: 'echo', params: {}, timeout: 5 };
    expect(await office.ask('client:tool_call', call)).not.toHaveProperty('req_id');
  });

  verifies(['lifecycle.update', 'lifecycle.announce'], async () => {
    await using office = await openOffice({ servers: { s: scripted({ tools: ['one'] }, { name: 's' }) } });
    const heard: string[] = [];
    for (const event of ['notify:update_tool_list', 'notify:update_config'] as const) {
      office.agent.channel.on(event, ({ computer }) => heard.push(`${event} ${computer}`));
    }
    const names = async () => (await office.ask('client:get_tools')).tools.map(({ name }) => name);
    const both = ['notify:update_tool_list desk', 'notify:update_config desk'];
    const change = async (act: () => Promise<unknown>, announced: string[]) => {
      heard.length = 0;
      await act();
      await eventually(() => expect(heard.toSorted()).toEqual(announced.toSorted()));
    };

    await change(() => office.computer.addServer(scripted({ tools: ['two'] }, { name: 't' })), both);
    expect(await names()).toEqual(['one', 'two']);
    await change(() => office.computer.disableServer('t'), both);
    expect(await names()).toEqual(['one']);
    expect(await office.callTool('two')).toMatchObject({ meta: { error_code: 4002 } });
    await change(() => office.computer.enableServer('t'), both);
    expect(await office.callTool('two')).not.toHaveProperty('isError');
    const aliased = scripted(
      { tools: ['two'] },
      { name: 't', tool_meta: { two: { alias: 'zwei', auto_apply: true } } },
    );
    await change(() => office.computer.addServer(aliased), both);
    expect(await names()).toEqual(['one', 'zwei']);
    await change(() => office.computer.removeServer('t'), both);
    expect(await office.callTool('zwei')).toMatchObject({ meta: { error_code: 4001 } });
    expect((await office.ask('client:get_config')).servers).not.toHaveProperty('t');

    await office.computer.restartServer('s');
    heard.length = 0;
    await office.computer.leave();
    await office.computer.addServer(scripted({ tools: ['three'] }, { name: 'u' }));
    await office.callTool('one').catch(() => {});
    expect(heard).toEqual([]);
  });

  test('a restart that changes nothing is not announced', async () => {
    await using office = await openBareOffice();
    await office.computer.restartServer('scripted');
    await office.computer.addServer(scripted({}, { name: 'scripted' }));
    await office.computer.addServer(scripted({ tools: ['new'] }, { name: 'other' }));
    await eventually(() => expect(office.heard.map(([event]) => event)).toContain('server:update_tool_list'));
    expect(office.heard.filter(([event]) => event === 'server:update_tool_list')).toHaveLength(1);
  });

  verifies(['limits.result', 'limits.answer'], async () => {
    const tools = ['big', { name: 'echo', description: 'x'.repeat(45_000) }];
    const server = await SmcpServer.listen({ port: 0, limits: { messageBytes: 20_000 } });
    await using computer = await openComputer({
      s: { tools, resources: [{ uri: 'x://big', blob: 'x'.repeat(45_000) }] },
    });
    await computer.join(server.url, { office: 'demo' });
    await using agent = await Peer.join(server.url, {
      role: 'agent',
      name: 'a',
      office: 'demo',
      protocolVersion: '0.2.0',
    });
    const call = { ...identity, tool_name: 'big', params: { size: 45_000 }, timeout: 5 };
    const result = await agent.call('client:tool_call', call, { timeout: 10_000 });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/45\d{3} bytes.*20000 bytes/);
    // The owner sees the result that the Agent got.
    expect(computer.history).toMatchObject([{ outcome: 'failed', success: false, error: textOf(result) }]);
    // The words of the Computer: the Server would refuse a message that is sent with others.
    const facts = (what: string) => ({
      code: 413,
      message: expect.stringContaining(`${what} is too large to send`),
      details: { size: expect.any(Number), limit: 20_000 },
    });
    const listed = agent.call('client:get_tools', identity, { timeout: 10_000 });
    await expect(listed).rejects.toMatchObject(facts('The list of tools'));
    const list = agent.call('client:get_resources', { ...identity, mcp_server: 's' }, { timeout: 10_000 });
    await expect(list).rejects.toMatchObject(facts('The list of resources'));
    expect(computer.office).toBe('demo');
    const small = await agent.call(
      'client:tool_call',
      { ...call, req_id: 'r2', params: { size: 10 } },
      { timeout: 10_000 },
    );
    expect(textOf(small)).toBe('x'.repeat(10));
    await server.close();
  });

  verifies('ack.always', async () => {
    const confirm = () => {
      throw new Error('unexpected');
    };
    await using office = await openBareOffice({
      servers: { s: scripted({ resources: [{ uri: 'x://y' }], tools: ['exit'] }, { name: 's' }) },
      confirm,
    });
    await office.computer.callTool({ tool: 'exit' });
    await office.computer.disableServer('s');
    expect(await office.ask('client:get_resources', { ...identity, mcp_server: 's' })).toMatchObject({ code: 500 });
  });

  verifies('unknown.refused', async () => {
    await using office = await openBareOffice();
    const refusal = { code: 400, details: { reason: 'unsupported' } };
    expect(await office.ask('client:get_weather', identity)).toMatchObject(refusal);
  });

  verifies('event.guard', async () => {
    await using office = await openBareOffice();
    await office.ask('client:get_tools', identity);
    await office.computer.addServer(scripted({ tools: ['new'] }, { name: 'other' }));
    await eventually(() => expect(office.heard.map(([event]) => event)).toContain('server:update_tool_list'));
    const foreign = office.heard.filter(([event]) => !event.startsWith('server:'));
    expect(foreign).toEqual([]);
  });
});

describe('coming and going', () => {
  test('a Computer rejoins by itself and announces what changed meanwhile', { timeout: 30_000 }, async () => {
    const server = await SmcpServer.listen({ port: 0 });
    const port = Number(new URL(server.url).port);
    await using computer = await openComputer({ s: { tools: ['one'] } });
    await computer.join(server.url, { office: 'demo' });
    await server.close();
    await computer.addServer(scripted({ tools: ['two'] }, { name: 't' }));
    const again = await SmcpServer.listen({ port });
    await using agent = await Peer.join(again.url, {
      role: 'agent',
      name: 'a',
      office: 'demo',
      protocolVersion: '0.2.0',
    });
    await eventually(async () => {
      const { tools } = await agent.call('client:get_tools', identity, { timeout: 5000 });
      expect(tools.map(({ name }) => name)).toEqual(['one', 'two']);
    });
    await again.close();
  });

  test('a Computer moves to another office, and works without one', async () => {
    await using office = await openOffice();
    const members = async () => {
      const { sessions } = await office.agent.call(
        'server:list_room',
        { agent: 'assistant', req_id: crypto.randomUUID(), office_id: 'demo' },
        { timeout: 5000 },
      );
      return sessions.map(({ name }) => name);
    };
    expect(await members()).toContain('desk');
    await office.computer.join(office.server.url, { office: 'elsewhere' });
    expect(office.computer.office).toBe('elsewhere');
    expect(await members()).not.toContain('desk');
    await office.computer.leave();
    expect(office.computer.office).toBeUndefined();
    expect(await office.computer.callTool({ tool: 'echo' })).not.toHaveProperty('isError');
  });

  test('a refused join throws and leaves the Computer usable', async () => {
    await using office = await openOffice();
    await using twin = await openComputer({ s: { tools: ['echo'] } });
    await expect(twin.join(office.server.url, { office: 'demo' })).rejects.toMatchObject({ code: 403 });
    expect(twin.office).toBeUndefined();
    expect(await twin.callTool({ tool: 'echo' })).not.toHaveProperty('isError');
  });
});

test('a closed Computer starts no server', async () => {
  const computer = await openComputer({ s: { tools: ['echo'] } });
  await computer.close();
  await computer.close();
  expect(computer.status()).toMatchObject([{ state: 'stopped' }]);
  await expect(computer.addServer(scripted({}, { name: 't' }))).rejects.toThrow('closed');
  await expect(computer.restartServer('s')).rejects.toThrow('closed');
  expect(await computer.callTool({ tool: 'echo' })).toMatchObject({ isError: true });
});
