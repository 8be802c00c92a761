import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test, vi } from 'vitest';
import { openNodes, openOffice, request, toolCall } from '../cluster/nodes.ts';
import { hasRedis, type TestRedis } from '../cluster/redis.ts';
import { eventually } from '../eventually.ts';

const recorder = () => ({ debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() });

/** Every channel that the nodes listen to. */
async function channelsOf(redis: TestRedis): Promise<string[]> {
  return [
    ...((await redis.run('PUBSUB', 'SHARDCHANNELS')) as string[]),
    ...((await redis.run('PUBSUB', 'CHANNELS')) as string[]),
  ];
}

async function keyOf(redis: TestRedis, office: string): Promise<string> {
  const [key = ''] = (await redis.run('KEYS', '*office:o1')) as string[];
  return key.replace(/o1$/, office);
}

const foreignNode = '00000000-0000-4000-8000-000000000000';

const message = (head: object, body = '') => `${Buffer.byteLength(body)} ${JSON.stringify(head)}\n${body}`;

describe.runIf(hasRedis).concurrent('a cluster', { timeout: 60_000 }, () => {
  test('admits a client whatever its instance_id and its identity, and stays together', async () => {
    const logger = recorder();
    await using office = await openOffice({ logger, authenticate: () => ({ id: '\ud800"\u0000\n' }) });
    const odd = ['\ud800', '\udc00\ud800', '\u0000', '\n', '"', '\\', 'x'.repeat(10_000), '', 7, null, {}, [[]]];
    for (const [index, instance_id] of odd.entries()) {
      await using peer = await RawPeer.connect(office.two.url, { auth: { instance_id } });
      expect(await peer.enter('computer', `odd-${index}`, 'o1')).toEqual([true, null]);
      expect(await office.call()).toBe('answer');
    }
    expect(logger.warn).not.toHaveBeenCalledWith('This node cannot reach the others', expect.anything());
  });

  test('refuses calls of another node to a Computer that is slow to read, which keeps its connection', async () => {
    await using office = await openOffice({ limits: { messageBytes: 2_000_000, backlogBytes: 4_000_000 } });
    const { agent, computer } = office;
    const { transport } = computer.socket.io.engine as unknown as {
      transport: { ws: { pause(): void; resume(): void } };
    };
    transport.ws.pause();
    const padding = 'x'.repeat(1_900_000);
    const codes: unknown[] = [];
    const calls = Array.from({ length: 20 }, async (_, n) => {
      const [answer] = await agent.ask('client:get_tools', request(`r${n}`, { padding }));
      codes.push(answer === 'answer' ? answer : (answer as { code: number }).code);
    });
    await eventually(() => expect(codes.length).toBeGreaterThan(5));
    transport.ws.resume();
    await Promise.all(calls);
    expect([...new Set(codes)].toSorted()).toEqual([429, 'answer']);
    expect(computer.socket.connected).toBe(true);
  });

  test('takes text that is not well-formed for no instance_id', async () => {
    await using nodes = await openNodes();
    const auth = { instance_id: '\ud800' };
    await using _first = await RawPeer.join(nodes.one.url, 'computer', 'c1', 'o1', { auth });
    for (const node of [nodes.one, nodes.two]) {
      await using second = await RawPeer.connect(node.url, { auth });
      expect(await second.enter('computer', 'c1', 'o1')).toEqual([false, expect.stringContaining("'c1'")]);
    }
  });

  test('answers a request that Redis refuses with an error, and stays together', async () => {
    const logger = recorder();
    await using office = await openOffice({ logger });
    await office.redis.run('SET', await keyOf(office.redis, 'o2'), 'not a hash');
    await using peer = await RawPeer.connect(office.one.url);
    expect(await peer.enter('computer', 'c2', 'o2')).toEqual([false, expect.stringContaining('Redis')]);
    const list = { agent: 'a1', req_id: 'l', office_id: 'o2' };
    expect(await office.agent.ask('server:list_room', list)).toEqual([expect.objectContaining({ code: 500 })]);
    expect(await office.call()).toBe('answer');
    expect(logger.error).toHaveBeenCalledWith(
      'Redis refused a request',
      expect.objectContaining({ reason: expect.stringContaining('WRONGTYPE') }),
    );
    expect(logger.warn).not.toHaveBeenCalledWith('This node cannot reach the others', expect.anything());
  });

  test.each([
    { error: 'OOM', begin: ['CONFIG', 'SET', 'maxmemory', '1'], end: ['CONFIG', 'SET', 'maxmemory', '0'] },
    { error: 'READONLY', begin: ['REPLICAOF', '127.0.0.1', '1'], end: ['REPLICAOF', 'NO', 'ONE'] },
    { error: 'NOPERM', begin: ['ACL', 'SETUSER', 'default', '-hset'], end: ['ACL', 'SETUSER', 'default', '+hset'] },
  ])('refuses joins while Redis answers $error, and calls cross all the same', async ({ begin, end }) => {
    const logger = recorder();
    await using office = await openOffice({ logger });
    await using peer = await RawPeer.connect(office.one.url);
    await office.redis.run(begin[0]!, ...begin.slice(1));
    expect(await peer.enter('computer', 'c2', 'o1')).toEqual([false, expect.stringContaining('Redis')]);
    expect(await office.call()).toBe('answer');
    await office.redis.run(end[0]!, ...end.slice(1));
    expect(await peer.enter('computer', 'c2', 'o1')).toEqual([true, null]);
    expect(await office.call()).toBe('answer');
    expect(logger.warn).not.toHaveBeenCalledWith('This node cannot reach the others', expect.anything());
  });

  test('loses only what it cannot read when records in Redis are malformed', async () => {
    await using office = await openOffice();
    const key = await keyOf(office.redis, 'o1');
    const records = ['', 'x', '\n\n\n', 'a\nb\nc\n{"role":7}', 'a\nb\nc\n[[[', '\ud800'];
    for (const [index, record] of records.entries()) await office.redis.run('HSET', key, `computer:x${index}`, record);
    const [room] = await office.agent.ask('server:list_room', { agent: 'a1', req_id: 'l', office_id: 'o1' });
    expect(room).toMatchObject({ sessions: [{ name: 'a1' }, { name: 'c1' }] });
    const [answer] = await office.agent.ask('client:get_tools', request('r1', { computer: 'x1' }));
    expect(answer).toMatchObject({ code: 404 });
    await using peer = await RawPeer.connect(office.one.url);
    expect(await peer.enter('computer', 'x1', 'o1')).toEqual([false, expect.stringContaining("'x1'")]);
    expect(await office.call()).toBe('answer');
  });

  test('stays together when a member cannot be registered anew, and registers it when it can', async () => {
    await using office = await openOffice();
    await using _other = await RawPeer.join(office.two.url, 'computer', 'c2', 'o2');
    const key = await keyOf(office.redis, 'o2');
    await office.redis.run('FLUSHALL');
    await office.redis.run('SET', key, 'not a hash');
    await eventually(async () => expect(await office.call()).toBe('answer'));
    await using peer = await RawPeer.connect(office.one.url);
    expect(await peer.enter('computer', 'c3', 'o1')).toEqual([true, null]);
    await office.redis.run('DEL', key);
    await eventually(async () => expect(await office.redis.run('HLEN', key)).toBe(1));
  });

  test('refuses a join instead of asking Redis for ever when it never settles', async () => {
    await using office = await openOffice();
    const key = (await keyOf(office.redis, 'o1')).replace('office:o1', 'settling');
    await office.redis.run('SET', key, '1');
    await using peer = await RawPeer.connect(office.one.url);
    expect(await peer.enter('computer', 'c2', 'o1')).toEqual([false, expect.stringContaining('try again')]);
    expect(await office.call()).toBe('answer');
  });

  test('goes on when Redis has forgotten its scripts', async () => {
    await using office = await openOffice();
    await office.redis.run('SCRIPT', 'FLUSH');
    await using peer = await RawPeer.connect(office.one.url);
    expect(await peer.enter('agent', 'a2', 'o1')).toEqual([false, 'Room already has an agent']);
    expect(await peer.enter('computer', 'c2', 'o1')).toEqual([true, null]);
  });

  test('answers calls while Redis is busy with a script, and recovers', async () => {
    await using office = await openOffice({}, ['--busy-reply-threshold', '10']);
    expect(await office.call()).toBe('answer');
    const busy = office.redis.run('EVAL', 'while true do end', 0).catch(() => {});
    await eventually(() => expect(office.redis.run('PING')).rejects.toThrow('BUSY'));
    const calls = Array.from({ length: 20 }, () => office.call());
    await Promise.all(calls);
    await office.redis.run('SCRIPT', 'KILL');
    await busy;
    await eventually(async () => expect(await office.call()).toBe('answer'));
    await using peer = await RawPeer.connect(office.one.url);
    await eventually(async () =>
      expect(await peer.enter('agent', 'a2', 'o1')).toEqual([false, 'Room already has an agent']),
    );
    expect(await peer.enter('computer', 'c2', 'o1')).toEqual([true, null]);
    const [room] = await office.agent.ask('server:list_room', { agent: 'a1', req_id: 'l', office_id: 'o1' });
    const { sessions } = room as { sessions: { name: string }[] };
    expect(sessions.map(({ name }) => name).sort()).toEqual(['a1', 'c1', 'c2']);
  });

  test('drops malformed messages of its channels', async () => {
    await using office = await openOffice();
    const channels = await channelsOf(office.redis);
    expect(channels.length).toBeGreaterThanOrEqual(2);
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const call = {
      type: 'call',
      id: 1,
      from: foreignNode,
      event: 'client:x',
      office: 'o1',
      computer: 'c1',
      timeout: 1000,
    };
    const messages = [
      '',
      'x',
      '\n',
      '5 {}\n',
      '-5 {}\n',
      'NaN null\n',
      '1e9 {"type":"gone"}\n',
      '0 null\n',
      `0 ${deep}\n`,
      '0 {"type":"constructor"}\n',
      message({ type: 'gone' }, 'x'),
      message({ type: 'gone' }, '{}'),
      message({ type: 'gone' }, '[null,1,{"office":{}}]'),
      message({ type: 'gone' }, deep),
      message({ type: 'evict', sid: {} }),
      message({ type: 'evict', sid: 'gone' }),
      message({ type: 'answer', id: 'x' }, '[]'),
      message({ type: 'answer', id: 1e300 }, '[]'),
      message({ ...call, timeout: null }, '["client:x",{}]'),
      message({ ...call, timeout: 1e300 }, '["client:x",{}]'),
      message({ ...call, office: ['o1'] }, '["client:x",{}]'),
      message({ ...call, from: 'x'.repeat(100_000) }, '["client:x",{}]'),
      message(call, ''),
      message(call, '["client:x",'),
      message(call, '["connect",{}]'),
      message(call, '["client:x",{}]]'),
      message({ type: 'broadcast', from: foreignNode, office: 'o1' }, '["notify:x",'),
      message({ type: 'broadcast', from: foreignNode, office: 'o1' }, 'null'),
      message({ type: 'broadcast', from: foreignNode, office: 7 }, '["notify:x",{}]'),
      Buffer.concat([
        Buffer.from(message(call, '["client:x","ab"]').slice(0, -4)),
        Buffer.from([0xff, 0xfe, 0x22, 0x5d]),
      ]),
      Buffer.from([0x93, 0xa1, 0x78]),
      Buffer.from([0xc1]),
      Buffer.alloc(50_000, 0x91),
      '{"type":0}',
      '{"type":3,"opts":5}',
      '{"type":4,"opts":{"rooms":[],"except":[]},"close":true}',
      '{"type":7}',
    ];
    for (const channel of channels) {
      for (const text of messages) {
        await office.redis.run('SPUBLISH', channel, text);
        await office.redis.run('PUBLISH', channel, text);
      }
    }
    for (const room of ['', 'office:o1#']) {
      for (const text of messages) await office.redis.run('PUBLISH', `a2c#/smcp#${room}`, text);
    }
    expect(await office.call()).toBe('answer');
    expect(office.computer.payloads('client:x')).toEqual([]);
    expect(office.agent.heard.filter(([event]) => event !== 'notify:enter_office')).toEqual([]);
    expect([office.one.health().inFlight, office.two.health().inFlight]).toEqual([0, 0]);
  });

  test('ignores messages about what it does not have, and a call that arrives twice', async () => {
    await using office = await openOffice();
    const [all = '', ...nodes] = (await channelsOf(office.redis)).sort();
    const call = { type: 'call', id: 7, from: foreignNode, event: 'client:x', office: 'o1', computer: 'c1' };
    const messages = [
      message({ type: 'answer', id: 1 }, '[]'),
      message({ type: 'answer', id: 1, missing: true }),
      message({ type: 'abandon', id: 1, from: foreignNode }),
      message({ type: 'evict', sid: 'unknown' }),
      message({ type: 'gone' }, '[]'),
      message({ ...call, timeout: 60_000 }, '["client:x",{"req_id":"x"}]'),
      message({ ...call, timeout: 60_000, computer: 'unknown' }, '["client:x",{"req_id":"x"}]'),
    ];
    for (const channel of [all, ...nodes, all, ...nodes])
      await office.redis.run('SPUBLISH', channel, messages.join(''));
    expect(await office.call()).toBe('answer');
    expect(office.computer.payloads('client:x')).toEqual([{ req_id: 'x' }]);
    expect(office.two.health().inFlight).toBe(1);
    for (const node of nodes) {
      await office.redis.run('SPUBLISH', node, message({ type: 'abandon', id: 7, from: foreignNode }));
    }
    await eventually(() => expect(office.two.health().inFlight).toBe(0));
  });

  test('survives a signal that is nested as deep as its own node can forward', async () => {
    await using office = await openOffice();
    for (let depth = 250; depth <= 16_000; depth = Math.round(depth * 1.3)) {
      const more = '['.repeat(depth) + ']'.repeat(depth);
      office.computer.socket.io.engine.write(`2/smcp,["server:update_desktop",{"computer":"c1","more":${more}}]`);
    }
    await office.computer.settled().catch(() => {});
    await using agent = await RawPeer.join(office.one.url, 'computer', 'c2', 'o1');
    await agent.settled();
    expect(office.one.health().status).toBe('ok');
  });

  test('gives no place away that has an owner when Redis has lost its data', async () => {
    await using nodes = await openNodes({ limits: { connectionsPerAddress: 1000 } });
    await using _owner = await RawPeer.join(nodes.one.url, 'computer', 'owner', 'o1');
    await using _agent = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
    for (let round = 0; round < 3; round++) {
      await nodes.redis.run('FLUSHALL');
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          await using other = await RawPeer.connect(nodes.two.url);
          return await (index % 2 === 0 ? other.enter('computer', 'owner', 'o1') : other.enter('agent', 'a2', 'o1'));
        }),
      );
      expect(answers.filter(([ok]) => ok)).toEqual([]);
    }
    await nodes.redis.run('FLUSHALL');
    await using other = await RawPeer.connect(nodes.two.url);
    expect(await other.enter('computer', 'free', 'o1')).toEqual([true, null]);
  });

  test.each([
    { parts: 'databases', one: { path: '' }, other: { path: '/5' } },
    { parts: 'names', one: { path: '', cluster: 'left' }, other: { path: '', cluster: 'right' } },
    { parts: 'a name', one: { path: '' }, other: { path: '', cluster: 'office' } },
  ])('hears and sees nothing of another one on the same Redis, apart by $parts', async ({ one, other }) => {
    await using nodes = await openNodes({ cluster: one.cluster });
    const url = nodes.redis.url + other.path;
    await using foreign = await SmcpServer.listen({ port: 0, redis: url, cluster: other.cluster });
    await using agent = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
    await using _computer = await RawPeer.join(nodes.two.url, 'computer', 'c1', 'o1');
    await using foreignAgent = await RawPeer.join(foreign.url, 'agent', 'a1', 'o1');
    await using foreignComputer = await RawPeer.join(foreign.url, 'computer', 'c2', 'o1');
    foreignComputer.socket.emit('server:update_desktop', { computer: 'c2' });
    await eventually(() => expect(foreignAgent.payloads('notify:update_desktop')).toHaveLength(1));
    const [answer] = await agent.ask('client:get_tools', request('r1', { computer: 'c2' }));
    expect(answer).toMatchObject({ code: 404 });
    const [room] = await agent.ask('server:list_room', { agent: 'a1', req_id: 'l', office_id: 'o1' });
    expect(room).toMatchObject({ sessions: [{ name: 'a1' }, { name: 'c1' }] });
    await agent.settled();
    expect(agent.payloads('notify:update_desktop')).toEqual([]);
    expect(agent.payloads('notify:enter_office')).toEqual([{ office_id: 'o1', computer: 'c1' }]);
  });

  test('forgets a call between its nodes when the Agent disconnects', async () => {
    await using office = await openOffice();
    for (let n = 0; n < 20; n++) office.agent.socket.emit('client:tool_call', toolCall(`r${n}`), () => {});
    await eventually(() => expect(office.two.health().inFlight).toBe(20));
    office.agent.close();
    await eventually(() => expect([office.one.health().inFlight, office.two.health().inFlight]).toEqual([0, 0]));
  });

  test.each(['', 'a:b', 'x'.repeat(65), '\ud800', 'a b'])('refuses the name %j', async cluster => {
    await expect(SmcpServer.listen({ port: 0, redis: 'redis://127.0.0.1:1', cluster })).rejects.toThrow(TypeError);
  });

  test('needs a Redis to have a name, and takes undefined for no name', async () => {
    await expect(SmcpServer.listen({ port: 0, cluster: 'x' })).rejects.toThrow("'redis'");
    await using server = await SmcpServer.listen({ port: 0, cluster: undefined, redis: undefined });
    expect(server.health().status).toBe('ok');
  });
});

