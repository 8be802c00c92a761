import { parseJson, readHead } from '@a2c-smcp/core';
import { Decoder, type Packet, PacketType } from 'socket.io-parser';

/** The type of Socket.IO's option `parser`. */
export interface Parser {
  Encoder: new () => { encode(packet: Packet): [string] };
  Decoder: new () => Decoder;
}

const CONNECT = String(PacketType.CONNECT);
const DISCONNECT = String(PacketType.DISCONNECT);
/** A packet for which Socket.IO closes the connection. */
const OUT_OF_PLACE: Packet = { type: PacketType.CONNECT_ERROR, nsp: '/' };

/**
 * Socket.IO's default wire format without events and answers, which a `Channel` reads, and without a search for binary
 * data, which the protocol does not have.
 */
export const parser: Parser = {
  Encoder: class {
    encode(packet: Packet): [string] {
      return [encodePacket(packet)];
    }
  },

  Decoder: class extends Decoder {
    override add(chunk: unknown): void {
      // Throwing closes the connection.
      if (typeof chunk !== 'string') throw new Error('Binary messages are not part of the protocol');
      if (readHead(chunk)) return;
      if (chunk[0] === CONNECT) process.nextTick(() => this.#connect(chunk));
      // Socket.IO would read an event in a form that the channel does not know, and deliver it unbounded.
      else if (chunk[0] === DISCONNECT) super.add(chunk);
      else throw new Error('Neither an event nor an answer of the protocol');
    }

    /** In a tick of its own, as Socket.IO handles a DISCONNECT: both may arrive in one chunk. */
    #connect(chunk: string): void {
      try {
        const brace = chunk.indexOf('{');
        // Refuses JSON that is nested too deeply to be walked.
        if (brace !== -1) parseJson(chunk.slice(brace));
        super.add(chunk);
      } catch {
        this.emitReserved('decoded', OUT_OF_PLACE);
      }
    }
  },
};

function encodePacket({ type, nsp, id, data }: Packet): string {
  const namespace = nsp === '/' ? '' : `${nsp},`;
  return `${type}${namespace}${id ?? ''}${data === undefined ? '' : JSON.stringify(data)}`;
}
