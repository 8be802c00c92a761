import { AsyncLocalStorage } from 'node:async_hooks';
import { asAbortSignal, type StopSignal } from '@a2c-smcp/core';
import type { CallOrigin } from '../../questions/question.ts';

/** A call during which the MCP server may ask something of its client. */
export interface AskingCall {
  signal: StopSignal;
  origin?: CallOrigin | undefined;
}

/** A request of an MCP server. */
export interface Asked {
  /** The call that it belongs to, if that is known. */
  origin: CallOrigin | undefined;
  /** Fires when the request is withdrawn, when its call ends, and when no call is in flight any more. */
  signal: AbortSignal;
}

/** The calls in flight to one MCP server, and which of them a request of the server belongs to. */
export class OpenCalls {
  readonly #calls = new Set<AskingCall>();
  /** The call that the SDK was in when a server of 2026 asked. One of 2025 does not tell which call it asks for. */
  readonly #current = new AsyncLocalStorage<AskingCall>();
  /** Fires when no call is in flight any more. */
  #idle: AbortController | undefined;

  async during<T>(call: AskingCall, isModern: boolean, run: () => Promise<T>): Promise<T> {
    this.#calls.add(call);
    try {
      return await (isModern ? this.#current.run(call, run) : run());
    } finally {
      this.#calls.delete(call);
      if (this.#calls.size === 0) {
        this.#idle?.abort();
        this.#idle = undefined;
      }
    }
  }

  /** @param withdrawn fires when the server withdraws the request */
  asked(withdrawn: AbortSignal): Asked {
    const [only, ...others] = this.#calls;
    const call = this.#current.getStore() ?? (others.length === 0 ? only : undefined);
    const signals = [withdrawn];
    if (call) signals.push(asAbortSignal(call.signal));
    if (only) {
      this.#idle ??= new AbortController();
      signals.push(this.#idle.signal);
    }
    return { origin: call?.origin, signal: AbortSignal.any(signals) };
  }
}
