import { connect } from 'node:net';
import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { rawUpgrade } from '../http.ts';
import { openPolling, openWebSocket } from './engine-client.ts';
import { ServerProcess } from './server-process.ts';
import { openWorkingOffice } from './working-office.ts';

const KEY = 'a key of many characters';
const transports = [
  ['WebSocket', openWebSocket],
  ['long polling', openPolling],
] as const;

let server: ServerProcess;
let keyed: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start(['--log-level', 'off']);
  keyed = await ServerProcess.start(['--log-level', 'off', '--key', KEY]);
}, 120_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await keyed[Symbol.asyncDispose]();
});

describe.each(transports)('by %s', (_, open) => {
  test('a client that left the namespace may connect to it again on the same connection', async () => {
    using client = await open(server.url);
    for (let round = 0; round < 3; round++) {
      await client.send('0/smcp,');
      await client.receive('0/smcp,');
      client.received.length = 0;
      await client.send('2/smcp,1["server:join_office",{"role":"agent","name":"a","office_id":"again"}]');
      expect(await client.receive('3/smcp,1')).toBe('3/smcp,1[true,null]');
      await client.send('1/smcp,');
    }
    expect(client.isOpen).toBe(true);
  });

  test('connecting to the namespace again needs the same credentials as the first time', async () => {
    using client = await open(keyed.url);
    await client.send(`0/smcp,{"x-api-key":"${KEY}"}`);
    await client.receive('0/smcp,');
    await client.send('1/smcp,');
    await client.send('0/smcp,{"x-api-key":"wrong"}');
    expect(await client.receive('4/smcp,')).toContain('401');
    client.received.length = 0;
    await client.send(`0/smcp,{"x-api-key":"${KEY}"}`);
    await client.receive('0/smcp,');
  });

  test('a key in a header admits a client each time it connects to the namespace', async () => {
    using client = await open(keyed.url, { headers: { 'x-api-key': KEY } });
    for (let round = 0; round < 3; round++) {
      await client.send('0/smcp,');
      await client.receive('0/smcp,');
      client.received.length = 0;
      await client.send('1/smcp,');
    }
  });

  test('a second CONNECT while the first is checked ends the connection', async () => {
    using client = await open(server.url);
    await client.sendAll(['0/smcp,', '0/smcp,']);
    await client.closed;
  });

  test('100,000 CONNECT packets without credentials end their connection and disturb no other office', async () => {
    using client = await open(server.url);
    const flood = client.prepare(Array(100_000).fill('0/smcp,'));
    const office = await openWorkingOffice(server.url);
    await flood();
    await client.closed;
    const { slowest, answered } = await office.stop();
    expect(answered).toBeGreaterThan(1);
    expect(slowest).toBeLessThan(10_000);
    expect(server.memory).toBeLessThan(400);
  });

  test('CONNECT packets for other namespaces end the connection after a few', async () => {
    using client = await open(server.url);
    for (let count = 0; count < 10; count++) await client.send(`0/other-${count},`).catch(() => {});
    await client.closed;
    expect(client.received.length).toBeLessThan(10);
  });

  test('a few wrong keys end the connection', async () => {
    using client = await open(keyed.url);
    let attempts = 0;
    while (client.isOpen && attempts < 20) {
      client.received.length = 0;
      await client.send(`0/smcp,{"x-api-key":"guess ${attempts++}"}`);
      await client.receive('4/smcp,').catch(() => {});
    }
    await client.closed;
    expect(attempts).toBeLessThan(10);
  });

  test('leaving and entering the namespace without end is no way to a new allowance of events', async () => {
    await using strict = await SmcpServer.listen({ port: 0, limits: { eventsPerSecond: 5 } });
    using client = await open(strict.url);
    await client.send('0/smcp,');
    await client.receive('0/smcp,');
    const ask = '2/smcp,7["server:list_room",{"agent":"a","req_id":"r","office_id":"o"}]';
    await client.sendAll([ask, ask, ask, ask, ask, ask, ask, ask]);
    await eventually(() => expect(client.received.filter(packet => packet.includes('429'))).not.toEqual([]));
    client.received.length = 0;
    await client.sendAll(['1/smcp,', '0/smcp,']);
    await client.receive('0/smcp,');
    await client.send(ask);
    await client.send(ask);
    expect(await client.receive('3/smcp,7')).toContain('429');
  });
});

test('a client that is not admitted may send 64 KiB, by POST or as an unfinished WebSocket message', async () => {
  using polling = await openPolling(server.url);
  await polling.send(`0/smcp,{"token":"${'x'.repeat(100_000)}"}`);
  await polling.send('0/smcp,');
  await polling.receive('0/smcp,');

  const before = server.memory;
  const { hostname, port } = new URL(server.url);
  const sockets = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const socket = connect(Number(port), hostname);
      await new Promise(resolve => socket.once('connect', resolve));
      const head = ['GET /socket.io/?EIO=4&transport=websocket HTTP/1.1', `Host: ${hostname}`, 'Connection: Upgrade'];
      const key = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
      socket.write([...head, ...key, '', ''].join('\r\n'));
      // A text frame of 16 MiB whose end never comes.
      const frame = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
      socket.on('error', () => {});
      const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
      await new Promise(resolve => socket.once('data', resolve));
      socket.write(frame);
      for (let sent = 0; sent < 8 && !socket.destroyed; sent++) {
        await new Promise(resolve => socket.write(Buffer.alloc(1024 * 1024, 'x'), resolve));
      }
      await closed;
    }),
  );
  expect(sockets).toHaveLength(40);
  expect(server.memory - before).toBeLessThan(150);
});

