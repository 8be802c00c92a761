import {
  asAbortSignal,
  type CallOptions,
  given,
  Interruption,
  isObject,
  type Logger,
  onAbort,
  partSize,
  reqIdOf,
  type StopSignal,
} from '@a2c-smcp/core';
import { type Peer, randomId } from '@a2c-smcp/peer';
import {
  AGENT_TOOL_SLACK_MS,
  CANCEL_GRACE_MS,
  type CallToolResult,
  type ContentBlock,
  cancelledResult,
  ErrorCode,
  type GetBlobRet,
  MAX_TIMEOUT_S,
  type RequestEventName,
  type RequestOf,
  type ResponseOf,
  SmcpError,
  type ToolCallReq,
  ToolProgress,
  timedOutResult,
} from '@a2c-smcp/protocol';
import { CallGate } from './call-gate.ts';
import { drainResult } from './drain.ts';
import { CallQuestions, type OnQuestion } from './questions.ts';

/** The last argument of every request. */
export interface RequestOptions {
  /** Milliseconds until the request fails, the time to reconnect included. */
  timeout?: number;
  /** Fails the request at once. */
  signal?: AbortSignal;
}

/** How far a tool call is, as the tool reports it. */
export interface CallProgress {
  /** Grows from one report to the next. */
  progress: number;
  /** The value of `progress` at the end, if it is known. */
  total?: number;
  message?: string;
}

export interface ToolCallOptions extends Omit<RequestOptions, 'signal'> {
  /** Cancels the call. @see RequestOptions */
  signal?: StopSignal;
  /** Fills in forms of MCP servers while the tool runs, if the Computer's owner lets Agents do that. */
  onQuestion?: OnQuestion;
  /** Called while the tool runs, if it reports progress and the Computer and the Server have this extension. */
  onProgress?: (progress: CallProgress) => void;
}

/** A call that reports progress. */
interface Reporting {
  computer: string;
  onProgress: (progress: CallProgress) => void;
}

/** Drops the index signature of loose schemas, so that misspelled fields are compile errors. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** The fields of a request without those that every request has. */
type Subject<E extends RequestEventName> = Omit<Named<RequestOf<E>>, 'agent' | 'req_id'>;

/** A part of a blob. */
interface Part {
  computer: string;
  handle: string;
  offset: number;
}

type ToolCallSubject = Pick<ToolCallReq, 'computer' | 'tool_name' | 'params'>;

export interface RequestsOptions {
  /** Milliseconds, for requests without a limit of their own. */
  timeout: number;
  /** Bytes that are fetched for one result. */
  maxBlobBytes: number;
  /** Requests that are sent and not answered. More are queued. */
  callsInFlight: number;
  /** Waits for a Computer that may come back after a lost connection. False if it does not. */
  awaitReturn: (computer: string, options: CallOptions) => Promise<boolean>;
  logger: Logger;
}

/** How long a request may wait for its turn. */
interface Turn {
  options: CallOptions;
  /** In milliseconds of `performance.now()`. */
  end: number;
  /** Ends the request while it waits. */
  queued: StopSignal | undefined;
}

/** Sends the requests of one Agent, with its name and a new id in each. */
export class Requests {
  readonly #peer: Peer;
  /** Milliseconds, for requests without a limit of their own. */
  readonly timeout: number;
  readonly #maxBlobBytes: number;
  readonly #logger: Logger;
  /** By request id. */
  readonly #reporting = new Map<string, Reporting>();
  readonly #questions: CallQuestions;
  readonly #gate: CallGate;
  readonly #awaitReturn: RequestsOptions['awaitReturn'];

