import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** Levels of arrays and objects that JSON from outside may nest. Deeper values overflow the stack of recursive code. */
export const MAX_NESTING_DEPTH = 512;

/** Arguments of one message. */
export const MAX_ARGUMENTS = 100;

/** JSON with fewer characters than this cannot exceed the depth: each level takes an opening and a closing bracket. */
const SHORTEST_TOO_DEEP = 2 * (MAX_NESTING_DEPTH + 1);

/**
 * Parses JSON from a peer, an MCP server or a file. Throws a `SyntaxError`, or an `SmcpError` 400 when the value is
 * nested too deeply, so that everything behind it may walk the value recursively.
 */
export function parseJson(text: string): unknown {
  // V8 parses without recursion, so that only the result must be bounded.
  const value: unknown = JSON.parse(text);
  if (text.length >= SHORTEST_TOO_DEEP && isTooDeep(value)) throw tooDeep();
  return value;
}

/** Parses JSON as `parseJson` does; undefined when it throws. */
export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses the arguments of a Socket.IO message, as `parseJson` does. Throws 400 also when there are too many: they are
 * passed in one call, whose stack some hundred thousand would overflow.
 */
export function parseMessage(json: string): unknown {
  const value = parseJson(json);
  if (!Array.isArray(value) || value.length <= MAX_ARGUMENTS) return value;
  throw new SmcpError(ErrorCode.BadRequest, `The message has more than ${MAX_ARGUMENTS} arguments`, {
    details: { limit: MAX_ARGUMENTS },
  });
}

/** True if a value is nested deeper than `MAX_NESTING_DEPTH`. */
export function isTooDeep(value: unknown): boolean {
  return exceeds(value, MAX_NESTING_DEPTH);
}

/** Error 400 for a message that is nested too deeply. */
export function tooDeep(): SmcpError {
  return new SmcpError(ErrorCode.BadRequest, `The message is nested deeper than ${MAX_NESTING_DEPTH} levels`, {
    details: { limit: MAX_NESTING_DEPTH },
  });
}

/** A text of at most `maxLength` characters, with the number of those that were cut off. */
export function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Never half of a surrogate pair.
  const start = text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
  return `${start}… (${text.length - start.length} more characters)`;
}

/** A value from outside as a text: itself, or its JSON. `String` throws for an object without a text of its own. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The recursion is as deep as `levels` at most. */
function exceeds(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some(item => exceeds(item, levels - 1));
  for (const key in value) if (exceeds((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/** The limit of a Server, in bytes, when its handshake has none. */
export const DEFAULT_MESSAGE_LIMIT = 1_000_000;

/** Bytes that surround a payload on the wire: packet type, namespace, id and event name. */
const ENVELOPE_BYTES = 128;

/** The bytes a payload takes on the wire, envelope included. */
export function messageSize(payload: unknown): number {
  return new TextEncoder().encode(JSON.stringify(payload) ?? '').length + ENVELOPE_BYTES;
}

/**
 * True if a payload stays within `limit` bytes on the wire. Small payloads are not serialised to find out. Throws for
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

/** Bytes of one part of a file, whose rest follows in other messages. */
const MAX_PART_BYTES = 256 * 1024;

/** Bytes of a message that are not the base64 of a part. */
const PART_OVERHEAD_BYTES = 4096;

/** The most bytes of a part whose base64 fits into a message. */
export function partSize(messageLimit: number): number {
  const room = Math.floor(((messageLimit - PART_OVERHEAD_BYTES) * 3) / 4);
  return Math.max(3, Math.min(MAX_PART_BYTES, room));
}

/** About how many characters a value takes as JSON, without making it. The value is nested within limits. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 2;
  if (Array.isArray(value)) {
    for (const entry of value) size += 1 + sizeOf(entry);
    return size;
  }
  for (const key in value) size += key.length + 3 + sizeOf((value as Record<string, unknown>)[key]);
  return size;
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

export type Json = Record<string, unknown>;

/** True if a value is an object with fields: neither an array nor null. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a value; none when it is not an object. */
export function fieldsOf(value: unknown): Json {
  return isObject(value) ? value : {};
}
