import { SMCP_NAMESPACE } from '@a2c-smcp/protocol';

/** The head of a Socket.IO packet with arguments: an event, or the answer to one, which Socket.IO calls acknowledgement. */
export interface FrameHead {
  type: 'event' | 'answer';
  /** Ties an answer to its event. An event without one is not answered. */
  id: number | undefined;
  /** Where the arguments begin: a JSON array to the end of the packet. */
  start: number;
}

/** No head is longer, in characters. */
export const MAX_HEAD_LENGTH = 32;

const TYPES = { 2: 'event', 3: 'answer' } as const;
const HEAD = new RegExp(String.raw`^([23])${SMCP_NAMESPACE},(\d{0,15})(?=\[)`);

/** Reads the head of a packet of the namespace `/smcp`, or of its start; undefined for packets of other kinds. */
export function readHead(packet: string): FrameHead | undefined {
  const [head, type, id = ''] = HEAD.exec(packet) ?? [];
  if (head === undefined) return undefined;
  return { type: TYPES[type as '2' | '3'], id: id === '' ? undefined : Number(id), start: head.length };
}

/** The head of a packet, to be followed by its arguments as a JSON array. */
export function writeHead(type: 'event' | 'answer', id?: number): string {
  return `${type === 'event' ? 2 : 3}${SMCP_NAMESPACE},${id ?? ''}`;
}
