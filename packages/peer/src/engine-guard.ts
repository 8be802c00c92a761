import { parseJson } from '@a2c-smcp/core';
import type { PeerSocket } from './peer-socket.ts';

type Engine = PeerSocket['io']['engine'];

interface EnginePacket {
  type: string;
  data?: unknown;
}

/** The parts of an Engine.IO transport that its types hide. */
interface GuardedTransport {
  onPacket(packet: EnginePacket): void;
  onError(reason: string): unknown;
}

const MAX_UPGRADES = 10;
const MAX_SID_LENGTH = 256;

/**
 * Has a connection survive what a Server may send at the level of Engine.IO, which reads a handshake unchecked: a broken
 * one would end the process. It fails the connection instead. Must be called before anything can arrive.
 */
export function guardEngine(engine: Engine): void {
  let isOpen = false;
  const guard = (transport: GuardedTransport) => {
    const { onPacket } = Object.getPrototypeOf(transport) as GuardedTransport;
    transport.onPacket = packet => {
      if (packet.type === 'open' && (isOpen || !isHandshake(packet.data))) {
        // A second handshake is ignored.
        if (!isOpen) transport.onError('The handshake of the Server is malformed');
        return;
      }
      isOpen ||= packet.type === 'open';
      try {
        onPacket.call(transport, packet);
      } catch {
        transport.onError('A message of the Server could not be handled');
      }
    };
  };
  guard(engine.transport as unknown as GuardedTransport);
  engine.on('upgrading', transport => guard(transport as unknown as GuardedTransport));
}

function isHandshake(data: unknown): boolean {
  const { sid, upgrades, pingInterval, pingTimeout, maxPayload } = Object(parsed(data)) as Record<string, unknown>;
  return (
    typeof sid === 'string' &&
    sid.length <= MAX_SID_LENGTH &&
    Array.isArray(upgrades) &&
    upgrades.length <= MAX_UPGRADES &&
    upgrades.every(upgrade => typeof upgrade === 'string') &&
    isPositive(pingInterval) &&
    isPositive(pingTimeout) &&
    (maxPayload === undefined || isPositive(maxPayload))
  );
}

function parsed(data: unknown): unknown {
  try {
    return parseJson(String(data));
  } catch {
    return undefined;
  }
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value < 2 ** 31;
}
