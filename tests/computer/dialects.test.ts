import { Computer, type ComputerOptions, textOf } from '@a2c-smcp/computer';
import { Peer } from '@a2c-smcp/peer';
import type { ClientEvent, RequestOf, ResponseOf } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { openForeignServer } from '../peer/foreign-server.ts';
import { eventually, scripted } from './office.ts';

const servers = {
  'My Files': scripted({ tools: ['echo', 'pids'] }, { tool_meta: { pids: { alias: 'processes' } } }),
  mail: scripted({ tools: ['echo', 'slow'], resources: [{ uri: 'x:1', name: 'one' }] }),
};

async function openDesk(options: Partial<ComputerOptions> = {}) {
  const server = await SmcpServer.listen({ port: 0, acceptVersions: ['0.2', '0.3', '0.4'], requireVersion: false });
  const computer = await Computer.open({ name: 'desk', servers, ...options });
  await computer.join(server.url, { office: 'demo', protocolVersion: '0.2.0' });
  return {
    url: server.url,
    computer,
    async [Symbol.asyncDispose]() {
      await computer.close();
      await server.close();
    },
  };
}

/** An Agent that speaks a version and asks the Computer. */
async function enter(url: string, protocolVersion: string) {
  const peer = await Peer.join(url, { role: 'agent', name: 'assistant', office: 'demo', protocolVersion });
  const ask = <E extends ClientEvent>(event: E, fields: object = {}): Promise<ResponseOf<E>> => {
    const identity = { agent: 'assistant', computer: 'desk', req_id: crypto.randomUUID() };
    return peer.call(event, { ...identity, ...fields } as unknown as RequestOf<E>, { timeout: 20_000 });
  };
  const names = async () => (await ask('client:get_tools')).tools.map(({ name }) => name);
  const call = (tool_name: string) =>
    ask('client:tool_call', { tool_name, params: { text: 'hi', ms: 1 }, timeout: 20 });
  return { peer, ask, names, call, [Symbol.asyncDispose]: () => peer.leave() };
}

const PLAIN = ['echo', 'processes', 'mail__echo', 'slow'];
const BUNDLED = ['My_Files__echo', 'My_Files__processes', 'mail__echo', 'mail__slow'];

verifies(['names.line', 'get-config.keys', 'notify.agent-version'], async () => {
  await using desk = await openDesk();
  await using watcher = await RawPeer.join(desk.url, 'computer', 'watcher', 'demo', {
    query: { a2c_version: '0.2.0' },
  });
  for (const [version, names, keys] of [
    ['0.2.0', PLAIN, ['My Files', 'mail']],
    ['0.3.1', BUNDLED, ['My_Files', 'mail']],
    ['0.4.0', BUNDLED, ['My_Files', 'mail']],
  ] as const) {
    await using agent = await enter(desk.url, version);
    expect(await agent.names()).toEqual(names);
    const config = await agent.ask('client:get_config');
    expect(Object.keys(config.servers)).toEqual(keys);
    expect(Object.values(config.servers).map(({ name }) => name)).toEqual(['My Files', 'mail']);
    expect(watcher.payloads('notify:enter_office').at(-1)).toMatchObject({ agent: 'assistant', a2c_version: version });
  }
  expect(desk.computer.tools.map(({ name }) => name)).toEqual(PLAIN);
});

verifies(
  'names.line',
  async () => {
    await using desk = await openDesk();
    await using agent = await RawPeer.join(desk.url, 'agent', 'old', 'demo');
    const [answer] = await agent.ask('client:get_tools', { agent: 'old', computer: 'desk', req_id: 'r' });
    expect((answer as ResponseOf<'client:get_tools'>).tools.map(({ name }) => name)).toEqual(PLAIN);
  },
  'an Agent without a version',
);

verifies(
  'names.line',
  async () => {
    await using desk = await openDesk();
    await using agent = await enter(desk.url, '0.4.0');
    const late = await Computer.open({ name: 'late', servers: { s: scripted({ tools: ['echo'] }) } });
    await late.join(desk.url, { office: 'demo', protocolVersion: '0.2.0' });
    const { tools } = await agent.ask('client:get_tools', { computer: 'late' });
    expect(tools.map(({ name }) => name)).toEqual(['s__echo']);
    await late.close();
  },
  'the Agent was there before the Computer',
);

verifies('names.both', async () => {
  await using desk = await openDesk();
  for (const version of ['0.2.0', '0.4.0']) {
    await using agent = await enter(desk.url, version);
    for (const name of new Set([...PLAIN, ...BUNDLED]))
      expect(await agent.call(name), name).not.toHaveProperty('isError');
    for (const name of ['pids', 'My_Files__pids', 'mail__processes', '__echo']) {
      expect(await agent.call(name)).toMatchObject({ isError: true, meta: { error_code: 4001 } });
    }
  }
  const used = new Map(desk.computer.history.map(({ tool, server }) => [tool, server]));
  expect(used.get('mail__echo')).toBe('mail');
  expect(used.get('echo')).toBe('My Files');
});

