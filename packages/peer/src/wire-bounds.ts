import { parseMessage } from '@a2c-smcp/core';
import { ErrorCode, SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import type { PeerSocket } from './peer-socket.ts';

/** The event that a refused request becomes, so that Socket.IO acknowledges it. */
const REFUSED = 'peer:refused';

/** The acknowledgement in the place of one that was refused, so that its call fails at once. */
export function refusedAnswer({ message }: SmcpError): unknown[] {
  return [toErrorPayload(new SmcpError(ErrorCode.Internal, `The answer was refused: ${message}`))];
}

/** The part of Socket.IO's parser that is replaced. Its types hide it. */
interface Decoder {
  add(packet: unknown): void;
  tryParse(json: string): unknown;
}

/**
 * Has Socket.IO refuse what `parseMessage` refuses: a request is answered with the error, an answer becomes one, and
 * anything else is dropped. By itself Socket.IO closes the connection for a message that its parser refuses.
 */
export function boundDecoder(socket: PeerSocket): void {
  const { decoder } = socket.io as unknown as { decoder: Decoder };
  const add = decoder.add.bind(decoder);
  let refusal: SmcpError | undefined;
  decoder.tryParse = json => {
    try {
      return parseMessage(json);
    } catch (error) {
      refusal = error instanceof SmcpError ? error : undefined;
      return false;
    }
  };
  decoder.add = packet => {
    try {
      add(packet);
    } catch (error) {
      if (!refusal) throw error;
      const substitute = substituteFor(String(packet), refusal);
      refusal = undefined;
      if (substitute !== undefined) add(substitute);
    }
  };
  const raw = socket as { on(event: string, listener: (payload: unknown, ack: unknown) => void): unknown };
  raw.on(REFUSED, (payload, ack) => typeof ack === 'function' && ack(payload));
}

/** Requests and answers have an id. Undefined when the message is to be dropped. */
function substituteFor(packet: string, refusal: SmcpError): string | undefined {
  const [head, type] = /^([23])\/smcp,\d+/.exec(packet) ?? [];
  if (head === undefined) return undefined;
  const args = type === '2' ? [REFUSED, toErrorPayload(refusal)] : refusedAnswer(refusal);
  return head + JSON.stringify(args);
}
