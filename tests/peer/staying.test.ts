import { type ConnectionState, Peer, type PeerOptions } from '@a2c-smcp/peer';
import { type NotifyEvent, type SignalEventName, versionErrorBody } from '@a2c-smcp/protocol';
import type { Socket } from 'socket.io';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { type ForeignServer, joinAnswers, openForeignServer } from './foreign-server.ts';

const member: PeerOptions = { role: 'agent', name: 'a1', office: 'o1' };
const listing = { agent: 'a1', req_id: 'r1', office_id: 'o1' };
const sessions = { sessions: [], req_id: 'r1' };

/** Ends every connection from the Server's side. */
function dropAll({ io }: ForeignServer): void {
  io.of('/smcp').disconnectSockets(true);
}

function statesOf(peer: Peer): ConnectionState[] {
  const states: ConnectionState[] = [];
  peer.on('connection', state => states.push(state));
  return states;
}

describe('a lost connection', () => {
  verifies(
    'reconnect.rejoin',
    async () => {
      const joins: unknown[] = [];
      const instances = new Set<unknown>();
      const refusals = [
        [true, null],
        [false, 'Room already has an agent'],
        [false, 'Room already has an agent'],
      ];
      await using server = await openForeignServer({
        connected: socket => {
          instances.add(socket.handshake.auth.instance_id);
          socket.on('server:join_office', (request, answer) => {
            joins.push(request);
            answer(...(refusals[joins.length - 1] ?? [true, null]));
          });
        },
      });
      await using peer = await Peer.join(server.url, member);
      const states = statesOf(peer);
      dropAll(server);
      await eventually(() => expect(states.at(-1)?.type).toBe('joined'));
      expect(states).toMatchObject([
        { type: 'lost' },
        { type: 'retrying', attempt: 0, error: { code: 4101 } },
        { type: 'retrying', attempt: 1, error: { code: 4101 } },
        { type: 'joined' },
      ]);
      expect(joins).toEqual(Array(4).fill({ role: 'agent', name: 'a1', office_id: 'o1' }));
      expect(instances.size).toBe(1);
    },
    'the client tries until it is accepted',
  );

  verifies('ack.own-disconnect', async () => {
    await using server = await openForeignServer({
      connected: socket => {
        joinAnswers(true, null)(socket);
        socket.on('server:list_room', () => socket.disconnect(true));
      },
    });
    await using peer = await Peer.join(server.url, member);
    const listed = peer.call('server:list_room', listing, { timeout: 60_000 });
    await expect(listed).rejects.toMatchObject({ code: 408, details: { reason: 'disconnected' } });
  });

  test('is final when the Server has changed to another protocol version', async () => {
    let updated = false;
    await using server = await openForeignServer({
      connected: joinAnswers(true, null),
      onRequest: (_, response) => {
        if (updated) response.writeHead(400).end(JSON.stringify(versionErrorBody('0.2.0', '0.3.0')));
        return updated;
      },
    });
    await using peer = await Peer.join(server.url, member);
    const states = statesOf(peer);
    updated = true;
    dropAll(server);
    await eventually(() => expect(states.at(-1)).toMatchObject({ type: 'closed', error: { code: 4008 } }));
    await expect(peer.call('server:list_room', listing, { timeout: 1000 })).rejects.toMatchObject({ code: 4008 });
  });
});

