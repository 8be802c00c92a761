import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** The MCP SDK's clients accept 10 MiB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Refuses an answer that clients would not accept: they close the connection then. */
export function checkedText(text: string): string {
  // The message holds it as a JSON string, in which each quote takes two characters.
  if (text.length * 8 > MAX_ANSWER_BYTES && Buffer.byteLength(JSON.stringify(text)) > MAX_ANSWER_BYTES) {
    const message = `The answer is larger than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB; read less of it, without 'format'`;
    throw new SmcpError(ErrorCode.TooLarge, message);
  }
  return text;
}
