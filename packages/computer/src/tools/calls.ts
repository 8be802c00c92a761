import { randomUUID } from 'node:crypto';
import { clip, Emitter, Interruption, type Logger, PendingCalls, sizeOf, within } from '@a2c-smcp/core';
import {
  type CallToolResult,
  cancelledResult,
  ErrorCode,
  errorCodeOf,
  isCancelled,
  isTimedOut,
  textOf,
  timedOutResult,
} from '@a2c-smcp/protocol';
import { passOn } from '../claims.ts';
import type { Consent, Verdict } from '../consent/consent.ts';
import { describeError } from '../describe-error.ts';
import type { Dialect } from '../dialect.ts';
import type { Progress, ProgressListener } from '../mcp/session/progress.ts';
import type { McpServer } from '../mcp/supervisor/mcp-server.ts';
import { ABANDONED, CANCELLED, type CallId, type CallScope, CLOSED, STOPPED, TIME_OVER } from './call-scope.ts';
import type { Route, Target, ToolCatalog } from './catalog.ts';
import { authFailure, failure, isSilence } from './failures.ts';
import type { ResultTransformer } from './transformer.ts';

export interface ToolCallsOptions {
  catalog: ToolCatalog;
  consent: Consent;
  transformer: ResultTransformer;
  redact: (text: string) => string;
  logger: Logger;
}

/** Fields of a finished call that `ToolCallRecord` leaves out. */
export interface RecordedCall {
  office: string | undefined;
  /** With those that a person changed. */
  params: Record<string, unknown>;
  code: number | undefined;
}

export interface ToolCall {
  reqId: string;
  /** The Agent that calls; undefined for a call of this machine. */
  agent?: string;
  /** The name the Agent uses, in the form of either dialect. */
  tool: string;
  /** The form that the caller expects. @default 'plain' */
  dialect?: Dialect | undefined;
  params: Record<string, unknown>;
  /** Milliseconds. */
  timeout: number;
  /** The office that the call comes from. */
  office?: string | undefined;
  /** Gets the progress that the tool reports, secrets masked. */
  onProgress?: ProgressListener | undefined;
}

/** Makes of a result what is sent and kept. */
type Finish = (result: CallToolResult) => CallToolResult | Promise<CallToolResult>;

/** A call that has not ended. The object stays the same, and its last three fields change. */
export interface PendingCall extends Pick<ToolCall, 'reqId' | 'tool' | 'agent' | 'office' | 'params' | 'timeout'> {
  /** Unique in this Computer, unlike `reqId`, which Agents choose. */
  id: number;
  /** The MCP server; undefined when no server has the tool. */
  server: string | undefined;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** True if its owner is asked if it may run. */
  isAsking: boolean;
  progress?: Progress;
}

export interface ToolCallEvents {
  callStarted: PendingCall;
  /** It has reported progress, or was allowed to run. */
  callChanged: PendingCall;
  callEnded: { call: PendingCall; record: ToolCallRecord; result: CallToolResult };
}

/** One attempt to call a tool, successful or not. The protocol documents define the names of its fields. */
export interface ToolCallRecord {
  /** ISO 8601. */
  timestamp: string;
  req_id: string;
  /** The MCP server, or empty when no server has the tool. */
  server: string;
  /** The name the Agent used. */
  tool: string;
  /** Empty when they take more than 16 KiB. */
  parameters: Record<string, unknown>;
  /** In seconds, as the Agent gave it. */
  timeout: number | null;
  success: boolean;
  /** The text of the result, when the call failed. */
  error: string | null;
  /** The Agent that called, or null for a call of this machine. */
  agent: string | null;
  /** In seconds, with the time in which a person was asked. */
  duration: number;
  outcome: CallOutcome;
  /** The source that let it run or refused it: `auto_apply`, `rule 2`, the name of a face, or null if it did not get that far. */
  decided_by: string | null;
}

/** How a call ended. `refused` means that a person or the configuration did not let the tool run. */
export type CallOutcome = 'ok' | 'failed' | 'refused' | 'timed out' | 'cancelled';

