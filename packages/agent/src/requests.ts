import { isObject } from '@a2c-smcp/core';
import { type Peer, randomId } from '@a2c-smcp/peer';
import {
  AGENT_TOOL_SLACK_MS,
  type CallToolResult,
  cancelledResult,
  MAX_TIMEOUT_S,
  type RequestEventName,
  type RequestOf,
  type ResponseOf,
  SmcpError,
  type ToolCallReq,
  timedOutResult,
} from '@a2c-smcp/protocol';

/** The last argument of every request. */
export interface RequestOptions {
  /** Milliseconds until the request fails, the time to reconnect included. */
  timeout?: number;
  /** Fails the request at once. */
  signal?: AbortSignal;
}

/** Drops the index signature of loose schemas, so that misspelled fields are compile errors. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** The fields of a request without those that every request has. */
type Subject<E extends RequestEventName> = Omit<Named<RequestOf<E>>, 'agent' | 'req_id'>;

type ToolCallSubject = Pick<ToolCallReq, 'computer' | 'tool_name' | 'params'>;

/** Sends the requests of one Agent, with its name and a new id in each. */
export class Requests {
  readonly #peer: Peer;
  readonly #timeout: number;

  /** @param timeout milliseconds, for requests without one */
  constructor(peer: Peer, timeout: number) {
    this.#peer = peer;
    this.#timeout = timeout;
  }

  async send<E extends RequestEventName>(
    event: E,
    subject: Subject<E>,
    { timeout = this.#timeout, signal }: RequestOptions = {},
  ): Promise<ResponseOf<E>> {
    // `subject`, `agent` and `req_id` are the full request; TypeScript cannot prove it for every `E`.
    const request = { ...subject, agent: this.#peer.name, req_id: requestId() } as unknown as RequestOf<E>;
    return this.#peer.call(event, request, { timeout, signal });
  }

  /**
   * Runs a tool. After the timeout or when the signal fires, the call is cancelled on the Computer and marked as such: a
   * tool that does not finish is a failed result, not an exception. `timeout` is what the tool gets, in milliseconds.
   */
  async callTool(
    { computer, tool_name, params }: ToolCallSubject,
    { timeout, signal }: RequestOptions & { timeout: number },
  ): Promise<CallToolResult> {
    const agent = this.#peer.name;
    const req_id = requestId();
    const seconds = wholeSeconds(timeout);
    try {
      const request = { agent, computer, req_id, tool_name, params, timeout: seconds };
      const options = { timeout: timeout + AGENT_TOOL_SLACK_MS, signal };
      return normalizeResult(await this.#peer.call('client:tool_call', request, options));
    } catch (error) {
      const wasAborted = signal?.aborted && error === signal.reason;
      const isUnanswered = error instanceof SmcpError && error.reason === 'timeout';
      if (!wasAborted && !isUnanswered) throw error;
      this.#peer.emit('server:tool_call_cancel', { agent, req_id });
      const call = `tool '${tool_name}' on computer '${computer}'`;
      return wasAborted
        ? cancelledResult(`The call of ${call} was cancelled`)
        : timedOutResult(`The call of ${call} was not answered within ${seconds} s and was cancelled`);
    }
  }
}

const ID_PREFIX = randomId().slice(8);
let lastId = 0;

/** 32 hexadecimal digits, unique among all requests. */
function requestId(): string {
  lastId += 1;
  return ID_PREFIX + lastId.toString(16).padStart(8, '0');
}

/** Milliseconds as the wire has them: whole seconds, rounded up. */
export function wholeSeconds(timeout: number): number {
  const seconds = Math.ceil(timeout / 1000);
  if (!(seconds >= 1 && seconds <= MAX_TIMEOUT_S)) {
    throw new TypeError(`'timeout' must be from 1 to ${MAX_TIMEOUT_S * 1000} milliseconds, not ${timeout}`);
  }
  return seconds;
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
