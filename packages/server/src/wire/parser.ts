import { ErrorCode, type ErrorPayload, SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import { Decoder, type Packet, PacketType } from 'socket.io-parser';
import { Verbatim } from './verbatim.ts';

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

/** The event that takes the place of one that was too long. Its argument is the error. */
export const TOO_LARGE = 'server:too_large';

/**
 * Socket.IO's default wire format with three differences, none of which peers notice. A message that is too long costs
 * its sender an error instead of its connection. Nothing is searched for binary data, which the protocol does not have.
 * And what came through the fast lane is sent on as it came.
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
      if (!fits(chunk, messageBytes)) {
        onOversized();
        this.emitReserved('decoded', withoutBody(chunk, messageBytes));
      } else {
        super.add(chunk);
      }
    }
  }

  return { Encoder: WireEncoder, Decoder: WireDecoder };
}

function encodePacket({ type, nsp, id, data }: Packet): string {
  const namespace = nsp === '/' ? '' : `${nsp},`;
  return `${type}${namespace}${id ?? ''}${encodeData(data)}`;
}

function encodeData(data: unknown): string {
  if (data === undefined) return '';
  const last = Array.isArray(data) ? data.at(-1) : undefined;
  return last instanceof Verbatim ? String(last.json) : JSON.stringify(data);
}

/** A character is at most three bytes of UTF-8, so most messages need not be measured. */
function fits(chunk: string, limit: number): boolean {
  return chunk.length * 3 <= limit || (chunk.length <= limit && Buffer.byteLength(chunk) <= limit);
}

/** What is delivered instead of an oversized event or acknowledgement: its head, and the error as its body. */
function withoutBody(chunk: string, limit: number): Packet {
  const [, type, nsp = '/', id] = /^([23])(?:(\/[^,[]{0,100}),)?(\d{1,15})?\[/.exec(chunk.slice(0, 200)) ?? [];
  if (type === undefined) throw new Error('The message is too long');
  const error = tooLarge(Buffer.byteLength(chunk), limit);
  const head = { nsp, ...(id === undefined ? {} : { id: Number(id) }) };
  return Number(type) === PacketType.EVENT
    ? { ...head, type: PacketType.EVENT, data: [TOO_LARGE, error] }
    : { ...head, type: PacketType.ACK, data: [error] };
}

/** The answer to a message that is too long. */
export function tooLarge(size: number, limit: number): ErrorPayload {
  const message = `The message has ${size} bytes; the limit is ${limit}`;
  return toErrorPayload(new SmcpError(ErrorCode.TooLarge, message, { details: { size, limit } }));
}
