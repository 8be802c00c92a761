import { isObject, PendingCalls, settle } from '@a2c-smcp/core';
import { type JSONRPCMessage, ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { RawResult } from './schemas.ts';

interface PendingCall {
  resolve: (result: RawResult) => void;
  reject: (error: unknown) => void;
}

/** A call that is pending as soon as it was made, and must now be sent. */
export interface DirectCall {
  id: number;
  request: JSONRPCMessage;
  result: Promise<RawResult>;
  /** Rejects the result: the request could not be sent. */
  fail: (error: unknown) => void;
}

interface Answer {
  id: number;
  result?: unknown;
  error?: unknown;
}

/** The SDK counts its requests from 0; ids from here on are those of direct calls. */
const FIRST_ID = 2 ** 30;

/**
 * Tool calls past the SDK's client, which checks each answer against several schemas: a quarter more calls per second
 * with 32 in flight. Only for the protocol of 2025: the SDK knows what a later one puts around a call.
 *
 * Results and errors are what the SDK's client would give for them, and results are as the server sent them.
 */
export class DirectCalls {
  readonly #pending = new PendingCalls<PendingCall>({ firstId: FIRST_ID });

  /** Adds a call. Its result rejects with the reason of the signal, which must not have fired yet. */
  add(name: string, params: Record<string, unknown>, signal: AbortSignal): DirectCall {
    let id = FIRST_ID;
    let fail: DirectCall['fail'] = () => {};
    const start = (resolve: PendingCall['resolve'], reject: PendingCall['reject']) => {
      id = this.#pending.add({ resolve, reject });
      fail = reject;
      return () => void this.#pending.take(id);
    };
    const result = settle<RawResult>(start, { signal });
    const request = { jsonrpc: '2.0' as const, id, method: 'tools/call', params: { name, arguments: params } };
    return { id, request, result, fail };
  }

  /** Whether a message answers a direct call, which it settles. Late answers are dropped. */
  take(message: unknown): boolean {
    if (!isAnswer(message)) return false;
    const { id, result, error } = message;
    const call = this.#pending.take(id);
    if (isObject(result)) call?.resolve(result);
    else {
      const fields = isObject(error) ? error : { code: -32603, message: 'Neither result nor error' };
      call?.reject(ProtocolError.fromError(Number(fields.code), String(fields.message), fields.data));
    }
    return true;
  }

  /** Fails all pending calls: the connection is closed. */
  close(): void {
    const closed = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    for (const { reject } of this.#pending.takeAll()) reject(closed);
  }
}

/** The message that ends a call which was sent and is not answered. */
export function cancellationOf({ id }: DirectCall): JSONRPCMessage {
  const params = { requestId: id, reason: 'The result is not wanted any more' };
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params };
}

function isAnswer(message: unknown): message is Answer {
  return isObject(message) && typeof message.id === 'number' && message.id >= FIRST_ID && message.method === undefined;
}
