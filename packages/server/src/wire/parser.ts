import { ErrorCode, SMCP_NAMESPACE, SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
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
  /** Whether what is only forwarded stays the text it arrived in. False is slower and does the same. */
  verbatim: boolean;
  onOversized: () => void;
}

/** The event that takes the place of one that was too long. Its argument is the error. */
export const TOO_LARGE = 'server:too_large';

/** A `client:*` event, or any acknowledgement: the Server itself asks nobody for one. */
const RELAYED = /^(?:2\/smcp,(\d{0,15})(?=\["client:)|3\/smcp,(\d{1,15})(?=\[))/;

/**
 * Socket.IO's default wire format with three differences. A message that is too long costs its sender an error instead
 * of its connection. Nothing is searched for binary data, which the protocol does not have. And what the Server only
 * forwards is parsed once, to see that it is valid and where it goes, and then sent on as the text it came in. Peers
 * notice none of it.
 */
export function createParser({ messageBytes, verbatim, onOversized }: ParserOptions): Parser {
  class WireEncoder {
    encode(packet: Packet): [string] {
      return [encodePacket(packet)];
    }
  }

  class WireDecoder extends Decoder {
    override add(chunk: unknown): void {
      // Throwing closes the connection of whoever sent it.
      if (typeof chunk !== 'string') throw new Error('Binary messages are not part of the protocol');
      const relayed = verbatim ? RELAYED.exec(chunk) : null;
      if (!fits(chunk, messageBytes)) {
        onOversized();
        this.emitReserved('decoded', withoutBody(chunk, messageBytes));
      } else if (relayed) {
        this.emitReserved('decoded', decodeRelayed(chunk, relayed));
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
  return last instanceof Verbatim ? last.text : JSON.stringify(data);
}

function decodeRelayed(chunk: string, [head, eventId, ackId]: RegExpExecArray): Packet {
  const text = chunk.slice(head.length);
  const args: unknown[] = JSON.parse(text);
  if (ackId !== undefined) {
    return { type: PacketType.ACK, nsp: SMCP_NAMESPACE, id: Number(ackId), data: [new Verbatim(text)] };
  }
  const [event, body] = args;
  // A request is an event with one argument. Whatever else there is would be forwarded with it.
  const data = args.length === 2 ? [event, new Verbatim(text, body)] : args;
  const packet: Packet = { type: PacketType.EVENT, nsp: SMCP_NAMESPACE, data };
  return eventId === '' ? packet : { ...packet, id: Number(eventId) };
}

/** A character is at most three bytes of UTF-8, so most messages need not be measured. */
function fits(chunk: string, limit: number): boolean {
  return chunk.length * 3 <= limit || (chunk.length <= limit && Buffer.byteLength(chunk) <= limit);
}

/** What is delivered instead of an oversized event or acknowledgement: its head, and the error as its body. */
function withoutBody(chunk: string, limit: number): Packet {
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
