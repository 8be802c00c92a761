import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from '@a2c-smcp/agent';
import { describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';

const sound = { sid: 'x', upgrades: [], pingInterval: 25_000, pingTimeout: 20_000 };

/** A Server that answers every handshake, by WebSocket and by polling, with this packet, and sends another one later. */
async function openEvilServer(packet: string, later?: string) {
  const http = createServer((_, response) => response.end(packet));
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', socket => {
    socket.send(packet);
    if (later !== undefined) setTimeout(() => socket.send(later), 50);
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      sockets.close();
      for (const socket of sockets.clients) socket.terminate();
      http.close();
      http.closeAllConnections();
    },
  };
}

describe.each(['websocket', 'polling'] as const)('a malicious Server by %s', transport => {
  const connect = (url: string) =>
    Agent.connect(url, { name: 'a', office: 'o', transports: [transport], connectTimeout: 2000 });

  test.each([
    ['broken JSON', '0{'],
    ['nothing', '0'],
    ['null', '0null'],
    ['no upgrades', '0{"sid":"x"}'],
    ['an odd sid', `0${JSON.stringify({ ...sound, sid: { toString: 1 } })}`],
    ['endless upgrades', `0${JSON.stringify({ ...sound, upgrades: { length: 1e9 } })}`],
    ['many upgrades', `0${JSON.stringify({ ...sound, upgrades: Array(100_000).fill('websocket') })}`],
    ['a ping interval that is text', `0${JSON.stringify({ ...sound, pingInterval: 'x' })}`],
    ['deep JSON', `0${'['.repeat(50_000)}`],
  ])('whose handshake has %s fails the connection, and nothing else', async (_, packet) => {
    using server = await openEvilServer(packet);
    await expect(connect(server.url)).rejects.toMatchObject({ name: 'SmcpError' });
  });

  test('whose second handshake is broken is ignored', async () => {
    using server = await openEvilServer(`0${JSON.stringify(sound)}`, '0{');
    await expect(connect(server.url)).rejects.toMatchObject({ name: 'SmcpError' });
  });
});

test('a refusal without end is read in part', async () => {
  const http = createServer((_, response) => {
    response.writeHead(400);
    const write = () => {
      while (response.write('x'.repeat(64 * 1024)));
      response.once('drain', write);
    };
    write();
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const agent = Agent.connect(url, { name: 'a', office: 'o', transports: ['websocket'], connectTimeout: 3000 });
  await expect(agent).rejects.toMatchObject({ name: 'SmcpError' });
  http.close();
  http.closeAllConnections();
});
