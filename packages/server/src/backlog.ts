import type { Socket as Connection } from 'engine.io';
import { webSocketOf } from './wire/web-socket.ts';

/**
 * Watches what waits to be written to a connection and ends it when that is more than `limit` bytes: a peer that does
 * not read must not fill the memory of all.
 */
export function watchBacklog(connection: Connection, limit: number, onOverflow: () => void): void {
  const check = (waiting: number): void => {
    if (waiting <= limit || connection.readyState !== 'open') return;
    onOverflow();
    terminate(connection);
  };
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
  });
  connection.once('upgrade', () => watchWebSocket(connection, check));
}

/** Closing politely would wait half a minute for a peer that does not read the farewell either. */
function terminate(connection: Connection): void {
  const webSocket = webSocketOf(connection);
  if (webSocket) webSocket.terminate();
  else connection.close(true);
}
