import { parseMessage } from '@a2c-smcp/core';
import { SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import { Decoder, type Packet, PacketType } from 'socket.io-parser';
import { tooLarge } from '../limits.ts';
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

/** The event that takes the place of one that exceeds a limit. Its argument is the error. */
export const UNREADABLE = 'server:unreadable';

const CONNECT = String(PacketType.CONNECT);
/** A packet for which Socket.IO closes the connection. */
const OUT_OF_PLACE: Packet = { type: PacketType.CONNECT_ERROR, nsp: '/' };

/**
 * Socket.IO's default wire format with three differences, none of which peers notice. A message that is too long, too deep
 * or has too many arguments costs its sender an error instead of its connection. Nothing is searched for binary data,
 * which the protocol does not have. And what came through the fast lane is sent on as it came.
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
        this.emitReserved('decoded', withoutBody(chunk, tooLarge(Buffer.byteLength(chunk), messageBytes)));
        return;
      }
      if (chunk[0] === CONNECT) process.nextTick(() => this.#connect(chunk));
      else this.#decode(chunk);
    }

    #decode(chunk: string): void {
      try {
        super.add(chunk);
      } catch (error) {
        if (!(error instanceof SmcpError)) throw error;
        this.emitReserved('decoded', withoutBody(chunk, error));
      }
    }

    /** In a tick of its own, as Socket.IO handles a DISCONNECT: both may arrive in one chunk. */
    #connect(chunk: string): void {
      try {
        super.add(chunk);
      } catch {
        this.emitReserved('decoded', OUT_OF_PLACE);
      }
    }
  }
  // Private for its types, but `add` calls it as a method.
  Object.assign(WireDecoder.prototype, { tryParse });

  return { Encoder: WireEncoder, Decoder: WireDecoder };
}

/** The JSON of a packet. False: it is none. */
function tryParse(json: string): unknown {
  try {
    return parseMessage(json);
  } catch (error) {
    if (error instanceof SmcpError) throw error;
    return false;
  }
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

/** What is delivered instead of an unreadable event or acknowledgement: its head, and the error as its body. */
function withoutBody(chunk: string, error: SmcpError): Packet {
  const [, type, nsp = '/', id] = /^([23])(?:(\/[^,[]{0,100}),)?(\d{1,15})?\[/.exec(chunk.slice(0, 200)) ?? [];
  if (type === undefined) throw new Error(error.message);
  const head = { nsp, ...(id === undefined ? {} : { id: Number(id) }) };
  return Number(type) === PacketType.EVENT
    ? { ...head, type: PacketType.EVENT, data: [UNREADABLE, toErrorPayload(error)] }
    : { ...head, type: PacketType.ACK, data: [toErrorPayload(error)] };
}
