import { randomUUID } from 'node:crypto';
import type { Logger } from '@a2c-smcp/core';
import { type CallToolResult, ErrorCode, type ToolCallReq, textOf } from '@a2c-smcp/protocol';
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { describeError } from '../describe-error.ts';
import { interruptible } from '../interruptible.ts';
import { Interruption } from '../interruption.ts';
import type { McpServer } from '../mcp/mcp-server.ts';
import { ABANDONED, CANCELLED, type CallScope } from './call-scope.ts';
import type { Catalog, Route } from './catalog.ts';
import type { History } from './history.ts';
import { cancelled, failure, passOn, timedOut, withMeta } from './results.ts';
import type { ResultTransformer } from './transformer.ts';
import { authFailure } from './upstream-auth.ts';

/** What a person is asked before a tool runs. */
export interface Confirmation {
  reqId: string;
  server: string;
  /** The name the Agent used. */
  tool: string;
  params: Record<string, unknown>;
  /** What the MCP server says about the tool, such as `destructiveHint`. */
  annotations?: Record<string, unknown>;
  /** Fires when the answer is no longer wanted: the call was cancelled or its time is over. */
  signal: AbortSignal;
}

/** Decides whether a tool may run. Anything but `true`, a failure included, means no. */
export type Confirm = (confirmation: Confirmation) => Promise<boolean> | boolean;

export interface ToolCallsOptions {
  catalog: () => Catalog;
  server: (name: string) => McpServer | undefined;
  history: History;
  confirm?: Confirm | undefined;
  transformer?: ResultTransformer | undefined;
  redact: (text: string) => string;
  logger: Logger;
}

/** Why a call was interrupted, beside the reasons of its scope. */
const TIME_OVER = Symbol('time over');
const CLOSED = Symbol('closed');

