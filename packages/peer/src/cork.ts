import type { Socket } from 'socket.io-client';

export type Engine = Socket['io']['engine'];

/** The part of a WebSocket that is the same everywhere, but for the options, which the package `ws` alone has. */
export interface WebSocketLike {
  readyState: number;
  onmessage: ((event: { data: unknown }) => void) | null;
  send(message: string | Uint8Array, options?: { binary: boolean }): void;
}

/** The part of a TCP connection in Node that merges writes. */
interface Connection {
  cork(): void;
  uncork(): void;
}

/** The parts of Node that a browser has not. */
interface Node {
  setImmediate?: (task: () => void) => void;
  Buffer?: { from(text: string): Uint8Array };
}

/**
 * Has all that a peer sends in one turn of Node's event loop leave with one system call, which is what costs a busy
 * peer most. Engine.IO has no way to ask for it, so this looks for the TCP connection below its WebSocket; where there is
 * none, as in a browser, everything is sent as before.
 *
 * @returns how to send text past Engine.IO
 */
export function corkWrites(engine: Engine): (webSocket: WebSocketLike, text: string) => void {
  const { setImmediate, Buffer } = globalThis as Node;
  if (!setImmediate || !Buffer) return (webSocket, text) => webSocket.send(text);
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
  return (webSocket, text) => {
    cork();
    // `ws` writes bytes as one piece but text as two, which costs more.
    if (corked) webSocket.send(Buffer.from(text), { binary: false });
    else webSocket.send(text);
  };
}

function connectionOf({ transport }: Engine): Connection | undefined {
  const { ws } = transport as { ws?: { _socket?: Connection } };
  return ws?._socket;
}