  constructor(peer: Peer, { timeout, maxBlobBytes, callsInFlight, awaitReturn, logger }: RequestsOptions) {
    this.#peer = peer;
    this.#logger = logger;
    peer.channel.on('notify:update_progress', payload => this.#report(payload));
    this.#questions = new CallQuestions(peer, requestId, logger);
    this.timeout = timeout;
    this.#maxBlobBytes = maxBlobBytes;
    this.#gate = new CallGate(callsInFlight);
    this.#awaitReturn = awaitReturn;
  }

  /** The most bytes of a file that fit into one message to or from the Server. */
  get partBytes(): number {
    return partSize(this.#peer.messageLimit);
  }

  send<E extends RequestEventName>(
    event: E,
    subject: Subject<E>,
    { timeout = this.timeout, signal }: RequestOptions = {},
  ): Promise<ResponseOf<E>> {
    // `subject`, `agent` and `req_id` are the full request; TypeScript cannot prove it for every `E`.
    // It is spread last: V8 takes half a microsecond for each field that is added behind a spread.
    const request = { agent: this.#peer.name, req_id: requestId(), ...subject } as unknown as RequestOf<E>;
    return this.#call(event, request, { timeout, signal });
  }

  getPart({ computer, handle, offset }: Part, options: RequestOptions): Promise<GetBlobRet> {
    const subject = { computer, blob_handle: handle, chunk_offset: offset, max_chunk_bytes: this.partBytes };
    return this.send('client:get_blob', subject, options);
  }

  /**
   * Runs a tool. After the timeout or when the signal fires, the call is cancelled on the Computer and marked as such: a
   * tool that does not finish is a failed result, not an exception.
   *
   * @param timeout what the tool gets, in milliseconds
   */
  async callTool(
    { computer, tool_name, params }: ToolCallSubject,
    timeout: number,
    { signal, onProgress, onQuestion }: Omit<ToolCallOptions, 'timeout'>,
  ): Promise<CallToolResult> {
    const agent = this.#peer.name;
    const req_id = requestId();
    const seconds = wholeSeconds(timeout);
    const cancellation = signal && new Cancellation(signal, () => this.#cancel(agent, req_id));
    if (onProgress) this.#reporting.set(req_id, { computer, onProgress });
    const ended = onQuestion && this.#questions.attend(req_id, computer, onQuestion);
    try {
      const request: ToolCallReq = { agent, computer, req_id, tool_name, params, timeout: seconds };
      if (onProgress) request.progress = true;
      if (onQuestion) request.elicit = true;
      const options = { timeout: timeout + AGENT_TOOL_SLACK_MS, signal: cancellation?.end };
      const start = performance.now();
      const result = normalizeResult(await this.#call('client:tool_call', request, options, signal));
      if (!result.content.some(isOffloaded)) return result;
      const left = options.timeout - (performance.now() - start);
      return await this.#drain(computer, result, { timeout: left, signal: signal && asAbortSignal(signal) });
    } catch (error) {
      const call = `tool '${tool_name}' on computer '${computer}'`;
      // Whatever went wrong after the cancellation, the result is not wanted any more.
      if (signal?.aborted && (error === signal.reason || error instanceof SmcpError)) {
        return cancelledResult(`The call of ${call} was cancelled`, { a2c_cancel_confirmed: false });
      }
      if (!(error instanceof SmcpError && error.reason === 'timeout')) throw error;
      this.#cancel(agent, req_id);
      return timedOutResult(`The call of ${call} was not answered within ${seconds} s and was cancelled`);
    } finally {
      cancellation?.release();
      if (onProgress) this.#reporting.delete(req_id);
      ended?.();
    }
  }

  /** Reports of other calls and of other Computers are ignored. */
  #report(payload: unknown): void {
    const parsed = ToolProgress.safeParse(payload);
    if (!parsed.success) return;
    const { computer, req_id, progress, total, message } = parsed.data;
    const call = this.#reporting.get(req_id);
    if (!call || call.computer !== computer) return;
    try {
      call.onProgress({ progress, ...given({ total, message }) });
    } catch (error) {
      this.#logger.error('A listener of progress failed', { req_id, error });
    }
  }

  /**
   * Sends a request, or queues it while the Server takes no more.
   *
   * @param queued ends the request at once while it was not sent yet
   */
  async #call<E extends RequestEventName>(
    event: E,
    request: RequestOf<E>,
    options: CallOptions,
    queued = options.signal,
  ): Promise<ResponseOf<E>> {
    const gate = this.#gate;
    const end = performance.now() + options.timeout;
    if (gate.inFlight >= gate.limit || gate.interval > 0) return this.#queue(event, request, { options, end, queued });
    gate.inFlight += 1;
    let failure: unknown;
    try {
      return await this.#peer.call(event, request, options);
    } catch (error) {
      failure = error;
    } finally {
      if (gate.waiting.size > 0) gate.release();
      else gate.inFlight -= 1;
    }
    if (gate.learn(failure)) return this.#queue(event, request, { options, end, queued });
    return this.#repeat(event, request, { options, end, queued, failure });
  }

  #queue<E extends RequestEventName>(event: E, request: RequestOf<E>, { options, end, queued }: Turn) {
    const send = (timeout: number) => this.#peer.call(event, request, { ...options, timeout });
    return this.#gate
      .run(send, { timeout: timeLeft(end), signal: queued })
      .catch(failure => this.#repeat(event, request, { options, end, queued, failure }));
  }

  /** Sends a request again to a Computer that was there before the connection was lost, when it is back. */
  async #repeat<E extends RequestEventName>(
    event: E,
    request: RequestOf<E>,
    { options, end, queued, failure }: Turn & { failure: unknown },
  ): Promise<ResponseOf<E>> {
    const { computer } = request as { computer?: string };
    const isMissing = failure instanceof SmcpError && failure.code === ErrorCode.NotFound && computer !== undefined;
    const wait = { timeout: timeLeft(end), signal: queued };
    if (!isMissing || !(await this.#awaitReturn(computer, wait))) throw this.#failed(event, request, failure);
    return this.#call(event, request, { ...options, timeout: timeLeft(end) }, queued);
  }

  /** Logs a request that fails with its `req_id`, by which the logs of Server and Computer have it too. */
  #failed(event: string, request: unknown, error: unknown): unknown {
    if (error instanceof SmcpError) {
      this.#logger.warn('A request failed', { event, req_id: reqIdOf(request), code: error.code });
    }
    return error;
  }

  /** Fetches the bytes of a result within the time that is left. */
  #drain(
    computer: string,
    result: CallToolResult,
    { timeout, signal }: RequestOptions & { timeout: number },
  ): Promise<CallToolResult> {
    const end = performance.now() + timeout;
    return drainResult(result, {
      fetch: (handle, offset, limit) => this.getPart({ computer, handle, offset }, { timeout: limit, signal }),
      maxBytes: this.#maxBlobBytes,
      left: () => Math.max(1, Math.min(end - performance.now(), this.timeout)),
      signal,
    });
  }

  /** Tells the Computer to stop a call. False, and nothing is sent, while the Agent is not in its office. */
  #cancel(agent: string, req_id: string): boolean {
    return this.#peer.emit('server:tool_call_cancel', { agent, req_id });
  }
}

/** A call that may be cancelled: the Computer gets a moment to say so itself before the call is given up here. */
class Cancellation {
  readonly #given: StopSignal;
  readonly #cancel: () => boolean;
  /** Fires when the call is given up, with the reason of the caller's own signal. */
  readonly end = new Interruption();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop: (() => void) | undefined;