test.each([
  ['an empty session id', '&sid='],
  ['a session id in the fragment', '#&sid=x'],
  ['a session id that does not exist', '&sid=x'],
])('%s does not get past the limit of connections', async (_, trick) => {
  await using small = await SmcpServer.listen({ port: 0, limits: { connectionsPerAddress: 2 } });
  await using _first = await RawPeer.connect(small.url);
  await using _second = await RawPeer.connect(small.url);
  const target = `/socket.io/?EIO=4&transport=websocket${trick}`;
  expect(await rawUpgrade(small.url, target)).not.toContain('HTTP/1.1 101');
  expect(await rawRequest(small.url, `/socket.io/?EIO=4&transport=polling${trick}`)).not.toContain('HTTP/1.1 200');
  expect(small.health().connections).toBe(2);
});

test.each(['&sid=', '#&sid=x'])('a handshake with %s is checked for its protocol version', async trick => {
  await using strict = await SmcpServer.listen({ port: 0, requireVersion: true });
  expect(await rawRequest(strict.url, `/socket.io/?EIO=4&transport=polling${trick}`)).toContain('HTTP/1.1 400');
});

test('handshakes that arrive in one chunk do not get past the limit of connections', async () => {
  await using small = await SmcpServer.listen({ port: 0, limits: { connectionsPerAddress: 5, connections: 8 } });
  const { hostname, port } = new URL(small.url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(200));
  let answers = '';
  socket.setEncoding('utf8').on('data', text => {
    answers += text;
  });
  await eventually(() => expect(answers.match(/HTTP\/1.1 /g)).toHaveLength(200));
  expect(answers.match(/HTTP\/1.1 200/g)).toHaveLength(5);
  expect(small.health().connections).toBe(5);
  socket.destroy();
});

test('JSONP is refused: its packets are decoded behind all checks', async () => {
  expect(await rawRequest(server.url, '/socket.io/?EIO=4&transport=polling&j=0')).toContain('HTTP/1.1 400');
});

test('images and scripts of a page of another origin open no connections', async () => {
  const path = '/socket.io/?EIO=4&transport=polling';
  for (const site of ['cross-site', 'same-site']) {
    expect(await rawRequest(server.url, path, { 'Sec-Fetch-Site': site })).toContain('HTTP/1.1 403');
  }
  expect(await rawRequest(server.url, path, { 'Sec-Fetch-Site': 'same-origin' })).toContain('HTTP/1.1 200');
});

test('refused upgrades are cut off when their clients do not close', async () => {
  await using crowded = await SmcpServer.listen({ port: 0, limits: { connections: 0 } });
  const { hostname, port } = new URL(crowded.url);
  const head = 'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n';
  const closed = Array.from({ length: 50 }, () => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.write(
      `${head}Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    socket.on('error', () => {});
    return socket;
  });
  // Half-open sockets of this process are released by the Server's reset only when something is written to them.
  await eventually(() => {
    for (const socket of closed) socket.write('x');
    expect(closed.filter(socket => !socket.destroyed)).toEqual([]);
  });
});

test('TCP connections without any request are limited for each address', async () => {
  await using small = await SmcpServer.listen({ port: 0, limits: { connectionsPerAddress: 2 } });
  const { hostname, port } = new URL(small.url);
  const sockets = Array.from({ length: 40 }, () => connect(Number(port), hostname).on('error', () => {}));
  await eventually(() => expect(sockets.filter(socket => socket.destroyed)).toHaveLength(32));
  for (const socket of sockets) socket.destroy();
});

describe('a web page whose name was pointed at this machine', () => {
  test.each(['/health', '/ready', '/metrics', '/socket.io/?EIO=4&transport=polling'])(
    'does not read %s',
    async path => {
      const answer = await rawRequest(server.url, path, { Host: 'evil.example' });
      expect(answer).toContain('HTTP/1.1 403');
    },
  );

  test('does not reach a Server that admits everybody on another address', async () => {
    await using open = await SmcpServer.listen({ host: '0.0.0.0', port: 0, allowAnonymous: true });
    const url = `http://127.0.0.1:${new URL(open.url).port}`;
    const path = '/socket.io/?EIO=4&transport=polling';
    const page = { Host: 'evil.example', Origin: 'http://evil.example' };
    expect(await rawRequest(url, path, page)).toContain('HTTP/1.1 403');
    // Programs send no origin, and pages under an address cannot be rebound.
    expect(await rawRequest(url, path, { Host: 'office.example' })).toContain('HTTP/1.1 200');
    expect(await rawRequest(url, path, { Host: '10.0.0.1', Origin: 'http://10.0.0.1' })).toContain('HTTP/1.1 200');
  });
});

test('an admission that fails with an unknown error is refused, and others are admitted', async () => {
  const authenticate = vi.fn(apiKeys(KEY)).mockImplementationOnce(() => {
    throw Object.assign(new Error('database away'), { toString: null });
  });
  await using fragile = await SmcpServer.listen({ port: 0, authenticate });
  const auth = { 'x-api-key': KEY };
  await expect(RawPeer.connect(fragile.url, { auth })).rejects.toThrow('could not check your credentials');
  await using peer = await RawPeer.connect(fragile.url, { auth });
  expect(peer.socket.connected).toBe(true);
});

/** The answer to a request whose target and headers are sent as they are. */
function rawRequest(url: string, target: string, headers: Record<string, string> = {}): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const lines = Object.entries({ Host: host, Connection: 'close', ...headers }).map(pair => pair.join(': '));
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('utf8').on('data', text => {
      answer += text;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
    socket.write([`GET ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  });
}
