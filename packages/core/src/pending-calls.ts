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
  deadline: number | undefined;
  /** Stops listening to the signal. */
  release: (() => void) | undefined;
}

/** Ids stay below 2^31, which every peer can read. */
const ID_COUNT = 2 ** 30;

/**
 * Calls that were sent and are not answered yet, by id. To settle a call is to take it: only the first who takes it gets
 * it, so that an answer, a timeout, a signal and a lost connection cannot settle one call twice.
 */
export class PendingCalls<C> {
  readonly #calls = new Map<number, Entry<C>>();
  readonly #deadlines: Deadlines<number>;
  readonly #firstId: number;
  readonly #onAbort: (call: C, reason: unknown) => void;
  #count = 0;

  constructor({ onTimeout = () => {}, onAbort = () => {}, firstId = 0 }: PendingCallsOptions<C> = {}) {
    this.#firstId = firstId;
    this.#onAbort = onAbort;
    this.#deadlines = new Deadlines(id => {
      const call = this.take(id);
      if (call !== undefined) onTimeout(call, id);
    });
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
    const deadline = timeout === undefined ? undefined : this.#deadlines.add(id, timeout);
    this.#calls.set(id, { call, deadline, release: signal && this.#listen(id, signal) });
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
    if (entry.deadline !== undefined) this.#deadlines.remove(id, entry.deadline);
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

  [Symbol.iterator](): IterableIterator<C> {
    return [...this.#calls.values()].map(({ call }) => call)[Symbol.iterator]();
  }
}

/** Milliseconds by which a deadline may be late. It is never early. */
const RESOLUTION_MS = 50;

/** Any number of deadlines with one timer. Adding and removing one takes the same time however many there are. */
class Deadlines<T> {
  readonly #slots = new Map<number, Set<T>>();
  readonly #expire: (item: T) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #lastSlot = 0;

  constructor(expire: (item: T) => void) {
    this.#expire = expire;
  }

  /** Has `item` expire after `milliseconds`. Returns the key that `remove` needs. */
  add(item: T, milliseconds: number): number {
    this.#start();
    const slot = slotOf(performance.now() + milliseconds) + 1;
    const items = this.#slots.get(slot);
    if (items) items.add(item);
    else this.#slots.set(slot, new Set([item]));
    return slot;
  }

  remove(item: T, slot: number): void {
    const items = this.#slots.get(slot);
    if (items?.delete(item) && items.size === 0) this.#slots.delete(slot);
  }

  #start(): void {
    if (this.#timer) return;
    this.#lastSlot = slotOf(performance.now());
    this.#timer = setInterval(() => this.#sweep(), RESOLUTION_MS);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #sweep(): void {
    const now = slotOf(performance.now());
    while (this.#lastSlot < now) {
      this.#lastSlot += 1;
      const items = this.#slots.get(this.#lastSlot) ?? [];
      this.#slots.delete(this.#lastSlot);
      for (const item of items) this.#expire(item);
    }
    if (this.#slots.size === 0) this.#stop();
  }
}

function slotOf(time: number): number {
  return Math.floor(time / RESOLUTION_MS);
}
