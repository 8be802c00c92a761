import { isObject } from '@a2c-smcp/core';
import type { Peer } from '@a2c-smcp/peer';
import {
  AGENT_TOOL_SLACK_MS,
  type CallToolResult,
  cancelledResult,
  SmcpError,
  type ToolCallReq,
  timedOutResult,
} from '@a2c-smcp/protocol';
import { requestId, wholeSeconds } from './requests.ts';

export interface ToolCallOptions {
  /** Milliseconds the tool may run. */
  timeout: number;
  signal?: AbortSignal;
}

/**
 * Runs a tool. After the timeout or when the signal fires, the call is cancelled on the Computer and marked as such:
 * a tool that does not finish is a failed result, not an exception.
 */
export async function callTool(
  peer: Peer,
  { computer, tool_name, params }: Pick<ToolCallReq, 'computer' | 'tool_name' | 'params'>,
  { timeout, signal }: ToolCallOptions,
): Promise<CallToolResult> {
  const agent = peer.name;
  const req_id = requestId();
  const seconds = wholeSeconds(timeout);
  try {
    const request = { agent, computer, req_id, tool_name, params, timeout: seconds };
    const options = { timeout: timeout + AGENT_TOOL_SLACK_MS, signal };
    return normalizeResult(await peer.call('client:tool_call', request, options));
  } catch (error) {
    const wasAborted = signal?.aborted && error === signal.reason;
    const isUnanswered = error instanceof SmcpError && error.reason === 'timeout';
    if (!wasAborted && !isUnanswered) throw error;
    peer.emit('server:tool_call_cancel', { agent, req_id });
    const call = `tool '${tool_name}' on computer '${computer}'`;
    return wasAborted
      ? cancelledResult(`The call of ${call} was cancelled`)
      : timedOutResult(`The call of ${call} was not answered within ${seconds} s and was cancelled`);
  }
}

/** One spelling for all dialects: MCP writes `_meta` for `meta`, the Rust SDK `is_error` and `mime_type`. */
function normalizeResult(result: CallToolResult): CallToolResult {
  const { is_error, _meta, ...normalized } = result;
  if (result.isError === undefined && typeof is_error === 'boolean') normalized.isError = is_error;
  if (isObject(_meta)) normalized.meta = { ..._meta, ...result.meta };
  for (const block of normalized.content) {
    addMimeType(block);
    if (isObject(block.resource)) addMimeType(block.resource);
  }
  return normalized;
}

function addMimeType(value: { mimeType?: unknown; mime_type?: unknown }): void {
  if ('mime_type' in value) value.mimeType ??= value.mime_type;
}
