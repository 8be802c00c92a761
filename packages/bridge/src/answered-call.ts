import { randomUUID } from 'node:crypto';
import type { CallAnswer, CallQuestion, OnQuestion } from '@a2c-smcp/agent';
import { onAbort } from '@a2c-smcp/core';

/** Where a call is: it has ended, or waits for an answer of the client. */
export type CallStep<Outcome> = { outcome: Outcome } | { question: CallQuestion };

/** Calls that wait for their clients at the same time. */
const MAX_SUSPENDED = 100;
/** Milliseconds that an outcome is kept for a client that is still asking its user. */
const KEPT_MS = 60_000;

/** A call whose client answers questions between requests: in MCP of 2026 every answer comes with a request of its own. */
export class AnsweredCall<Outcome extends object> {
  readonly outcome: Promise<Outcome>;
  readonly #stop = new AbortController();
  readonly #waiting: { question: CallQuestion; resolve: (answer: CallAnswer) => void }[] = [];
  #wake: () => void = () => {};

  constructor(run: (options: { signal: AbortSignal; onQuestion: OnQuestion }) => Promise<Outcome>) {
    const onQuestion: OnQuestion = question =>
      new Promise(resolve => {
        this.#waiting.push({ question, resolve });
        this.#wake();
      });
    this.outcome = run({ signal: this.#stop.signal, onQuestion });
    // The waiter for the next step sees it.
    this.outcome.catch(() => {});
  }

  cancel(): void {
    this.#stop.abort();
  }

  /** Answers the question of the last step. */
  answer(answer: CallAnswer): void {
    this.#waiting.shift()?.resolve(answer);
  }

  /** The outcome, or the first question that is not answered. The signal cancels the call. */
  async next(signal: AbortSignal): Promise<CallStep<Outcome>> {
    if (signal.aborted) this.cancel();
    const release = onAbort(signal, () => this.cancel());
    const asked = new Promise<void>(resolve => {
      this.#wake = resolve;
      if (this.#waiting.length > 0) resolve();
    });
    try {
      const outcome = await Promise.race([this.outcome, asked]);
      const [first] = this.#waiting;
      return outcome || !first ? { outcome: await this.outcome } : { question: first.question };
    } finally {
      release();
    }
  }
}

/** The calls that wait for an answer of their clients, by the state that the client sends back. */
export class SuspendedCalls<Outcome extends object> {
  readonly #calls = new Map<string, AnsweredCall<Outcome>>();

  /** Returns the state. */
  put(call: AnsweredCall<Outcome>): string {
    const state = randomUUID();
    this.#calls.set(state, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MAX_SUSPENDED && oldest !== undefined) this.take(oldest)?.cancel();
    const forget = () => setTimeout(() => this.#calls.delete(state), KEPT_MS).unref();
    call.outcome.then(forget, forget);
    return state;
  }

  take(state: string): AnsweredCall<Outcome> | undefined {
    const call = this.#calls.get(state);
    this.#calls.delete(state);
    return call;
  }

  close(): void {
    for (const call of this.#calls.values()) call.cancel();
    this.#calls.clear();
  }
}
