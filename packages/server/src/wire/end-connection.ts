import type { Socket as Connection } from 'engine.io';
import { webSocketOf } from './web-socket.ts';

/** Milliseconds a client has to take part in closing. */
const CLOSE_TIMEOUT_MS = 1000;

/** Closes a connection, and cuts it when its client does not take part: the WebSocket would wait for 30 s. */
export function endConnection(connection: Connection): void {
  connection.close();
  const timer = setTimeout(() => cutConnection(connection), CLOSE_TIMEOUT_MS).unref();
  connection.once('close', () => clearTimeout(timer));
}

/** Ends a connection without a farewell, which a peer that does not read would not take either. */
export function cutConnection(connection: Connection): void {
  const webSocket = webSocketOf(connection);
  if (webSocket) webSocket.terminate();
  else connection.close(true);
}
