import { fitsMessage, messageSize } from '@a2c-smcp/peer';
import { type CallToolResult, ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { failure } from '../tools/results.ts';

/** The result if it fits into a message, else one that says how large it was: too large a message ends connections. */
export function fittingResult(result: CallToolResult, limit: number): CallToolResult {
  if (fitsMessage(result, limit)) return result;
  const size = messageSize(result);
  const text = `The result is too large to send: ${size} bytes, and the limit is ${limit} bytes`;
  return failure(ErrorCode.ToolFailed, text, { size, limit });
}

/** The answer if it fits into a message; throws 413 with its size otherwise. */
export function fittingAnswer<T>(what: string, answer: T, limit: number): T {
  if (fitsMessage(answer, limit)) return answer;
  const size = messageSize(answer);
  throw new SmcpError(
    ErrorCode.TooLarge,
    `${what} is too large to send: ${size} bytes, and the limit is ${limit} bytes`,
    {
      details: { size, limit },
    },
  );
}
