import { fitsMessage, messageSize } from '@a2c-smcp/core';

/** Bytes of an answer. Clients of the MCP SDK close the connection when a message has more than 10 MiB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Says that an answer is too large for clients, and what to do; undefined if it is not. */
export function sizeProblem(answer: unknown): string | undefined {
  if (fitsMessage(answer, MAX_ANSWER_BYTES)) return undefined;
  const bytes = messageSize(answer);
  const sizes = `${(bytes / 1024 / 1024).toFixed(1)} MiB, and MCP clients accept ${MAX_ANSWER_BYTES / 1024 / 1024}`;
  return `The answer is too large (${sizes}): ask for less, such as a part or a page`;
}