/** Carries out tool calls: finds the tool, asks a person, calls the MCP server, and accounts for all of it. */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #pending = new Set<Interruption>();

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  /**
   * Answers a call of an Agent with a result. A request that its scope has seen before is answered but not carried out
   * again.
   */
  call(request: ToolCallReq, scope: CallScope): Promise<CallToolResult> {
    return scope.once(request, interruption => this.#execute(request, interruption));
  }

  /** Runs a tool for this machine. */
  async callLocally(request: Omit<ToolCallReq, 'agent' | 'req_id'>, signal?: AbortSignal): Promise<CallToolResult> {
    const interruption = new Interruption();
    const cancel = () => interruption.interrupt(CANCELLED);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', cancel, { once: true });
    const identity = { agent: '', req_id: randomUUID().replaceAll('-', '') };
    try {
      return await this.#execute({ ...request, ...identity } as ToolCallReq, interruption);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Interrupts everything pending. */
  close(): void {
    for (const call of this.#pending) call.interrupt(CLOSED);
  }

  async #execute(request: ToolCallReq, interruption: Interruption): Promise<CallToolResult> {
    const { tool_name, params, req_id, timeout } = request;
    const timestamp = new Date().toISOString();
    const limit = setTimeout(() => interruption.interrupt(TIME_OVER), timeout * 1000);
    this.#pending.add(interruption);
    const route = this.#options.catalog().routes.get(tool_name);
    try {
      const result = await this.#run(request, route, interruption);
      const error = result.isError === true ? textOf(result) : null;
      this.#options.history.add({
        timestamp,
        req_id,
        server: route?.server ?? this.#options.catalog().blocked.get(tool_name) ?? '',
        tool: tool_name,
        parameters: params,
        timeout,
        success: error === null,
        error,
      });
      if (error !== null) this.#logFailure(request, result);
      return result;
    } finally {
      clearTimeout(limit);
      this.#pending.delete(interruption);
    }
  }

  async #run(request: ToolCallReq, route: Route | undefined, interruption: Interruption): Promise<CallToolResult> {
    const { tool_name, timeout } = request;
    const server = route && this.#options.server(route.server);
    if (!route || !server) return this.#unknown(tool_name);
    const deadline = Date.now() + timeout * 1000;
    try {
      const refusal = mayRun(route) ? undefined : await this.#confirm(request, route, interruption.signal);
      if (refusal) return refusal;
      interruption.throwIfInterrupted();
      const result = passOn(await server.callTool(route.tool, request.params, { deadline, interruption }), route.meta);
      return this.#options.transformer ? await this.#transform(result, { request, route, interruption }) : result;
    } catch (error) {
      return this.#explain(error, request, { server: route.server, interruption: interruption.reason });
    }
  }

  #unknown(tool: string): CallToolResult {
    const server = this.#options.catalog().blocked.get(tool);
    if (server === undefined) return failure(ErrorCode.ToolNotFound, `No tool '${tool}' on this computer`);
    return failure(ErrorCode.ToolDisabled, `Tool '${tool}' of MCP server '${server}' is disabled`);
  }

  /** The refusal, or undefined when the tool may run. */
  async #confirm(request: ToolCallReq, route: Route, signal: AbortSignal): Promise<CallToolResult | undefined> {
    const { tool_name: tool, params, req_id: reqId } = request;
    const { confirm, logger } = this.#options;
    const { server, annotations } = route;
    if (!confirm) {
      const advice = `nobody on this computer can be asked; its owner can set 'auto_apply' for it`;
      return failure(ErrorCode.ConfirmationRequired, `Tool '${tool}' needs confirmation, and ${advice}`);
    }
    const ask = async () => confirm({ reqId, server, tool, params, signal, ...(annotations ? { annotations } : {}) });
    try {
      if ((await interruptible(ask(), signal)) === true) return undefined;
    } catch (error) {
      signal.throwIfAborted();
      logger.warn('Asking for confirmation failed', { req_id: reqId, tool, error });
    }
    return failure(ErrorCode.ConfirmationRequired, `Tool '${tool}' was not confirmed`);
  }

  async #transform(
    result: CallToolResult,
    { request, route, interruption }: { request: ToolCallReq; route: Route; interruption: Interruption },
  ): Promise<CallToolResult> {
    const { transformer, logger } = this.#options;
    try {
      const { server, tool } = route;
      const work = transformer?.transform({ server, tool, params: request.params, result });
      const transformed = work instanceof Promise ? await interruptible(work, interruption.signal) : work;
      if (transformed === undefined) return result;
      if (typeof transformed !== 'string') throw new TypeError('A transformer gives JSON text or undefined');
      return withMeta(result, { a2c_vrl_transformed: transformed });
    } catch (error) {
      logger.warn('A result could not be transformed', { req_id: request.req_id, mcp_server: route.server, error });
      return result;
    }
  }

  #explain(
    error: unknown,
    { tool_name, timeout }: ToolCallReq,
    { server, interruption }: { server: string; interruption: unknown },
  ): CallToolResult {
    if (interruption === CANCELLED) return cancelled();
    if (interruption === ABANDONED) return failure(ErrorCode.ToolFailed, 'The Agent has left the office');
    if (interruption === CLOSED) return failure(ErrorCode.ToolFailed, 'The computer is shutting down');
    if (interruption === TIME_OVER) return timedOut(`Tool '${tool_name}' did not finish within ${timeout} s`);
    if (isSilence(error)) return timedOut(`Tool '${tool_name}' gave no sign of life for too long`);
    const unauthorised = authFailure(error, server);
    if (unauthorised) return unauthorised;
    const reason = this.#options.redact(describeError(error));
    return failure(ErrorCode.ToolFailed, `Tool '${tool_name}' of MCP server '${server}' failed: ${reason}`, {
      mcp_server: server,
    });
  }

  #logFailure({ req_id, tool_name }: ToolCallReq, { meta }: CallToolResult): void {
    this.#options.logger.warn('A tool call failed', { req_id, tool: tool_name, code: meta?.error_code });
  }
}

/** Whether the owner of this machine lets the tool run without asking. */
function mayRun({ meta }: Route): boolean {
  return meta?.auto_apply === true;
}

/** The MCP server neither answered nor reported progress within the limit of its configuration. */
function isSilence(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}
