import { SMCP_NAMESPACE } from '@a2c-smcp/protocol';

/** The head of a Socket.IO packet with arguments: an event, or the answer to one, which Socket.IO calls acknowledgement. */
export interface FrameHead {
  type: 'event' | 'answer';
  /** Ties an answer to its event. An event without one is not answered. */
  id: number | undefined;
  /** Where the arguments begin: a JSON array to the end of the packet. */
  start: number;
}

/** A packet as text, or as the bytes of its UTF-8. */
export type Packet = string | Uint8Array;

const NAMESPACE = `${SMCP_NAMESPACE},`;
const [EVENT, ANSWER, ZERO, NINE, BRACKET] = [...'2309['].map(character => character.charCodeAt(0)) as Codes;
type Codes = [event: number, answer: number, zero: number, nine: number, bracket: number];
const MAX_ID_DIGITS = 15;

/**
 * Reads the head of a packet of the namespace `/smcp` from `offset` on; undefined for packets of other kinds. Character by
 * character, because every message passes here: a regular expression takes several times as long.
 */
export function readHead(packet: Packet, offset = 0): FrameHead | undefined {
  const type = codeAt(packet, offset);
  if (type !== EVENT && type !== ANSWER) return undefined;
  let start = offset + 1;
  for (let index = 0; index < NAMESPACE.length; index++, start++) {
    if (codeAt(packet, start) !== NAMESPACE.charCodeAt(index)) return undefined;
  }
  const firstDigit = start;
  let id = 0;
  let code = codeAt(packet, start);
  while (code >= ZERO && code <= NINE) {
    id = id * 10 + code - ZERO;
    start += 1;
    code = codeAt(packet, start);
  }
  if (code !== BRACKET || start - firstDigit > MAX_ID_DIGITS) return undefined;
  return { type: type === EVENT ? 'event' : 'answer', id: start === firstDigit ? undefined : id, start };
}

/** The head of a packet, to be followed by its arguments as a JSON array. */
export function writeHead(type: 'event' | 'answer', id?: number): string {
  return `${type === 'event' ? 2 : 3}${NAMESPACE}${id ?? ''}`;
}

/** NaN beyond the end. */
function codeAt(packet: Packet, index: number): number {
  return typeof packet === 'string' ? packet.charCodeAt(index) : (packet[index] ?? Number.NaN);
}
