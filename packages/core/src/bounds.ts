import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** Levels of arrays and objects that JSON from outside may nest. Deeper values overflow the stack of recursive code. */
export const MAX_NESTING_DEPTH = 512;

/** Arguments of one message. */
const MAX_ARGUMENTS = 100;

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

/** Whether a value is nested deeper than `MAX_NESTING_DEPTH`. */
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

/** The recursion is as deep as `levels` at most. */
function exceeds(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some(item => exceeds(item, levels - 1));
  for (const key in value) if (exceeds((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}
