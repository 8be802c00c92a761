import { parseJson, readHead } from '@a2c-smcp/core';
import { SmcpError } from '@a2c-smcp/protocol';
import { Decoder, Encoder } from 'socket.io-parser';
import type { Channel } from './channel.ts';

/** What Socket.IO's option `parser` takes: its own wire format, but events and answers go to the channel. */
export function createParser(channel: Channel): { Encoder: typeof Encoder; Decoder: typeof Decoder } {
  class ChannelDecoder extends Decoder {
    /** Throwing closes the connection. */
    override add(packet: unknown): void {
      if (typeof packet !== 'string') throw new Error('Binary messages are not part of the protocol');
      const head = readHead(packet);
      if (head) {
        channel.receive(head, packet);
        return;
      }
      if (!isTooDeep(packet)) super.add(packet);
    }
  }
  return { Encoder, Decoder: ChannelDecoder };
}

/** Whether the packet holds JSON that cannot be walked. Broken JSON is left to Socket.IO. */
function isTooDeep(packet: string): boolean {
  const brace = packet.indexOf('{');
  if (brace === -1) return false;
  try {
    parseJson(packet.slice(brace));
    return false;
  } catch (error) {
    return error instanceof SmcpError;
  }
}
