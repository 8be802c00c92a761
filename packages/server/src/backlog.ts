import type { Socket as Connection } from 'engine.io';

/**
 * Watches what waits to be written to a connection and calls `overflow` when it is more than `limit` bytes: a peer that
 * does not read must not fill the memory of all.
 */
export function watchBacklog(connection: Connection, limit: number, overflow: (connection: Connection) => void): void {
  let waiting = 0;
  connection.on('packetCreate', (packet: { data?: string | { length: number } }) => {
    waiting += packet.data?.length ?? 0;
    if (waiting > limit) overflow(connection);
  });
  // All that waited is handed to the transport, which asks for more only when it is written.
  connection.on('flush', () => {
    waiting = 0;
  });
}
