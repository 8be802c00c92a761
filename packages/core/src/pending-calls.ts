import { onAbort, type StopSignal } from './emitter.ts';

export interface PendingCallsOptions<C> {
  /** Called with a call that was not taken in time. It is not pending any more. */
  onTimeout?: (call: C, id: number) => void;
  /** Called with a call whose signal has fired, and with the reason. It is not pending any more. */
  onAbort?: (call: C, reason: unknown) => void;
  /** Ids count from here, so that they differ from those of another sender on the same connection. @default 0 */
  firstId?: number;
}

interface Entry<C> {
  call: C;
  /** In milliseconds of `performance.now()`. */
  deadline: number;
  /** Stops listening to the signal. */
  release: (() => void) | undefined;
}

/** Ids stay below 2^31, which every peer can read. */
const ID_COUNT = 2 ** 30;
/** Milliseconds between two searches for calls whose deadline is over. A timeout is late by so much at most, and never early. */
const RESOLUTION_MS = 50;
/** The longest delay that timers have. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Calls that were sent and are not answered yet, by id. To settle a call is to take it: only the first who takes it gets
 * it, so that an answer, a timeout, a signal and a lost connection cannot settle one call twice.
 */
export class PendingCalls<C> {
  readonly #calls = new Map<number, Entry<C>>();
  readonly #firstId: number;
  readonly #onTimeout: (call: C, id: number) => void;
  readonly #onAbort: (call: C, reason: unknown) => void;
  #count = 0;
  /** No pending call has an earlier deadline. One timer is enough: most calls end long before theirs. */
  #earliest = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ onTimeout = () => {}, onAbort = () => {}, firstId = 0 }: PendingCallsOptions<C> = {}) {
    this.#firstId = firstId;
    this.#onTimeout = onTimeout;
    this.#onAbort = onAbort;
  }

  get size(): number {
    return this.#calls.size;
  }

  /**
   * Adds a call and returns its id. `timeout` in milliseconds; without one the call has no deadline. The signal must not
   * have fired yet.
   */
  add(call: C, timeout?: number, signal?: StopSignal): number {
    const id = this.#firstId + (this.#count++ % ID_COUNT);
    const deadline = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout;
    this.#calls.set(id, { call, deadline, release: signal && this.#listen(id, signal) });
    if (deadline < this.#earliest) this.#expireAt(deadline);
    return id;
  }

  get(id: number): C | undefined {
    return this.#calls.get(id)?.call;
  }

  /** Removes a call and returns it; undefined when it is settled already. */
  take(id: number): C | undefined {
    const entry = this.#calls.get(id);
    if (!entry) return undefined;
    this.#calls.delete(id);
    entry.release?.();
    return entry.call;
  }

  /** Removes and returns all calls, or those for which the condition holds. */
  takeAll(isTaken: (call: C) => boolean = () => true): C[] {
    const ids = [...this.#calls].filter(([, { call }]) => isTaken(call)).map(([id]) => id);
    return ids.flatMap(id => this.take(id) ?? []);
  }

  #listen(id: number, signal: StopSignal): () => void {
    const abort = () => {
      const call = this.take(id);
      if (call !== undefined) this.#onAbort(call, signal.reason);
    };
    return onAbort(signal, abort);
  }

  #expireAt(deadline: number): void {
    clearTimeout(this.#timer);
    this.#earliest = deadline;
    const delay = Math.min(Math.max(Math.ceil(deadline - performance.now()), RESOLUTION_MS), MAX_DELAY_MS);
    this.#timer = setTimeout(() => behindInput(() => this.#expire()), delay);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #expire(): void {
    const now = performance.now();
    const due: { id: number; deadline: number }[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const [id, { deadline }] of this.#calls) {
      if (deadline <= now) due.push({ id, deadline });
      else if (deadline < next) next = deadline;
    }
    this.#earliest = Number.POSITIVE_INFINITY;
    if (next < this.#earliest) this.#expireAt(next);
    for (const { id } of due.toSorted((a, b) => a.deadline - b.deadline)) {
      // The listener of an earlier one may have taken it.
      const call = this.take(id);
      if (call !== undefined) this.#onTimeout(call, id);
    }
  }

  /** The ids and calls that are pending now. */
  entries(): [id: number, call: C][] {
    return [...this.#calls].map(([id, { call }]) => [id, call]);
  }

  [Symbol.iterator](): IterableIterator<C> {
    return [...this.#calls.values()].map(({ call }) => call)[Symbol.iterator]();
  }
}

/**
 * Runs a task when what has arrived is read. Node runs timers first: after it was busy for long, calls whose answers are
 * there would be given up. Browsers have no such function, and no such order.
 */
function behindInput(task: () => void): void {
  const { setImmediate } = globalThis as { setImmediate?: (task: () => void) => unknown };
  if (setImmediate) setImmediate(task);
  else task();
}
