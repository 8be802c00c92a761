import { Interruption, isObject, type Json } from '@a2c-smcp/core';
import {
  type CallToolRequest,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Office } from '../office.ts';
import { type ProgressParams, ProgressStream } from './progress-stream.ts';
import { showsForms } from './tool-calls.ts';

/** The reason for which a call ends whose answer is not wanted any more. */
const CANCELLED = new DOMException('The client has cancelled the call', 'AbortError');

/**
 * Tool calls of a client of 2025 at a pair of streams, past the SDK's server, which parses and checks every message
 * several times. Clients of 2026, and those that show forms, have more to say during a call and take the SDK's way.
 */
export class DirectCalls {
  readonly #office: Office;
  readonly #transport: Transport;
  /** By the ids of the client. */
  readonly #pending = new Map<RequestId, Interruption>();

  constructor(office: Office, transport: Transport) {
    this.#office = office;
    this.#transport = transport;
  }

  /** True if the message is a call that is answered here, or cancels one. The SDK refuses what is malformed. */
  take(message: unknown, server: Server | undefined): boolean {
    if (!isObject(message) || message.jsonrpc !== '2.0' || !isObject(message.params) || !server) return false;
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') return this.#cancel(params.requestId);
    if (method !== 'tools/call' || !isId(id) || !isCall(params) || !isSimple(server)) return false;
    if (this.#pending.has(id)) return false;
    void this.#answer(id, params, server);
    return true;
  }

  /** Cancels all calls: the client has gone. */
  close(): void {
    for (const abort of this.#pending.values()) abort.abort(CANCELLED);
  }

  async #answer(
    id: RequestId,
    { name, arguments: args, _meta: { progressToken } = {} }: CallToolRequest['params'],
    server: Server,
  ): Promise<void> {
    const abort = new Interruption();
    this.#pending.set(id, abort);
    const notify = (params: ProgressParams) => this.#send({ jsonrpc: '2.0', method: 'notifications/progress', params });
    const progress = progressToken === undefined ? undefined : new ProgressStream(progressToken, notify);
    const reporting = progress && { onProgress: progress.report };
    try {
      const { result, outputSchema } = await this.#office.call({ name, args, signal: abort, ...reporting });
      const projected = server.projectCallToolResult(result, outputSchema);
      if (!abort.aborted) this.#send({ jsonrpc: '2.0', id, result: projected });
    } catch (error) {
      if (!abort.aborted) this.#send({ jsonrpc: '2.0', id, error: asRpcError(error) });
    } finally {
      progress?.[Symbol.dispose]();
      this.#pending.delete(id);
    }
  }

  #cancel(id: unknown): boolean {
    const abort = this.#pending.get(id as RequestId);
    abort?.abort(CANCELLED);
    return abort !== undefined;
  }

  /** A client that has gone needs no answer. */
  #send(message: JSONRPCMessage): void {
    this.#transport.send(message).catch(() => {});
  }
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isInteger(value);
}

function isCall(params: Json): params is CallToolRequest['params'] {
  const { name, _meta: meta = {} } = params;
  return typeof name === 'string' && isObject(meta) && (meta.progressToken === undefined || isId(meta.progressToken));
}

/** True if the client has shaken hands as one of 2025 does, and shows no forms. */
function isSimple(server: Server): boolean {
  const version = server.getNegotiatedProtocolVersion();
  // Revisions are dates.
  return version !== undefined && version < '2026' && !showsForms(server.getClientCapabilities());
}

function asRpcError(error: unknown): { code: number; message: string; data?: unknown } {
  if (error instanceof ProtocolError) return { code: error.code, message: error.message, data: error.data };
  return { code: ProtocolErrorCode.InternalError, message: error instanceof Error ? error.message : String(error) };
}
