import type { Socket } from 'socket.io-client';

type Engine = Socket['io']['engine'];

/** The part of a TCP connection in Node that merges writes. */
interface Connection {
  cork(): void;
  uncork(): void;
}

/**
 * Has all that a peer sends in one turn of Node's event loop leave with one system call, which is what costs a busy
 * peer most. Engine.IO has no way to ask for it, so this looks for the TCP connection below its WebSocket; where there is
 * none, as in a browser, everything is sent as before.
 */
export function corkWrites(engine: Engine): void {
  const { setImmediate } = globalThis as { setImmediate?: (task: () => void) => void };
  if (!setImmediate) return;
  let corked: Connection | undefined;
  const uncork = () => {
    corked?.uncork();
    corked = undefined;
  };
  engine.on('packetCreate', () => {
    if (corked) return;
    corked = connectionOf(engine);
    corked?.cork();
    if (corked) setImmediate(uncork);
  });
  // The process may end next.
  engine.on('close', uncork);
}

function connectionOf({ transport }: Engine): Connection | undefined {
  const { ws } = transport as { ws?: { _socket?: Connection } };
  return ws?._socket;
}
