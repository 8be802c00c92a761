import { ErrorCode, SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import { Decoder, type Packet, PacketType } from 'socket.io-parser';

/** The event that takes the place of one that was too long. Its argument is the error. */
export const TOO_LARGE = 'server:too_large';

/** What Socket.IO's option `parser` takes. */
export interface Parser {
  Encoder: new () => { encode(packet: Packet): [string] };
  Decoder: new () => Decoder;
}

export interface ParserOptions {
  /** The longest message that is parsed. */
  messageBytes: number;
  onOversized: () => void;
}

/**
 * Socket.IO's default wire format with two differences: a message that is too long costs its sender an error instead of
 * its connection, and nothing is searched for binary data, which the protocol does not have. Peers notice nothing.
 */
export function createParser({ messageBytes, onOversized }: ParserOptions): Parser {
  class WireEncoder {
    encode(packet: Packet): [string] {
      return [encodePacket(packet)];
    }
  }

  class WireDecoder extends Decoder {
    override add(chunk: unknown): void {
      // Throwing closes the connection of whoever sent it.
      if (typeof chunk !== 'string') throw new Error('Binary messages are not part of the protocol');
      if (fits(chunk, messageBytes)) {
        super.add(chunk);
        return;
      }
      onOversized();
      this.emitReserved('decoded', stripBody(chunk, messageBytes));
    }
  }

  return { Encoder: WireEncoder, Decoder: WireDecoder };
}

function encodePacket({ type, nsp, id, data }: Packet): string {
  const namespace = nsp === '/' ? '' : `${nsp},`;
  return `${type}${namespace}${id ?? ''}${data === undefined ? '' : JSON.stringify(data)}`;
}

/** A character is at most three bytes of UTF-8, so most messages need not be measured. */
function fits(chunk: string, limit: number): boolean {
  return chunk.length * 3 <= limit || (chunk.length <= limit && Buffer.byteLength(chunk) <= limit);
}

/** What is delivered instead of an oversized event or acknowledgement: its head, and the error as its body. */
function stripBody(chunk: string, limit: number): Packet {
  const [, type, nsp = '/', id] = /^([23])(?:(\/[^,[]{0,100}),)?(\d{1,15})?\[/.exec(chunk.slice(0, 200)) ?? [];
  if (type === undefined) throw new Error('The message is too long');
  const size = Buffer.byteLength(chunk);
  const message = `The message has ${size} bytes; the limit is ${limit}`;
  const error = toErrorPayload(new SmcpError(ErrorCode.TooLarge, message, { details: { size, limit } }));
  const head = { nsp, ...(id === undefined ? {} : { id: Number(id) }) };
  return Number(type) === PacketType.EVENT
    ? { ...head, type: PacketType.EVENT, data: [TOO_LARGE, error] }
    : { ...head, type: PacketType.ACK, data: [error] };
}
