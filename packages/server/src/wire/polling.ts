import type { Socket as Connection } from 'engine.io';

/** The parts of Engine.IO's polling transport that its types hide. */
interface PollingTransport {
  maxHttpBufferSize: number;
  /** Decodes the body of a request, packets joined by U+001E. */
  onData(body: string): void;
}

export interface PollingBounds {
  /** Bytes of one HTTP request. */
  maxBytes: number;
  /** Packets in one HTTP request. */
  maxPackets: number;
}

/** Bounds what a client without a WebSocket may send in one HTTP request. */
export function boundPolling(connection: Connection, bounds: PollingBounds, onExceeded: () => void): void {
  const transport = connection.transport as unknown as PollingTransport;
  const { onData } = Object.getPrototypeOf(transport) as PollingTransport;
  transport.maxHttpBufferSize = bounds.maxBytes;
  transport.onData = body => {
    if (hasMorePackets(body, bounds.maxPackets)) onExceeded();
    else onData.call(transport, body);
  };
}

/** Calls back with the bytes that wait for the next poll, whenever they change. */
export function followPolling(connection: Connection, onWaiting: (bytes: number) => void): void {
  let waiting = 0;
  connection.on('packetCreate', (packet: { data?: string | { length: number } }) => {
    waiting += packet.data?.length ?? 0;
    onWaiting(waiting);
  });
  // All that waited goes out with the next poll.
  connection.on('flush', () => {
    waiting = 0;
    onWaiting(waiting);
  });
}

function hasMorePackets(body: string, maxPackets: number): boolean {
  let packets = 1;
  for (let at = body.indexOf('\x1e'); at !== -1 && packets <= maxPackets; at = body.indexOf('\x1e', at + 1)) packets++;
  return packets > maxPackets;
}
