import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Caller } from '@a2c-smcp/core';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { Server, type Socket } from 'socket.io';
import { type Socket as ClientSocket, io } from 'socket.io-client';

/** Two ends of one real Socket.IO connection. */
export interface SocketPair extends AsyncDisposable {
  server: Socket;
  client: ClientSocket;
}

/** Opens a bare Socket.IO connection on a free port, with nothing of ours on it. */
export async function openSocketPair(): Promise<SocketPair> {
  const http = createServer();
  const sockets = new Server(http, { serveClient: false });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const connected = new Promise<Socket>(resolve => sockets.of('/smcp').once('connection', resolve));
  const client = io(`http://127.0.0.1:${port}/smcp`, { transports: ['websocket'], forceNew: true });
  const server = await connected;
  return {
    server,
    client,
    async [Symbol.asyncDispose]() {
      client.disconnect();
      await sockets.close();
    },
  };
}

/** Sends requests through a Socket.IO socket of either side. */
export function callerOver(socket: Pick<ClientSocket, 'timeout'> | Pick<Socket, 'timeout'>): Caller {
  return {
    request: (event, body, { timeout }) =>
      new Promise((resolve, reject) => {
        const { emit } = socket.timeout(timeout) as { emit(event: string, ...args: unknown[]): unknown };
        emit.call(socket.timeout(timeout), event, body, (error: Error | null, ...answer: unknown[]) => {
          if (error) reject(new SmcpError(ErrorCode.Timeout, error.message, { details: { reason: 'timeout' } }));
          else resolve(answer);
        });
      }),
  };
}
