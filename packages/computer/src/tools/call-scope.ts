import { type AgentCallData, type CallToolResult, ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { Interruption } from '../interruption.ts';
import { Ledger } from './ledger.ts';
import { failure } from './results.ts';

/** Characters of an Agent's name or of a request id, as on our Server. Both are kept for as long as the result is. */
const MAX_ID_LENGTH = 1024;
/** Calls of one Agent at the same time. */
const MAX_PENDING_CALLS = 10_000;

/** Why a call was interrupted. */
export const CANCELLED = Symbol('cancelled');
export const ABANDONED = Symbol('abandoned');

/**
 * The calls of one Agent session in one office. A repeated request gets the result of the first; nothing in here is
 * reachable from another scope.
 */
export class CallScope {
  readonly #ledger = new Ledger();
  readonly #pending = new Map<string, Interruption>();

  /** What `execute` gives, unless the request was seen before. Throws 400 and 429 for what cannot be taken. */
  async once(
    request: AgentCallData,
    execute: (interruption: Interruption) => Promise<CallToolResult>,
  ): Promise<CallToolResult> {
    const key = keyOf(request);
    const result = await this.#ledger.once(key, () => this.#run(key, execute));
    return (
      result ??
      failure(ErrorCode.ToolFailed, 'This request was carried out before, and its result was too large to keep')
    );
  }

  /** Cancels a pending call. Anything else is the normal race with its end and has no effect. */
  cancel(request: AgentCallData): void {
    if (isTooLong(request)) return;
    this.#pending.get(keyOf(request))?.interrupt(CANCELLED);
  }

  /** Ends all pending calls: no Agent waits for them any more. */
  abandon(): void {
    for (const call of this.#pending.values()) call.interrupt(ABANDONED);
  }

  async #run(key: string, execute: (interruption: Interruption) => Promise<CallToolResult>): Promise<CallToolResult> {
    if (this.#pending.size >= MAX_PENDING_CALLS) {
      throw new SmcpError(ErrorCode.TooManyRequests, `More than ${MAX_PENDING_CALLS} calls are pending`);
    }
    const interruption = new Interruption();
    this.#pending.set(key, interruption);
    try {
      return await execute(interruption);
    } finally {
      this.#pending.delete(key);
    }
  }
}

function keyOf(request: AgentCallData): string {
  if (isTooLong(request)) {
    throw new SmcpError(
      ErrorCode.BadRequest,
      `'agent' and 'req_id' must not be longer than ${MAX_ID_LENGTH} characters`,
    );
  }
  const { agent, req_id } = request;
  return `${agent.length}:${agent}${req_id}`;
}

function isTooLong({ agent, req_id }: AgentCallData): boolean {
  return agent.length > MAX_ID_LENGTH || req_id.length > MAX_ID_LENGTH;
}
