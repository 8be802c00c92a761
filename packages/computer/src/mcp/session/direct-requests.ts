import { asText, isObject, PendingCalls, type StopSignal } from '@a2c-smcp/core';
import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { DirectTransport } from '../transport/transport.ts';
import { type ProgressListener, readProgress } from './progress.ts';
import type { RawResult } from './schemas.ts';

interface PendingRequest {
  id: number;
  resolve: (result: RawResult) => void;
  reject: (error: unknown) => void;
  onProgress: ProgressListener | undefined;
}

export interface DirectRequestOptions {
  /** Milliseconds. @default no limit */
  timeout?: number | undefined;
  signal?: StopSignal | undefined;
  /** Asks the server for progress, and gets it. */
  onProgress?: ProgressListener | undefined;
}

/** The SDK counts its requests from 0; ids from here on are those of direct requests. */
const FIRST_ID = 2 ** 30;

/**
 * Requests past the SDK's client, which checks each answer against several schemas: a quarter more tool calls per second
 * with 32 in flight. Only for the protocol of 2025: the SDK knows what a later one puts around a request.
 *
 * Results and errors are what the SDK's client would give for them, and results are as the server sent them.
 */
export class DirectRequests {
  readonly #transport: DirectTransport;
  readonly #pending = new PendingCalls<PendingRequest>({
    firstId: FIRST_ID,
    onTimeout: request => this.#giveUp(request, new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out')),
    onAbort: (request, reason) => this.#giveUp(request, reason),
  });

  constructor(transport: DirectTransport) {
    this.#transport = transport;
    transport.intercept(message => this.#take(message));
  }

  /** Sends a request, and a cancellation when its time is over or the signal fires, which must not have fired yet. */
  send(
    method: string,
    params: Record<string, unknown>,
    { signal, timeout, onProgress }: DirectRequestOptions,
  ): Promise<RawResult> {
    return new Promise((resolve, reject) => {
      const request: PendingRequest = { id: 0, resolve, reject, onProgress };
      const id = this.#pending.add(request, timeout, signal);
      request.id = id;
      const asked = onProgress ? { _meta: { progressToken: id }, ...params } : params;
      try {
        this.#transport.write({ jsonrpc: '2.0', id, method, params: asked });
      } catch (error) {
        this.#pending.take(id);
        throw error;
      }
    });
  }

  /** Fails all pending requests: the connection is closed. */
  close(): void {
    const closed = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    for (const { reject } of this.#pending.takeAll()) reject(closed);
  }

  /** True if a message belongs to a direct request: its answer, which settles it, or progress. Late ones are dropped. */
  #take(message: unknown): boolean {
    if (!isAnswer(message)) return this.#takeProgress(message);
    const { id, result, error } = message;
    const request = this.#pending.take(id);
    if (isObject(result)) request?.resolve(result);
    else request?.reject(toError(error));
    return true;
  }

  #takeProgress(message: unknown): boolean {
    if (!isObject(message) || message.method !== 'notifications/progress' || !isObject(message.params)) return false;
    const { progressToken: token } = message.params;
    if (typeof token !== 'number' || token < FIRST_ID) return false;
    const progress = readProgress(message.params);
    if (progress) this.#pending.get(token)?.onProgress?.(progress);
    return true;
  }

  #giveUp({ id, reject }: PendingRequest, error: unknown): void {
    reject(error);
    const params = { requestId: id, reason: 'The result is not wanted any more' };
    try {
      this.#transport.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    } catch {
      // The process has ended, which needs no cancellation.
    }
  }
}

/** Must not throw: the request is not pending any more. */
function toError(error: unknown): ProtocolError {
  if (!isObject(error)) return new ProtocolError(ProtocolErrorCode.InternalError, 'Neither result nor error');
  const { code, message, data } = error;
  const known = typeof code === 'number' ? code : ProtocolErrorCode.InternalError;
  return ProtocolError.fromError(known, asText(message ?? 'An error without a message'), data);
}

function isAnswer(message: unknown): message is Record<string, unknown> & { id: number } {
  return isObject(message) && typeof message.id === 'number' && message.id >= FIRST_ID && message.method === undefined;
}
