/** The part of a Socket.IO socket that its types hide. */
interface Internals {
  _onpacket(packet: unknown): void;
}

/**
 * Returns a function that has a socket survive its packets. Socket.IO handles each in a tick of its own, where whatever
 * is thrown would end the process.
 */
export function guardPackets<S extends object>(onFailed: (socket: S, error: unknown) => void): (socket: S) => void {
  // Shared, so that idle connections do not each have one.
  function onPacket(this: S, packet: unknown): void {
    try {
      (Object.getPrototypeOf(this) as Internals)._onpacket.call(this, packet);
    } catch (error) {
      onFailed(this, error);
    }
  }
  return socket => void Object.assign(socket, { _onpacket: onPacket });
}
