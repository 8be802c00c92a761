import type { Socket } from 'socket.io-client';

type Engine = Socket['io']['engine'];

/** The part of a TCP connection in Node that merges writes. */
interface Connection {
  cork(): void;
  uncork(): void;
}

/**
 * Has what a busy peer sends in one turn of Node's event loop leave with two system calls, which are what costs it most:
 * the first message at once, for whoever waits for it, and all others together. Engine.IO has no way to ask for it, so
 * this looks for the TCP connection below its WebSocket; where there is none, as in a browser, everything is sent as
 * before.
 */
export function corkWrites(engine: Engine): void {
  const { setImmediate } = globalThis as { setImmediate?: (task: () => void) => void };
  if (!setImmediate) return;
  let packets = 0;
  let corked: Connection | undefined;
  const endTurn = () => {
    corked?.uncork();
    corked = undefined;
    packets = 0;
  };
  engine.on('packetCreate', () => {
    packets += 1;
    if (packets === 1) setImmediate(endTurn);
    if (packets !== 2) return;
    corked = connectionOf(engine);
    corked?.cork();
  });
  // The process may end next.
  engine.on('close', endTurn);
}

function connectionOf({ transport }: Engine): Connection | undefined {
  const { ws } = transport as { ws?: { _socket?: Connection } };
  return ws?._socket;
}
