import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import { expect, test } from 'vitest';
import { corkWrites } from './cork.ts';
import type { PeerSocket } from './peer-socket.ts';

/** Counts what leaves the TCP connection below a socket, write by write. */
function countWrites(socket: PeerSocket): () => number {
  const { transport } = socket.io.engine as unknown as {
    transport: { ws: { _socket: { _writev(...args: unknown[]): void; _write(...args: unknown[]): void } } };
  };
  const connection = transport.ws._socket;
  let writes = 0;
  for (const name of ['_write', '_writev'] as const) {
    const original = connection[name];
    connection[name] = function counted(...args) {
      writes += 1;
      original.apply(this, args);
    };
  }
  return () => writes;
}

test('what is sent in one turn of the event loop is written at once, and arrives in order', async () => {
  const server = new Server(0);
  const received: number[] = [];
  server.on('connection', socket => socket.on('number', (n, ack) => ack(received.push(n))));
  const { port } = server.httpServer.address() as AddressInfo;
  const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'] });
  await once(socket as unknown as NodeJS.EventEmitter, 'connect');
  corkWrites(socket.io.engine);
  const writes = countWrites(socket);
  const numbers = Array.from({ length: 50 }, (_, n) => n);
  await Promise.all(numbers.map(n => socket.emitWithAck('number', n)));
  expect(received).toEqual(numbers);
  expect(writes()).toBe(1);
  socket.disconnect();
  await server.close();
});
