import { randomBytes } from 'node:crypto';
import { link, rename, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { pause } from '@a2c-smcp/core';

const MAX_ATTEMPTS = 10;
const PAUSE_MS = 50;

export type Claim = { server: Server } | { socket: Socket };

/** Listens at the path, or connects to the process that does. */
export async function claimPath(path: string, signal: AbortSignal): Promise<Claim> {
  for (let attempt = 0; ; attempt++) {
    const server = await listenAt(path);
    if (server) return { server };
    const socket = (await connectTo(path)) ?? (await removeStale(path));
    if (socket) return { socket };
    if (attempt === MAX_ATTEMPTS) throw new Error(`The socket '${path}' can neither be opened nor reached: remove it`);
    await pause(PAUSE_MS, signal);
  }
}

function listenAt(path: string): Promise<Server | undefined> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(path, () => resolve(server));
  });
}

/** Undefined if nobody listens at the path. */
export function connectTo(path: string): Promise<Socket | undefined> {
  const socket = connect(path);
  return new Promise(resolve => {
    socket.once('error', () => resolve(undefined));
    socket.once('connect', () => resolve(socket));
  });
}

/**
 * Removes the socket of a process that was killed. Another process may have replaced it since: moves it away, looks again,
 * and puts it back if it is in use.
 */
async function removeStale(path: string): Promise<Socket | undefined> {
  const moved = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await rename(path, moved);
  } catch {
    return undefined;
  }
  const socket = await connectTo(moved);
  if (socket) await link(moved, path).catch(() => {});
  await unlink(moved).catch(() => {});
  return socket;
}
