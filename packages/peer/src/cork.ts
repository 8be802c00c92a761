import type { Socket } from 'socket.io-client';

export type Engine = Socket['io']['engine'];

/** The part of a TCP connection in Node that merges writes. */
interface Connection {
  cork(): void;
  uncork(): void;
}

/**
 * Has all that a peer sends in one turn of Node's event loop leave with one system call, which is what costs a busy
 * peer most. Engine.IO has no way to ask for it, so this looks for the TCP connection below its WebSocket; where there is
 * none, as in a browser, everything is sent as before.
 *
 * @returns what to call before something is sent past Engine.IO
 */
export function corkWrites(engine: Engine): () => void {
  const { setImmediate } = globalThis as { setImmediate?: (task: () => void) => void };
  if (!setImmediate) return () => {};
  let corked: Connection | undefined;
  const uncork = () => {
    corked?.uncork();
    corked = undefined;
  };
  const cork = () => {
    if (corked) return;
    corked = connectionOf(engine);
    corked?.cork();
    if (corked) setImmediate(uncork);
  };
  engine.on('packetCreate', cork);
  // The process may end next.
  engine.on('close', uncork);
  return cork;
}

function connectionOf({ transport }: Engine): Connection | undefined {
  const { ws } = transport as { ws?: { _socket?: Connection } };
  return ws?._socket;
}
