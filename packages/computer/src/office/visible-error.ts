import { fitsMessage } from '@a2c-smcp/peer';
import { SmcpError } from '@a2c-smcp/protocol';
import { redactFields } from '../secrets/fields.ts';

/** Longest message of an error that is sent, in characters. */
const MAX_MESSAGE_LENGTH = 4096;

/** Larger details of an error are left out. An error is sent instead of an answer, so it must always fit. */
const MAX_DETAILS_BYTES = 16 * 1024;

/** Names of details that stay, although a configuration may have the same words. */
const DETAIL_NAMES = new Set(['doc_ref', 'page_index', 'page_count', 'element_id', 'uri', 'upstream_code']);

/**
 * The error as an Agent may see it. One with a cause may have the words of an MCP server in its message and details, so
 * it loses its secrets and is cut; others have the words of the Computer or of the Agent. Errors of other classes cross
 * the wire without their text.
 */
export function visibleError(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof SmcpError) || error.cause === undefined) return error;
  const { code, message, details, cause } = error;
  const redactText = (text: string) => (DETAIL_NAMES.has(text) ? text : redact(text));
  const isShown = details !== undefined && fitsMessage(details, MAX_DETAILS_BYTES);
  return new SmcpError(code, redact(message).slice(0, MAX_MESSAGE_LENGTH), {
    cause,
    ...(isShown ? { details: redactFields(details, redactText) } : {}),
  });
}
