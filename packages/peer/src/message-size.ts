import { isTooDeep, MAX_NESTING_DEPTH, tooDeep } from '@a2c-smcp/core';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** The limit of a Server, in bytes, when its handshake has none. */
export const DEFAULT_MESSAGE_LIMIT = 16 * 1024 * 1024;

/** Bytes that surround a payload on the wire: packet type, namespace, id and event name. */
const ENVELOPE_BYTES = 128;

/** The bytes a payload takes on the wire, envelope included. */
export function messageSize(payload: unknown): number {
  return new TextEncoder().encode(JSON.stringify(payload) ?? '').length + ENVELOPE_BYTES;
}

/**
 * Whether a payload stays within `limit` bytes on the wire. Small payloads are not serialised to find out. Throws for
 * a payload that cannot be sent: 400 for a payload nested too deeply or within itself, a `TypeError` for other values.
 */
export function fitsMessage(payload: unknown, limit: number): boolean {
  // On the wire an array surrounds the payload.
  if (roomLeft(payload, limit - ENVELOPE_BYTES, MAX_NESTING_DEPTH - 1) >= 0) return true;
  if (isTooDeep(payload)) throw tooDeep();
  return messageSize(payload) <= limit;
}

/** Error 413 with the size and the limit, for a message that does not fit. */
export function tooLarge(what: string, payload: unknown, limit: number): SmcpError {
  const size = messageSize(payload);
  return new SmcpError(ErrorCode.TooLarge, `${what} is too large: ${size} bytes, and the Server takes ${limit}`, {
    details: { size, limit },
  });
}

/** `room` minus the longest JSON that `value` can become. Stops walking once that is negative. */
function roomLeft(value: unknown, room: number, levels: number): number {
  if (room < 0) return room;
  // A character takes six bytes when it is escaped, and two quotes and a comma surround the whole.
  if (typeof value === 'string') return room - 6 * value.length - 3;
  if (typeof value === 'bigint') throw new TypeError('A BigInt cannot be sent');
  if (typeof value !== 'object' || value === null) return room - 32;
  if (levels === 0) throw tooDeep();
  let left = room - 3;
  for (const key in value) {
    left = roomLeft((value as Record<string, unknown>)[key], left - 6 * key.length - 4, levels - 1);
    if (left < 0) break;
  }
  return left;
}
