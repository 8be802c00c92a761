import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { type Logger, serve } from '@a2c-smcp/core';
import { Peer, type PeerOptions } from '@a2c-smcp/peer';
import type { Socket } from 'socket.io';
import { describe, expect, test, vi } from 'vitest';
import { recordingLogger, scripted } from '../computer/office.ts';
import { eventually } from '../eventually.ts';
import { type ForeignServer, openForeignServer } from '../peer/foreign-server.ts';

const DEEP = '['.repeat(50_000) + ']'.repeat(50_000);
const MANY = Array(300_000).fill('0').join();
const ways = { polling: ['polling'], webSocket: ['websocket'], upgraded: ['polling', 'websocket'] } as const;
type Way = keyof typeof ways;

interface Play extends AsyncDisposable {
  server: ForeignServer;
  socket: Socket;
  peer: Peer;
  /** Sends a packet of Socket.IO as it stands. */
  write(packet: string): void;
  /** The acknowledgements of the peer, by the id of the request. */
  acks: Map<string, unknown>;
  /** Fails unless the peer still serves requests on the same connection. */
  expectAlive(): Promise<void>;
}

/** A peer whose Server is in the hands of the test. */
async function play(way: Way, options: Partial<PeerOptions> = {}): Promise<Play> {
  const acks = new Map<string, unknown>();
  const sockets: Socket[] = [];
  const server = await openForeignServer({
    connected: socket => {
      sockets.push(socket);
      socket.on('server:join_office', (_, ack) => ack(true, null));
      socket.conn.on('packet', ({ data }: { data?: unknown }) => {
        const [, id, json] = /^3\/smcp,(\d+)(.*)$/s.exec(String(data)) ?? [];
        if (id !== undefined) acks.set(id, JSON.parse(json ?? ''));
      });
    },
  });
  const peer = await Peer.join(server.url, {
    role: 'agent',
    name: 'a',
    office: 'o',
    transports: ways[way],
    prepare: socket => serve(socket, 'client:get_tools', ({ req_id }) => ({ tools: [], req_id })),
    ...options,
  });
  await eventually(() => expect(peer.transport).toBe(way === 'polling' ? 'polling' : 'websocket'));
  const [socket] = sockets as [Socket];
  const write = (packet: string) => void socket.conn.write(packet as never);
  return {
    server,
    socket,
    peer,
    write,
    acks,
    async expectAlive() {
      write('2/smcp,99["client:get_tools",{"agent":"a","computer":"c","req_id":"alive"}]');
      await eventually(() => expect(acks.get('99')).toEqual([{ tools: [], req_id: 'alive' }]));
      expect(peer.joined).toBe(true);
      expect(sockets).toHaveLength(1);
    },
    async [Symbol.asyncDispose]() {
      await peer.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const identity = { agent: 'a', computer: 'c', req_id: 'r' };
const excesses = [
  ['nested 50,000 levels', DEEP, /nested deeper than 512 levels/],
  ['with 300,000 arguments', MANY, /more than \d+ arguments/],
] as const;

describe.each(Object.keys(ways) as Way[])('a peer by %s', way => {
  test.each(excesses)('answers a request %s with 400 and goes on', async (_, args, message) => {
    await using given = await play(way);
    given.write(`2/smcp,7["client:get_tools",${args}]`);
    await eventually(() =>
      expect(given.acks.get('7')).toMatchObject([{ code: 400, message: expect.stringMatching(message) }]),
    );
    await given.expectAlive();
  });

  test.each(excesses)('fails the call whose answer is %s at once, with the reason', async (_, args, message) => {
    await using given = await play(way);
    given.socket.conn.on('packet', ({ data }: { data?: unknown }) => {
      const [, id] = /^2\/smcp,(\d+)\["client:/.exec(String(data)) ?? [];
      if (id !== undefined) given.write(`3/smcp,${id}[${args}]`);
    });
    const call = given.peer.call('client:get_config', identity, { timeout: 600_000 });
    await expect(call).rejects.toMatchObject({ name: 'SmcpError', message: expect.stringMatching(message) });
    await given.expectAlive();
  });

  test.each(excesses)('drops notifications, unknown events and stray answers %s', async (_, args) => {
    await using given = await play(way);
    const heard = vi.fn();
    given.peer.channel.on('notify:update_config', heard);
    given.write(`2/smcp,["notify:update_config",${args}]`);
    given.write(`2/smcp,["unknown",${args}]`);
    given.write(`3/smcp,12345[${args}]`);
    given.write(`3/smcp,1073741999[${args}]`);
    given.write(`4/smcp,{"x":${DEEP}}`);
    given.write(`0/smcp,{"x":${DEEP}}`);
    await given.expectAlive();
    expect(heard).not.toHaveBeenCalled();
  });

  test('rejects only the call whose parameters cannot be sent, and keeps nothing of it', async () => {
    await using given = await play(way);
    const deep = JSON.parse(`{"x":${DEEP}}`);
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const throwing = {
      toJSON: () => {
        throw new Error('no');
      },
    };
    const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
    const before = timers();
    for (const params of [deep, circular, { n: 10n }, throwing, { big: 'x'.repeat(2_000_000), deep }]) {
      const request = { ...identity, tool_name: 't', params, timeout: 20 };
      await expect(given.peer.call('client:tool_call', request, { timeout: 600_000 })).rejects.toThrow(Error);
    }
    expect(timers()).toBeLessThanOrEqual(before + 1);
    await given.expectAlive();
  });
});

describe('listeners that fail', () => {
  const fail = () => {
    throw new Error('A listener failed');
  };
  const reject = async () => fail();
  const logged = (log: { lines: { level: keyof Logger; message: string }[] }) =>
    log.lines.filter(({ level, message }) => level === 'error' && message === 'A listener failed').length;

  test('of a peer are logged, and the others are called', async () => {
    const log = recordingLogger();
    await using given = await play('webSocket', { logger: log });
    const heard = vi.fn();
    given.peer.on('connection', fail);
    given.peer.on('connection', reject);
    given.peer.on('connection', heard);
    given.socket.disconnect(true);
    await eventually(() => expect(heard).toHaveBeenCalledWith({ type: 'joined' }));
    expect(logged(log)).toBe(4);
  });

  test('of an Agent are logged, and the others are called', async () => {
    const log = recordingLogger();
    await using given = await play('webSocket');
    given.server.io
      .of('/smcp')
      .on('connection', socket =>
        socket.on('server:list_room', (request, ack) => ack({ sessions: [], req_id: request.req_id })),
      );
    await using agent = await Agent.connect(given.server.url, { name: 'b', office: 'o', logger: log });
    const heard = vi.fn();
    agent.on('enter', fail);
    agent.on('enter', reject);
    agent.on('enter', heard);
    given.server.io.of('/smcp').emit('notify:enter_office', { office_id: 'o', computer: 'c' });
    await eventually(() => expect(heard).toHaveBeenCalledWith({ computer: 'c' }));
    expect(logged(log)).toBe(2);
  });

  test('of a Computer, its logger, confirmation and transformer leave it working', async () => {
    const heard = vi.fn();
    const log = recordingLogger();
    const servers = {
      s: scripted({ tools: ['echo', 'asked'] }, { name: 's', tool_meta: { asked: { auto_apply: false } } }),
    };
    const logger: Logger = {
      ...log,
      warn: fail,
      info: fail,
    };
    const transformer = { prepare() {}, transform: fail };
    await using computer = await Computer.open({ name: 'desk', servers, logger, confirm: fail, transformer });
    computer.on('tools', fail);
    computer.on('tools', reject);
    computer.on('tools', heard);
    await computer.addServer(scripted({ tools: ['more'] }, { name: 't' }));
    expect(heard).toHaveBeenCalled();
    expect(logged(log)).toBeGreaterThanOrEqual(2);
    expect(await computer.callTool({ tool: 'echo' })).not.toHaveProperty('isError');
    expect(await computer.callTool({ tool: 'asked' })).toMatchObject({ meta: { error_code: 4005 } });
  });

  test.each([
    ['never ends', () => new Promise<string>(() => {})],
    ['gives a number', () => 7 as never],
    ['rejects', async () => fail()],
  ])('a transformer that %s does not hold a call', async (kind, transform) => {
    const servers = { s: scripted({ tools: ['echo'] }, { name: 's' }) };
    await using computer = await Computer.open({ name: 'desk', servers, transformer: { prepare() {}, transform } });
    const result = await computer.callTool({ tool: 'echo', params: { n: 1 }, timeout: 1000 });
    expect(result.meta).not.toHaveProperty('a2c_vrl_transformed');
    if (kind !== 'never ends') expect(result).not.toHaveProperty('isError');
  });
});
