import { backoff, type CallOptions, countdown, pause, settle } from '@a2c-smcp/core';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** Pauses before a call that the Server refused for a limit is sent again, in milliseconds. */
const REFUSED_PAUSES = { first: 50, longest: 1000 };
/** The part of the Server's rate that is used: cancellations and notifications count, too. */
const RATE_SHARE = 0.9;
/** Milliseconds by which calls may be early, so that each does not need a timer of its own. */
const BURST_MS = 50;

/**
 * Keeps the calls of an Agent below the limits of its Server: further ones are queued, first come, first served. The limits
 * are learned from refusals, which a Server makes before it forwards a call. A caller may count a call itself while there
 * is room.
 */
export class CallGate {
  /** Calls in the queue. */
  readonly waiting = new Set<() => void>();
  /** Calls that may be in flight. */
  limit: number;
  inFlight = 0;
  /** Milliseconds between two calls; 0 until the Server refused the rate. */
  interval = 0;
  /** When the next call is due, in milliseconds of `performance.now()`. */
  #due = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Sends a call when its turn comes, within `timeout`. `send` gets the time that is left. */
  async run<T>(send: (timeout: number) => Promise<T>, { timeout, signal }: CallOptions): Promise<T> {
    const left = countdown(timeout);
    for (let refusals = 0; ; refusals++) {
      if (this.inFlight >= this.limit) await this.#turn({ timeout: left(), signal });
      else this.inFlight += 1;
      try {
        if (this.interval > 0) await this.#pace({ timeout: left(), signal });
        return await send(left());
      } catch (error) {
        const wait = backoff(refusals, REFUSED_PAUSES);
        if (!this.learn(error) || left() <= wait) throw error;
        await pause(wait, signal);
      } finally {
        this.release();
      }
    }
  }

  /** Resolves with a place of its own. */
  #turn({ timeout, signal }: CallOptions): Promise<void> {
    return settle<void>(
      resolve => {
        const enter = () => resolve();
        this.waiting.add(enter);
        return () => this.waiting.delete(enter);
      },
      { timeout, timeoutError: queuedTooLong, signal },
    );
  }

  /** Gives the place of a call to the next one in the queue. */
  release(): void {
    const [next] = this.waiting;
    if (next && this.inFlight <= this.limit) {
      this.waiting.delete(next);
      next();
    } else {
      this.inFlight -= 1;
    }
  }

  async #pace({ timeout, signal }: CallOptions): Promise<void> {
    const now = performance.now();
    this.#due = Math.max(this.#due, now) + this.interval;
    const wait = this.#due - now - BURST_MS;
    if (wait >= timeout) throw queuedTooLong();
    if (wait > 0) await pause(wait, signal);
  }

  /** True if an error is the refusal of a limit, which is kept from now on. */
  learn(error: unknown): boolean {
    if (!(error instanceof SmcpError) || error.code !== ErrorCode.TooManyRequests) return false;
    const { limit, value } = error.details ?? {};
    const isNumber = typeof value === 'number' && value > 0;
    if (limit === 'callsPerAgent' && isNumber) this.limit = Math.min(this.limit, value);
    if (limit === 'eventsPerSecond' && isNumber) this.interval = 1000 / (value * RATE_SHARE);
    return limit === 'callsPerAgent' || limit === 'eventsPerSecond' || limit === 'backlogBytes';
  }
}

function queuedTooLong(): SmcpError {
  const message = 'The call was not sent in time: earlier ones of this Agent are in flight';
  return new SmcpError(ErrorCode.Timeout, message, { details: { reason: 'timeout' } });
}