describe.runIf(hasRedis)('a cluster that is watched', { timeout: 60_000 }, () => {
  test('keeps no notifications for a Redis that hangs, and no place of a member that left meanwhile', async () => {
    await using office = await openOffice();
    office.redis.pause();
    await using peer = await RawPeer.connect(office.one.url);
    await eventually(async () =>
      expect(await peer.enter('computer', 'c2', 'o1')).toEqual([false, expect.stringContaining('try again')]),
    );
    await using near = await RawPeer.connect(office.two.url);
    await eventually(async () =>
      expect(await near.enter('computer', 'c3', 'o1')).toEqual([false, expect.stringContaining('try again')]),
    );
    const before = memory();
    const body = 'x'.repeat(1_000_000);
    for (let n = 0; n < 100; n++) office.computer.socket.emit('server:update_desktop', { computer: 'c1', body });
    await office.computer.settled();
    await eventually(() => expect(memory() - before).toBeLessThan(30_000_000));
    office.computer.close();
    await eventually(() => expect(office.two.health().members).toBe(0));
    office.redis.resume();
    await eventually(async () => expect(await peer.enter('computer', 'c1', 'o1')).toEqual([true, null]));
  });

  test('leaves no connection, timer, key or member when it has closed', async () => {
    const [sockets, timers] = [resources('TCP'), resources('Timeout')];
    {
      const office = await openOffice();
      for (let n = 0; n < 20; n++) office.agent.socket.emit('client:tool_call', toolCall(`r${n}`), () => {});
      await eventually(() => expect(office.two.health().inFlight).toBe(20));
      // A join that still waits for the cluster to settle.
      await office.redis.run('FLUSHALL');
      const peer = await RawPeer.connect(office.one.url);
      const joining = peer.enter('computer', 'c2', 'o1').catch(() => {});
      office.agent.close();
      office.computer.close();
      await Promise.all([office.one.close(), office.two.close()]);
      await joining;
      peer.close();
      const keys = (await office.redis.run('KEYS', '*')) as string[];
      expect(keys.filter(key => !/:(epoch|settling)$/.test(key))).toEqual([]);
      expect(
        String(await office.redis.run('CLIENT', 'LIST'))
          .trim()
          .split('\n'),
      ).toHaveLength(1);
      await office.redis[Symbol.asyncDispose]();
    }
    await eventually(() => expect(resources('TCP')).toBeLessThanOrEqual(sockets));
    // Not while waiting, which takes a timer.
    expect(resources('Timeout')).toBeLessThanOrEqual(timers);
  });
});

/** Bytes of everything that is still referenced. */
function memory(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** How many things of a kind keep this process alive. */
function resources(kind: string): number {
  return process.getActiveResourcesInfo().filter(type => type.startsWith(kind)).length;
}
