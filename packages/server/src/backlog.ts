import type { Socket as Connection } from 'engine.io';

/**
 * Watches what waits to be written to a connection and ends it when that is more than `limit` bytes: a peer that does
 * not read must not fill the memory of all.
 */
export function watchBacklog(connection: Connection, limit: number, onOverflow: () => void): void {
  let waiting = 0;
  connection.on('packetCreate', (packet: { data?: string | { length: number } }) => {
    waiting += packet.data?.length ?? 0;
    if (waiting <= limit || connection.readyState !== 'open') return;
    onOverflow();
    terminate(connection);
  });
  // All that waited is handed to the transport, which asks for more only when it is written.
  connection.on('flush', () => {
    waiting = 0;
  });
}

/** Closing politely would wait half a minute for a peer that does not read the farewell either. */
function terminate(connection: Connection): void {
  const { socket } = connection.transport as unknown as { socket?: { terminate?(): void } };
  if (socket?.terminate) socket.terminate();
  else connection.close(true);
}
