import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** What a Server accepts, in bytes, when its handshake does not say. */
export const DEFAULT_MESSAGE_LIMIT = 16 * 1024 * 1024;

/** Room for what Socket.IO writes around a payload: packet type, namespace, id and event name. */
const ENVELOPE = 128;

/** The bytes a payload takes on the wire, envelope included. */
export function messageSize(payload: unknown): number {
  return new TextEncoder().encode(JSON.stringify(payload) ?? '').length + ENVELOPE;
}

/** Whether a payload stays within `limit` bytes on the wire. Small payloads are not serialised to find out. */
export function fitsMessage(payload: unknown, limit: number): boolean {
  return roomLeft(payload, limit - ENVELOPE) >= 0 || messageSize(payload) <= limit;
}

/** Error 413 with the size and the limit, for a message that does not fit. */
export function tooLarge(what: string, payload: unknown, limit: number): SmcpError {
  const size = messageSize(payload);
  return new SmcpError(ErrorCode.TooLarge, `${what} is too large: ${size} bytes, and the Server takes ${limit}`, {
    details: { size, limit },
  });
}

/** What is left of `room` after the longest JSON that `value` can become; stops looking once nothing is. */
function roomLeft(value: unknown, room: number): number {
  if (room < 0) return room;
  // A character takes six bytes when it is escaped, and two quotes and a comma surround the whole.
  if (typeof value === 'string') return room - 6 * value.length - 3;
  if (typeof value !== 'object' || value === null) return room - 32;
  let left = room - 3;
  for (const key in value) {
    left = roomLeft((value as Record<string, unknown>)[key], left - 6 * key.length - 4);
    if (left < 0) break;
  }
  return left;
}
