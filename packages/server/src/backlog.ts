import type { Socket as Connection } from 'engine.io';
import { cutConnection } from './wire/end-connection.ts';
import { webSocketOf } from './wire/web-socket.ts';

/** Milliseconds in which a peer must have read so much that it is below the limit again. */
const READ_TIMEOUT_MS = 1000;
/** How many times the limit may wait within that time. */
const MAX_OVERSHOOT = 2;

/**
 * Watches what waits to be written to a connection and ends it when that stays above `limit` bytes: a peer that does
 * not read must not fill the memory of all. One that reads gets the time to do so.
 */
export function watchBacklog(connection: Connection, limit: number, onOverflow: () => void): void {
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    if (connection.readyState !== 'open') return;
    onOverflow();
    cutConnection(connection);
  };
  const check = (bytes: number): void => {
    waiting = bytes;
    if (bytes <= limit) return;
    if (bytes > limit * MAX_OVERSHOOT) end();
    else timer ??= setTimeout(judge, READ_TIMEOUT_MS).unref();
  };
  const judge = () => {
    timer = undefined;
    if ((webSocketOf(connection)?.backlog ?? waiting) > limit) end();
  };
  connection.once('close', () => clearTimeout(timer));
  watchWebSocket(connection, check);
  if (!webSocketOf(connection)) watchPolling(connection, check);
}

function watchWebSocket(connection: Connection, check: (waiting: number) => void): void {
  const webSocket = webSocketOf(connection);
  if (webSocket) webSocket.onBacklog = check;
}

function watchPolling(connection: Connection, check: (waiting: number) => void): void {
  let waiting = 0;
  connection.on('packetCreate', (packet: { data?: string | { length: number } }) => {
    waiting += packet.data?.length ?? 0;
    check(waiting);
  });
  // All that waited goes out with the next poll.
  connection.on('flush', () => {
    waiting = 0;
    check(waiting);
  });
  connection.once('upgrade', () => watchWebSocket(connection, check));
}
