import type { Peer } from '@a2c-smcp/peer';
import { type CallToolResult, SmcpError, type ToolCallReq } from '@a2c-smcp/protocol';
import { requestId } from './requests.ts';
import { cancelled, normalizeResult, timedOut } from './tool-result.ts';

/** Milliseconds that a Computer's own time-out may take to arrive; it knows better what happened. */
const GRACE = 1000;
/** The longest a tool may run, in seconds. */
const LONGEST = 3600;

export interface ToolCallOptions {
  /** Milliseconds the tool may run. */
  timeout: number;
  signal?: AbortSignal;
}

/**
 * Runs a tool. When the time is up or the signal fires, the Computer is told to stop and the result says so: a tool
 * that does not finish is a failed result like any other, not an exception.
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
    return normalizeResult(await peer.call('client:tool_call', request, { timeout: timeout + GRACE, signal }));
  } catch (error) {
    const wasAborted = signal?.aborted && error === signal.reason;
    if (!wasAborted && !isUnanswered(error)) throw error;
    peer.emit('server:tool_call_cancel', { agent, req_id });
    return wasAborted ? cancelled(tool_name, computer) : timedOut(tool_name, computer, seconds);
  }
}

/** The wire counts in whole seconds. */
export function wholeSeconds(timeout: number): number {
  const seconds = Math.ceil(timeout / 1000);
  if (!(seconds >= 1 && seconds <= LONGEST)) {
    throw new TypeError(`timeout must be from 1 to ${LONGEST * 1000} milliseconds, not ${timeout}`);
  }
  return seconds;
}

function isUnanswered(error: unknown): boolean {
  return error instanceof SmcpError && error.details?.reason === 'timeout';
}
