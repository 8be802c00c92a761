import type { PeerSocket } from '../sockets.ts';
import type { Verbatim } from './verbatim.ts';

/** The parts of a Socket.IO socket that its types hide. */
interface Internals {
  nsp: { _ids: number };
  acks: Map<number, unknown>;
  emit(event: string, request: Verbatim, answer: (...answer: unknown[]) => void): unknown;
}

/**
 * Sends a request through Socket.IO, for a peer without a WebSocket. Returns a function that forgets it: Socket.IO would
 * keep the callback of a call that is never answered for as long as the connection lives.
 */
export function askThroughSocketIo(
  socket: PeerSocket,
  event: string,
  request: Verbatim,
  answer: (...answer: unknown[]) => void,
): () => void {
  const { nsp, acks } = socket as unknown as Internals;
  const id = nsp._ids;
  (socket as unknown as Internals).emit(event, request, answer);
  return () => acks.delete(id);
}
