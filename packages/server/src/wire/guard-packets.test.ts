import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import { expect, test } from 'vitest';
import { guardPackets } from './guard-packets.ts';

test('a packet whose handling throws is reported, and the next one is handled', async () => {
  const server = new Server(0, { serveClient: false });
  const failed: unknown[] = [];
  const received: string[] = [];
  const guard = guardPackets<object>((_, error) => failed.push(error));
  server.on('connection', socket => {
    guard(socket);
    socket.onAny((event: string) => {
      received.push(event);
      if (event === 'broken') throw new Error('broken');
    });
  });
  const { port } = server.httpServer.address() as { port: number };
  const client = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], forceNew: true });
  client.emit('broken');
  client.emit('sound');
  await expect.poll(() => received).toEqual(['broken', 'sound']);
  expect(failed).toEqual([new Error('broken')]);
  client.disconnect();
  await server.close();
});
