import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Peer, type PeerOptions } from '@a2c-smcp/peer';
import { versionErrorBody } from '@a2c-smcp/protocol';
import type { Socket } from 'socket.io';
import { describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { joinAnswers, openForeignServer } from './foreign-server.ts';

const member: PeerOptions = { role: 'agent', name: 'a1', office: 'o1' };
const fixed: PeerOptions = { ...member, protocolVersion: '0.2.0' };
const refusal = JSON.stringify(versionErrorBody('0.2.0', '0.3.0'));
const told = { client_version: '0.2.0', server_version: '0.3.0', min_supported: '0.3.0', max_supported: '0.3.999' };

describe('connecting', () => {
  verifies(['version.sent', 'version.client.polling-first', 'auth.role', 'auth.carrier'], async () => {
    const seen: { auth?: Record<string, unknown> } = {};
    await using server = await openForeignServer({
      connected: socket => {
        seen.auth = socket.handshake.auth;
        joinAnswers(true, null)(socket);
      },
    });
    await using _peer = await Peer.join(server.url, { ...member, auth: { key: 'k' }, headers: { 'x-my-key': 'h' } });
    const first = server.handshakes[0];
    expect(first?.url).toContain('transport=polling');
    expect(first?.url).toContain('a2c_version=0.5.0');
    expect(first?.headers['x-my-key']).toBe('h');
    expect(seen.auth).toEqual({ key: 'k', instance_id: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });

  verifies('connect.path', async () => {
    await using server = await openForeignServer({ path: '/hub/io', connected: joinAnswers(true, null) });
    await using peer = await Peer.join(server.url, { ...member, path: '/hub/io' });
    expect(peer.joined).toBe(true);
    await expect(Peer.join(server.url, member)).rejects.toMatchObject({
      code: 404,
      message: expect.stringContaining("option 'path'"),
    });
  });

  test('offers no compression of messages', async () => {
    await using server = await openForeignServer({ perMessageDeflate: true, connected: joinAnswers(true, null) });
    await using _peer = await Peer.join(server.url, { ...member, transports: ['websocket'] });
    expect(server.handshakes[0]?.headers['sec-websocket-extensions']).toBeUndefined();
  });

  test('can claim another protocol version', async () => {
    await using server = await openForeignServer({ connected: joinAnswers(true, null) });
    await using _peer = await Peer.join(server.url, { ...member, protocolVersion: '0.3.0' });
    expect(server.handshakes[0]?.url).toContain('a2c_version=0.3.0');
  });

  test('asks again to join where a Server, as that of the Rust SDK, listens late', async () => {
    const late = (socket: Socket) => void setTimeout(() => joinAnswers(true, null)(socket), 100);
    await using server = await openForeignServer({ connected: late });
    await using peer = await Peer.join(server.url, { ...member, timeout: 3000 });
    expect(peer.joined).toBe(true);
  });

  test('an address without a Server is error 408 with the address', async () => {
    const http = createServer();
    await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    await new Promise(resolve => http.close(resolve));
    for (const transports of [['polling', 'websocket'], ['websocket']] as const) {
      const joining = Peer.join(url, { ...member, transports });
      await expect(joining).rejects.toMatchObject({ code: 408, message: expect.stringContaining(url) });
    }
  });

  test('ends when its time is up or its signal fires', async () => {
    await using server = await openForeignServer({ onRequest: () => true });
    await expect(Peer.join(server.url, { ...member, timeout: 100 })).rejects.toMatchObject({ code: 408 });
    const controller = new AbortController();
    const joining = Peer.join(server.url, { ...member, signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(joining).rejects.toThrow('changed my mind');
  });
});

describe('a refused connection', () => {
  test("of the Python SDK's Server is error 401 that says what to check", async () => {
    await using server = await openForeignServer();
    server.io.of('/smcp').use((_, next) => next(new Error('Connection refused by server')));
    await expect(Peer.join(server.url, member)).rejects.toMatchObject({
      code: 401,
      message: expect.stringContaining("check 'auth' and 'headers'"),
    });
  });

  test('because there is no namespace /smcp is error 404', async () => {
    await using server = await openForeignServer();
    await expect(Peer.join(server.url, member)).rejects.toMatchObject({ code: 404 });
  });

  test.each([
    ['at once', (socket: Socket) => void socket.disconnect()],
    ['when asked to join', (socket: Socket) => void socket.on('server:join_office', () => socket.disconnect())],
  ])("by a disconnect %s, as of the Rust SDK's Server, is error 401 that says what to check", async (_, connected) => {
    await using server = await openForeignServer({ connected });
    for (const transports of [['polling', 'websocket'], ['websocket']] as const) {
      await expect(Peer.join(server.url, { ...member, transports, timeout: 4000 })).rejects.toMatchObject({
        code: 401,
        message: expect.stringContaining("check 'auth' and 'headers'"),
      });
    }
  });

  test('that is a silence after the join, as with the Rust SDK of 0.1, is error 408 that mentions credentials', async () => {
    await using server = await openForeignServer({ connected: () => {} });
    await expect(Peer.join(server.url, { ...member, timeout: 2000 })).rejects.toMatchObject({
      code: 408,
      message: expect.stringContaining("check 'auth'"),
    });
  });
});

describe('another protocol version', () => {
  verifies('version.client.error', async () => {
    await using server = await openForeignServer({
      onRequest: (_, response) => {
        response.writeHead(400, { 'content-type': 'application/json' }).end(refusal);
        return true;
      },
    });
    await expect(Peer.join(server.url, fixed)).rejects.toMatchObject({ code: 4008, details: told });
    expect(server.handshakes).toHaveLength(1);
  });

  test('is learnt over HTTP when a WebSocket is refused', async () => {
    await using server = await openForeignServer({
      onUpgrade: (_, socket) => {
        socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return true;
      },
      onRequest: (_, response) => {
        response.writeHead(400).end(refusal);
        return true;
      },
    });
    const joining = Peer.join(server.url, { ...fixed, transports: ['websocket'] });
    await expect(joining).rejects.toMatchObject({ code: 4008, details: told });
    expect(server.handshakes).toHaveLength(2);
  });

  verifies(
    'version.client.close-4900',
    async () => {
      for (const [body, details] of [
        [refusal, told],
        ['', { client_version: '0.2.0' }],
      ] as const) {
        const sockets = new WebSocketServer({ noServer: true });
        await using server = await openForeignServer({
          onUpgrade: (request, socket, head) => {
            sockets.handleUpgrade(request, socket, head, webSocket => webSocket.close(4900));
            return true;
          },
          onRequest: (_, response) => {
            response.writeHead(body === '' ? 200 : 400).end(body);
            return true;
          },
        });
        const joining = Peer.join(server.url, { ...fixed, transports: ['websocket'] });
        await expect(joining).rejects.toMatchObject({ code: 4008, details });
        expect(server.handshakes).toHaveLength(2);
      }
    },
    'with and without a body over HTTP',
  );
});

describe('a version that is negotiated', () => {
  /** A Server that serves one line and refuses all others as Servers of the official SDKs do. */
  async function openServerOf(line: string, connected = joinAnswers(true, null)) {
    const asked: string[] = [];
    const server = await openForeignServer({
      connected,
      onRequest: (request, response) => {
        const { searchParams } = new URL(request.url ?? '', 'http://x');
        const version = searchParams.get('a2c_version') ?? '';
        if (searchParams.has('sid')) return false;
        asked.push(version);
        if (version.startsWith(`${line}.`)) return false;
        response.writeHead(400).end(JSON.stringify(versionErrorBody(version, `${line}.0`)));
        return true;
      },
    });
    return Object.assign(server, { asked });
  }

  verifies('version.client.auto', async () => {
    for (const line of ['0.2', '0.3', '0.4', '0.5']) {
      await using server = await openServerOf(line);
      await using peer = await Peer.join(server.url, member);
      expect(peer.protocolVersion).toBe(`${line}.0`);
      expect(server.asked).toEqual(line === '0.5' ? ['0.5.0'] : ['0.5.0', `${line}.0`]);
      peer.reconnect();
      await eventually(() => expect(server.asked.length).toBeGreaterThan(line === '0.5' ? 1 : 2));
      expect(server.asked.at(-1)).toBe(`${line}.0`);
    }
  });

  test('a peer and a Server without a common line end with 4008 after one attempt', async () => {
    await using server = await openServerOf('0.9');
    await expect(Peer.join(server.url, member)).rejects.toMatchObject({ code: 4008 });
    expect(server.asked).toEqual(['0.5.0']);
  });

  test('a Server that refuses everything is asked twice', async () => {
    const refuseAll = JSON.stringify({ ...versionErrorBody('0.5.0', '0.4.0') });
    let asked = 0;
    await using server = await openForeignServer({
      onRequest: (_, response) => {
        asked += 1;
        response.writeHead(400).end(refuseAll);
        return true;
      },
    });
    await expect(Peer.join(server.url, member)).rejects.toMatchObject({ code: 4008 });
    expect(asked).toBe(2);
  });

  for (const line of ['0.4', '0.5']) {
    verifies(
      'line.any-ack',
      async () => {
        for (const answer of [[], [null], [true, null], [[true, null]]]) {
          await using server = await openServerOf(line, joinAnswers(...answer));
          await using peer = await Peer.join(server.url, member);
          expect(peer.joined).toBe(true);
        }
        for (const error of [
          { code: 4101, message: 'Seat taken', details: { office_id: 'o1', role: 'agent' } },
          { code: 4106, message: 'In another office', details: { office_id: 'o2' } },
          { code: 403, message: 'Another name' },
          { code: 400, message: 'Malformed' },
        ]) {
          await using server = await openServerOf(line, joinAnswers(error));
          await expect(Peer.join(server.url, member)).rejects.toMatchObject({
            code: error.code,
            message: expect.stringMatching(/office 'o1'/i),
          });
        }
      },
      `on a Server of ${line}`,
    );
  }
});

describe('a refused join', () => {
  test.each([
    ['Room already has an agent', 4101, 'agent_present'],
    ['Internal server error: Agent already in room', 4101, 'agent_present'],
    ["Name 'a1' is taken", 403, 'name_taken'],
    [null, 403, undefined],
  ])('with the text %s is error %i with the reason %s', async (text, code, reason) => {
    await using server = await openForeignServer({ connected: joinAnswers(false, text) });
    await expect(Peer.join(server.url, member)).rejects.toMatchObject({
      code,
      reason,
      details: { office: 'o1', text },
    });
    await eventually(() => expect(server.io.of('/smcp').sockets.size).toBe(0));
  });

  verifies(
    'ack.pair',
    async () => {
      await using server = await openForeignServer({ connected: joinAnswers([true, null]) });
      await using peer = await Peer.join(server.url, member);
      expect(peer.joined).toBe(true);
    },
    'the client also accepts one array',
  );
});