describe('offline', () => {
  /** A peer that is out of its office until `letIn` is called. */
  async function openOutside(asked: string[] = []) {
    let open = true;
    const server = await openForeignServer({
      connected: (socket: Socket) => {
        socket.on('server:join_office', (_, answer) => answer(open, open ? null : 'Closed for now'));
        socket.on('server:list_room', (_, answer) => answer(sessions));
        socket.onAny(event => asked.push(event));
      },
    });
    const peer = await Peer.join(server.url, member);
    open = false;
    const lost = new Promise<void>(resolve => peer.on('connection', ({ type }) => type === 'lost' && resolve()));
    dropAll(server);
    await lost;
    asked.length = 0;
    return {
      peer,
      letIn: () => {
        open = true;
      },
      async [Symbol.asyncDispose]() {
        await peer.close();
        await server[Symbol.asyncDispose]();
      },
    };
  }

  test('a call waits until the peer is back', async () => {
    await using outside = await openOutside();
    const listed = outside.peer.call('server:list_room', listing, { timeout: 20_000 });
    expect(outside.peer.joined).toBe(false);
    outside.letIn();
    expect(await listed).toEqual(sessions);
    expect(outside.peer.joined).toBe(true);
  });

  test('a call ends with 408 when its time is up', async () => {
    await using outside = await openOutside();
    const listed = outside.peer.call('server:list_room', listing, { timeout: 50 });
    await expect(listed).rejects.toMatchObject({ code: 408, details: { reason: 'offline' } });
  });

  test('a call that is aborted is never sent', async () => {
    const asked: string[] = [];
    await using outside = await openOutside(asked);
    const controller = new AbortController();
    const listed = outside.peer.call('server:list_room', listing, { timeout: 20_000, signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(listed).rejects.toThrow('changed my mind');
    outside.letIn();
    await eventually(() => expect(outside.peer.joined).toBe(true));
    expect(new Set(asked)).toEqual(new Set(['server:join_office']));
  });

  test('a signal is not sent, and says so', async () => {
    await using outside = await openOutside();
    expect(outside.peer.emit('server:tool_call_cancel', { agent: 'a1', req_id: 'r1' })).toBe(false);
  });

  test('closing ends the calls that wait', async () => {
    await using outside = await openOutside();
    const listed = outside.peer.call('server:list_room', listing, { timeout: 20_000 });
    await Promise.all([expect(listed).rejects.toMatchObject({ code: 4103 }), outside.peer.close()]);
  });
});

describe('what a peer may send', () => {
  verifies('event.guard', async () => {
    await using server = await openForeignServer({ connected: joinAnswers(true, null) });
    await using agent = await Peer.join(server.url, member);
    await using computer = await Peer.join(server.url, { ...member, role: 'computer' });
    const forged: NotifyEvent = 'notify:update_config';
    for (const peer of [agent, computer]) {
      expect(() => peer.emit(forged as unknown as SignalEventName, { computer: 'c1' })).toThrow(TypeError);
    }
    expect(() => agent.emit('server:update_config', { computer: 'c1' })).toThrow(TypeError);
    expect(computer.emit('server:update_config', { computer: 'a1' })).toBe(true);
    const request = { agent: 'a1', req_id: 'r1', computer: 'c1' };
    await expect(computer.call('client:get_tools', request, { timeout: 1000 })).rejects.toThrow(TypeError);
  });

  verifies(
    'limits.answer',
    async () => {
      await using server = await openForeignServer({
        maxHttpBufferSize: 10_000,
        connected: socket => {
          joinAnswers(true, null)(socket);
          socket.on('server:list_room', (_, answer) => answer(sessions));
        },
      });
      await using peer = await Peer.join(server.url, member);
      expect(peer.messageLimit).toBe(10_000);
      const large = { ...listing, note: 'x'.repeat(10_000) };
      await expect(peer.call('server:list_room', large, { timeout: 5000 })).rejects.toMatchObject({
        code: 413,
        details: { size: expect.any(Number), limit: 10_000 },
      });
      expect(await peer.call('server:list_room', listing, { timeout: 5000 })).toEqual(sessions);
    },
    'a request of a peer',
  );
});

describe('the end', () => {
  test('comes once, and later calls say that it came', async () => {
    await using server = await openForeignServer({ connected: joinAnswers(true, null) });
    const peer = await Peer.join(server.url, member);
    const states = statesOf(peer);
    await peer.close();
    await peer.close();
    expect(states).toEqual([{ type: 'closed' }]);
    await expect(peer.call('server:list_room', listing, { timeout: 1000 })).rejects.toMatchObject({ code: 4103 });
    await eventually(() => expect(server.io.of('/smcp').sockets.size).toBe(0));
  });

  test('is announced by leaving', async () => {
    const left: unknown[] = [];
    await using server = await openForeignServer({
      connected: socket => {
        joinAnswers(true, null)(socket);
        socket.on('server:leave_office', (request, answer) => {
          left.push(request);
          answer(true, null);
        });
      },
    });
    const peer = await Peer.join(server.url, member);
    await peer.leave();
    expect(left).toEqual([{ office_id: 'o1' }]);
    expect(peer.joined).toBe(false);
  });
});