test('a forbidden tool cannot be called under any form of its name', async () => {
  const s = scripted(
    { tools: ['rm', 'ls'] },
    { forbidden_tools: ['rm', 'list'], tool_meta: { ls: { alias: 'list' } } },
  );
  await using desk = await openDesk({ servers: { s } });
  await using agent = await enter(desk.url, '0.4.0');
  expect(await agent.names()).toEqual([]);
  for (const name of ['rm', 's__rm', 'ls', 's__ls', 'list', 's__list']) {
    expect(await agent.call(name), name).toMatchObject({ isError: true, meta: { error_code: 4002 } });
  }
});

verifies('names.changed', async () => {
  await using desk = await openDesk();
  await using watcher = await RawPeer.join(desk.url, 'computer', 'watcher', 'demo', {
    query: { a2c_version: '0.2.0' },
  });
  const announced = () => [
    watcher.payloads('notify:update_tool_list').length,
    watcher.payloads('notify:update_config').length,
  ];
  for (const [version, count] of [
    ['0.4.0', 0],
    ['0.3.0', 0],
    ['0.2.0', 1],
    ['0.4.0', 2],
  ] as const) {
    await using agent = await enter(desk.url, version);
    await agent.names();
    await eventually(() => expect(announced()).toEqual([count, count]));
  }
  await watcher.settled();
  expect(announced()).toEqual([2, 2]);
});

verifies('mcp-server.either', async () => {
  const other = { ...scripted({ resources: [{ uri: 'x:2', name: 'two' }] }), bundle_id: 'mail' };
  const mail = { ...servers.mail, bundle_id: 'post-1' };
  await using desk = await openDesk({ servers: { mail, other } });
  const uris = (agent: Awaited<ReturnType<typeof enter>>, mcp_server: string) =>
    agent.ask('client:get_resources', { mcp_server }).then(({ resources }) => resources.map(({ uri }) => uri));
  for (const [version, uri] of [
    ['0.2.0', 'x:1'],
    ['0.4.0', 'x:2'],
  ] as const) {
    await using agent = await enter(desk.url, version);
    expect(await uris(agent, 'post-1')).toEqual(['x:1']);
    expect(await uris(agent, 'other')).toEqual(['x:2']);
    expect(await uris(agent, 'mail'), 'a name and an id: the form of the Agent decides').toEqual([uri]);
    await expect(uris(agent, 'none')).rejects.toMatchObject({ code: 4014, details: { mcp_server: 'none' } });
    const read = await agent.ask('client:read_resource', { uri: 'x:1', mcp_server: 'post-1' });
    expect(read.contents).toHaveLength(1);
  }
});

test('a failed call names its MCP server as the Agent knows it', async () => {
  await using desk = await openDesk({ servers: { 'a b': scripted({ tools: ['refuse'] }) } });
  for (const [version, name] of [
    ['0.2.0', 'a b'],
    ['0.4.0', 'a_b'],
  ] as const) {
    await using agent = await enter(desk.url, version);
    const result = await agent.call('refuse');
    expect(result, textOf(result)).toMatchObject({ isError: true, meta: { error_code: 4003, mcp_server: name } });
  }
});

test('a Server that tells no versions gets the names of the version that the Computer states', async () => {
  for (const [protocolVersion, name] of [
    ['0.2.0', 'echo'],
    ['0.4.0', 'scripted__echo'],
  ] as const) {
    let asked: Promise<{ tools: { name: string }[] }> | undefined;
    await using server = await openForeignServer({
      connected: socket => {
        socket.on('server:join_office', (_, answer) => answer(true, null));
        socket.on('server:leave_office', (_, answer) => answer(true, null));
        socket.on('server:list_room', ({ req_id }, answer) => {
          answer({ sessions: [{ sid: '1', name: 'assistant', role: 'agent', office_id: 'demo' }], req_id });
          const request = { agent: 'assistant', computer: 'desk', req_id: 'r' };
          asked = socket.timeout(10_000).emitWithAck('client:get_tools', request);
        });
      },
    });
    await using computer = await Computer.open({ name: 'desk', servers: { scripted: scripted({ tools: ['echo'] }) } });
    await computer.join(server.url, { office: 'demo', protocolVersion });
    await eventually(() => expect(asked).toBeDefined());
    expect((await asked)?.tools.map(tool => tool.name)).toEqual([name]);
  }
});