  /** @param cancel sends the cancellation; returns false if that is not possible */
  constructor(given: StopSignal, cancel: () => boolean) {
    this.#given = given;
    this.#cancel = cancel;
    if (given.aborted) this.end.abort(given.reason);
    else this.#stop = onAbort(given, () => this.#begin());
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#stop?.();
  }

  #begin(): void {
    const giveUp = () => this.end.abort(this.#given.reason);
    if (this.#cancel()) this.#timer = setTimeout(giveUp, CANCEL_GRACE_MS);
    else giveUp();
  }
}

/** Random, and made at the first request: Cloudflare Workers have no random numbers while modules are loaded. */
let idPrefix: string | undefined;
let lastId = 0;

/** 32 hexadecimal digits, unique among all requests. */
function requestId(): string {
  lastId += 1;
  idPrefix ??= randomId().slice(8);
  return idPrefix + lastId.toString(16).padStart(8, '0');
}

/** Milliseconds until then, at least one. */
function timeLeft(end: number): number {
  return Math.max(1, Math.ceil(end - performance.now()));
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
  for (const block of result.content) {
    addMimeType(block);
    if (isObject(block.resource)) addMimeType(block.resource);
  }
  if (!('is_error' in result) && !('_meta' in result)) return result;
  const { is_error, _meta, ...normalized } = result;
  if (result.isError === undefined && typeof is_error === 'boolean') normalized.isError = is_error;
  if (isObject(_meta)) normalized.meta = { ..._meta, ...result.meta };
  return normalized;
}

/** True if the bytes of an item must be fetched. */
function isOffloaded({ _meta }: ContentBlock): boolean {
  return isObject(_meta) && typeof _meta.a2c_blob_handle === 'string';
}

function addMimeType(value: { mimeType?: unknown; mime_type?: unknown }): void {
  if ('mime_type' in value) value.mimeType ??= value.mime_type;
}
