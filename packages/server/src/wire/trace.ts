import { frameText, packetText, type Trace } from '@a2c-smcp/core';
import type { Socket as Connection } from 'engine.io';
import { webSocketOf } from './engine-io.ts';

/** Has every frame of a connection traced, on both paths and transports. */
export function traceConnection(connection: Connection, trace: Trace): void {
  const { id } = connection as unknown as { id: string };
  const report = (direction: 'in' | 'out', transport: string, text: string) =>
    trace({ at: 'server', direction, transport, connection: id, text });
  const follow = () => {
    const webSocket = webSocketOf(connection);
    // Below Engine.IO, which does not see the frames of the fast path.
    if (webSocket) webSocket.trace = (direction, text) => report(direction, 'websocket', frameText(text));
  };
  const onPacket = (direction: 'in' | 'out') => (packet: { type: string; data?: unknown }) => {
    if (!webSocketOf(connection)) report(direction, 'polling', packetText(packet));
  };
  follow();
  connection.on('upgrade', follow).on('packet', onPacket('in')).on('packetCreate', onPacket('out'));
}
