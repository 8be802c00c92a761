import type { ServerResponse } from 'node:http';
import type { Socket as Connection } from 'engine.io';

/** The parts of Engine.IO's polling transport that its types hide. */
interface PollingTransport {
  maxHttpBufferSize: number;
  /** Milliseconds that a client has to fetch the last messages when the connection is closed. */
  closeTimeout: number;
  /** The answer to the current poll. */
  res?: ServerResponse | null;
  /** Decodes the body of a request, packets joined by U+001E. */
  onData(body: string): void;
}

export interface PollingBounds {
  /** Bytes of one HTTP request. */
  maxBytes: number;
  /** Packets in one HTTP request. */
  maxPackets: number;
}

/** Also the time that answers have to leave after their connection has ended. Engine.IO would wait for 30 s. */
const CLOSE_TIMEOUT_MS = 1000;

/** Bounds what a client without a WebSocket may send in one HTTP request. */
export function boundPolling(connection: Connection, bounds: PollingBounds, onExceeded: () => void): void {
  const transport = pollingOf(connection);
  const { onData } = Object.getPrototypeOf(transport) as PollingTransport;
  transport.maxHttpBufferSize = bounds.maxBytes;
  transport.closeTimeout = CLOSE_TIMEOUT_MS;
  transport.onData = body => {
    if (hasMorePackets(body, bounds.maxPackets)) onExceeded();
    else onData.call(transport, body);
  };
}

/**
 * Calls back with the bytes that wait for a client, whenever they change: for its next poll, and in answers to polls that
 * it does not read. It may poll again over another TCP connection meanwhile.
 */
export function followPolling(connection: Connection, onWaiting: (bytes: number) => void): void {
  let waiting = 0;
  const unread = new Map<ServerResponse, number>();
  const report = () => onWaiting([...unread.values()].reduce((sum, bytes) => sum + bytes, waiting));
  connection.on('packetCreate', (packet: { data?: string | { length: number } }) => {
    waiting += packet.data?.length ?? 0;
    report();
  });
  // All that waited becomes the answer to the current poll.
  connection.on('flush', () => {
    const { res: response } = pollingOf(connection);
    if (response && waiting > 0) {
      unread.set(response, waiting);
      response.once('close', () => {
        unread.delete(response);
        report();
      });
    }
    waiting = 0;
    report();
  });
  connection.once('close', () => {
    if (unread.size === 0) return;
    setTimeout(() => {
      for (const response of unread.keys()) response.destroy();
    }, CLOSE_TIMEOUT_MS).unref();
  });
}

function pollingOf({ transport }: Connection): PollingTransport {
  return transport as unknown as PollingTransport;
}

function hasMorePackets(body: string, maxPackets: number): boolean {
  let packets = 1;
  for (let at = body.indexOf('\x1e'); at !== -1 && packets <= maxPackets; at = body.indexOf('\x1e', at + 1)) packets++;
  return packets > maxPackets;
}
