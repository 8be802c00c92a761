import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { expect, onTestFinished, test } from 'vitest';
import { RawPeer } from './raw-peer.ts';

/** A Socket.IO server whose namespace never answers. */
async function listen(onConnection: (server: Server) => void): Promise<string> {
  const http = createServer();
  const server = new Server(http);
  server.of('/smcp').use(() => {});
  server.engine.on('connection', () => onConnection(server));
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

test('a peer whose connection ends before it is admitted is rejected at once', async () => {
  const url = await listen(server => setTimeout(() => server.engine.close(), 50));
  await expect(RawPeer.connect(url)).rejects.toThrow(
    `The connection to '${url}' ended before the Server admitted it: transport close`,
  );
});

test('a peer that the Server refuses is rejected with its reason', async () => {
  await expect(RawPeer.connect('http://127.0.0.1:1')).rejects.toThrow('websocket error');
});