const MAX_RECORDS = 100;
/** Characters of the parameters, the error and a name. Agents and tools choose them. */
const MAX_PARAMETERS_LENGTH = 16 * 1024;
const MAX_ERROR_LENGTH = 2000;
const MAX_NAME_LENGTH = 256;
/** The note about what was cut is not counted; with it a message has 500 characters at most. */
const MAX_PROGRESS_LENGTH = 460;

/** Carries out tool calls: finds the tool, asks a person, calls the MCP server, and accounts for all of it. */
export class ToolCalls {
  /** Called with every call that has ended. */
  onRecord: ((record: ToolCallRecord, call: RecordedCall) => void) | undefined;
  readonly events: Emitter<ToolCallEvents>;
  readonly #options: ToolCallsOptions;
  readonly #pending = new PendingCalls<{ call: PendingCall; abort: Interruption }>({
    firstId: 1,
    onTimeout: ({ abort }) => abort.abort(TIME_OVER),
  });
  readonly #records: ToolCallRecord[] = [];

  constructor(options: ToolCallsOptions) {
    this.#options = options;
    this.events = new Emitter({ logger: options.logger });
  }

  /** The calls that have not ended, oldest first. */
  get pending(): readonly PendingCall[] {
    return [...this.#pending].map(({ call }) => call);
  }

  /** The last calls, oldest first. */
  get history(): readonly ToolCallRecord[] {
    return this.#records.slice(-MAX_RECORDS);
  }

  /** The servers whose tools were called, oldest call first. Desktop and Finder show lately used servers first. */
  get usedServers(): string[] {
    return this.history.map(({ server }) => server).filter(server => server !== '');
  }

  /**
   * Answers a call of an Agent. A request that its scope has seen before gets the first result and runs nothing. Throws
   * when the scope takes no more.
   */
  call(call: ToolCall & CallId, scope: CallScope, finish: Finish): CallToolResult | Promise<CallToolResult> {
    return scope.once(call, () => {
      const abort = new Interruption();
      return { abort, result: this.#run(call, abort, { scope, finish }) };
    });
  }

  /** Runs a tool for this machine. */
  async callLocally(call: Omit<ToolCall, 'reqId'>, signal?: AbortSignal): Promise<CallToolResult> {
    signal?.throwIfAborted();
    const abort = new Interruption();
    const cancel = () => abort.abort(CANCELLED);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await this.#run({ ...call, reqId: randomUUID().replaceAll('-', '') }, abort);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Cancels a pending call for the owner. False when it has ended already. */
  stop(id: number): boolean {
    const stopped = this.#pending.get(id);
    stopped?.abort.abort(STOPPED);
    return stopped !== undefined;
  }

  /** Aborts all pending calls. */
  close(): void {
    for (const { abort } of this.#pending) abort.abort(CLOSED);
  }

  /** A call that fails is a result: only `finish` may reject. */
  async #run(
    call: ToolCall,
    abort: Interruption,
    { scope, finish }: { scope?: CallScope; finish?: Finish } = {},
  ): Promise<CallToolResult> {
    const start = Date.now();
    const { catalog, consent, transformer } = this.#options;
    let target = catalog.find(call);
    const pending = this.#begin(call, abort, { server: target?.route.server, startedAt: start });
    this.events.emit('callStarted', pending);
    const onProgress = this.#shown(pending, call.onProgress);
    let result: CallToolResult;
    let verdict: Verdict | undefined;
    try {
      if (target?.server.cached) target = await this.#wake(target.server, call, { signal: abort.signal, onProgress });
      if (!target) result = this.#unknown(call.tool);
      else {
        const { route, server } = target;
        pending.isAsking = !consent.cleared.has(route);
        verdict = pending.isAsking
          ? await this.#obtainConsent(call, route, { signal: abort.signal, session: scope, onProgress })
          : CLEARED;
        if (pending.isAsking) {
          pending.isAsking = false;
          this.events.emit('callChanged', pending);
        }
        if (verdict.runs) {
          const { params = call.params } = verdict;
          result = passOn(
            await server.callTool(route.tool, params, { signal: abort, onProgress, origin: call }),
            route.meta,
          );
          if (transformer.servers?.has(route.server) ?? true)
            result = await this.#transform(result, { call, route, abort });
          if (verdict.params) result = withEdited(result, verdict.params);
        } else result = failure(ErrorCode.ConfirmationRequired, `Tool '${call.tool}' ${verdict.why}`);
      }
    } catch (error) {
      result = this.#explain(error, call, { route: target?.route, reason: abort.reason, isAsking: pending.isAsking });
    }
    this.#pending.take(pending.id);
    let sent = result;
    try {
      if (finish) sent = await finish(result);
    } finally {
      // The outcome is that of the answer: a result that is too large to send has failed.
      const record = this.#record(call, sent, { start, server: pending.server, verdict });
      this.events.emit('callEnded', { call: pending, record, result });
    }
    return sent;
  }

  /** Starts a sleeping server. Its tools are looked up anew: the owner is asked about what it offers now. */
  async #wake(
    server: McpServer,
    call: ToolCall,
    { signal, onProgress }: { signal: AbortSignal; onProgress: ProgressListener },
  ): Promise<Target | undefined> {
    onProgress({ progress: 0, message: `MCP server '${server.name}' is starting` });
    await server.ready(signal);
    return this.#options.catalog.find(call);
  }

  #begin(
    { reqId, tool, agent, office, params, timeout }: ToolCall,
    abort: Interruption,
    { server, startedAt }: Pick<PendingCall, 'server' | 'startedAt'>,
  ): PendingCall {
    const call = { id: 0, reqId, tool, agent, office, params, timeout, server, startedAt, isAsking: false };
    call.id = this.#pending.add({ call, abort }, timeout);
    return call;
  }

  /** The listener, with the words of the MCP server as others may see them. */
  #shown(pending: PendingCall, listener: ProgressListener = ignoreProgress): ProgressListener {
    const { redact, logger } = this.#options;
    return ({ message, ...progress }) => {
      const words = message === undefined ? {} : { message: clip(redact(message), MAX_PROGRESS_LENGTH) };
      pending.progress = { ...progress, ...words };
      this.events.emit('callChanged', pending);
      try {
        listener(pending.progress);
      } catch (error) {
        logger.error('A listener of progress failed', { error });
      }
    };
  }

  #unknown(tool: string): CallToolResult {
    const server = this.#options.catalog.table.blocked.get(tool);
    if (server === undefined) return failure(ErrorCode.ToolNotFound, `No tool '${tool}' on this computer`);
    return failure(ErrorCode.ToolDisabled, `Tool '${tool}' of MCP server '${server}' is disabled`);
  }

  async #obtainConsent(
    { reqId, tool, params, agent, office, timeout }: ToolCall,
    route: Route,
    {
      signal,
      session,
      onProgress,
    }: { signal: AbortSignal; session?: object | undefined; onProgress: ProgressListener },
  ): Promise<Verdict> {
    let isAsked = false;
    const onAsked = () => {
      isAsked = true;
      onProgress({ progress: 0, message: "waiting for the owner's confirmation" });
    };
    const wanted = { reqId, tool, params, agent, office, deadline: Date.now() + timeout, session, onAsked };
    const verdict = await this.#options.consent.obtain(route, wanted, signal);
    if (isAsked && verdict.runs) onProgress({ progress: 0, message: 'confirmed by the owner' });
    return verdict;
  }

  /** The result with the output of the transformer, or as it is when that fails. */
  async #transform(
    result: CallToolResult,
    { call, route, abort }: { call: ToolCall; route: Route; abort: Interruption },
  ): Promise<CallToolResult> {
    const { transformer, logger } = this.#options;
    const { server, tool } = route;
    try {
      const work = transformer.transform({ server, tool, params: call.params, result });
      const transformed = work instanceof Promise ? await within(work, { signal: abort.signal }) : work;
      if (transformed === undefined) return result;
      if (typeof transformed !== 'string') throw new TypeError('A transformer gives JSON text or undefined');
      return { ...result, meta: { ...result.meta, a2c_vrl_transformed: transformed } };
    } catch (error) {
      logger.warn('A result could not be transformed', { req_id: call.reqId, mcp_server: server, error });
      return result;
    }
  }

  #explain(
    error: unknown,
    { tool, timeout, dialect }: ToolCall,
    { route, reason, isAsking }: { route: Route | undefined; reason: unknown; isAsking: boolean },
  ): CallToolResult {
    if (reason === CANCELLED) return cancelledResult('The call was cancelled');
    if (reason === STOPPED) return cancelledResult('The owner of this computer stopped the call');
    if (reason === ABANDONED) return failure(ErrorCode.ToolFailed, 'The Agent has left the office');
    if (reason === CLOSED) return failure(ErrorCode.ToolFailed, 'The computer is shutting down');
    if (reason === TIME_OVER) {
      const limit = `within ${timeout / 1000} s`;
      const asked = `waits for the owner's confirmation, which was not given ${limit}`;
      return timedOutResult(`Tool '${tool}' ${isAsking ? asked : `did not finish ${limit}`}`);
    }
    if (isSilence(error)) return timedOutResult(`Tool '${tool}' gave no sign of life for too long`);
    const { server = '', bundleId = '' } = route ?? {};
    const mcp_server = dialect === 'bundled' ? bundleId : server;
    const unauthorised = authFailure(error, mcp_server);
    if (unauthorised) return unauthorised;
    const text = `Tool '${tool}' of MCP server '${server}' failed: ${this.#options.redact(describeError(error))}`;
    return failure(ErrorCode.ToolFailed, text, { mcp_server });
  }

  #record(
    { reqId, agent, office, tool, params, timeout }: ToolCall,
    result: CallToolResult,
    { start, server, verdict }: { start: number; server: string | undefined; verdict: Verdict | undefined },
  ): ToolCallRecord {
    const { catalog, logger } = this.#options;
    const error = result.isError === true ? textOf(result) : null;
    const record: ToolCallRecord = {
      timestamp: new Date(start).toISOString(),
      req_id: reqId,
      server: server ?? catalog.table.blocked.get(tool) ?? '',
      tool: clip(tool, MAX_NAME_LENGTH),
      parameters: sizeOf(params) > MAX_PARAMETERS_LENGTH ? {} : params,
      timeout: timeout / 1000,
      success: error === null,
      error: error === null ? null : clip(error, MAX_ERROR_LENGTH),
      agent: agent === undefined ? null : clip(agent, MAX_NAME_LENGTH),
      duration: (Date.now() - start) / 1000,
      outcome: outcomeOf(result),
      decided_by: verdict?.by ?? null,
    };
    this.#records.push(record);
    const edited = verdict?.runs ? verdict.params : undefined;
    const code = error === null ? undefined : errorCodeOf(result);
    this.onRecord?.(record, { office, params: edited ?? params, code });
    // Many at a time, since each removal moves all that remain.
    if (this.#records.length >= 2 * MAX_RECORDS) this.#records.splice(0, MAX_RECORDS);
    if (error !== null) logger.warn('A tool call failed', { req_id: reqId, tool, code: result.meta?.error_code });
    return record;
  }
}

/** Servers are asked for progress in any case: some fail without `_meta`, others keep a call alive only so. */
const ignoreProgress: ProgressListener = () => {};

/** For tools that need no decision. */
const CLEARED: Verdict = { runs: true, by: 'auto_apply' };

/** The result of a call whose parameters a person changed, which the Agent and its model must know. */
function withEdited(result: CallToolResult, params: Record<string, unknown>): CallToolResult {
  const text = `The owner of this computer changed the parameters before the tool ran, to: ${JSON.stringify(params)}`;
  return {
    ...result,
    content: [...result.content, { type: 'text', text }],
    meta: { ...result.meta, a2c_edited_params: params },
  };
}

const REFUSALS: readonly (number | undefined)[] = [ErrorCode.ConfirmationRequired, ErrorCode.ToolDisabled];

function outcomeOf(result: CallToolResult): CallOutcome {
  if (result.isError !== true) return 'ok';
  if (isCancelled(result)) return 'cancelled';
  if (isTimedOut(result)) return 'timed out';
  return REFUSALS.includes(errorCodeOf(result)) ? 'refused' : 'failed';
}
