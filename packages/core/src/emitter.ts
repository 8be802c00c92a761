import { guardLogger, type Logger } from './logger.ts';

export interface ListenOptions {
  /** Removes the listener when it fires. */
  signal?: AbortSignal;
}

export interface EmitterOptions {
  /** Gets the errors of listeners. @default silent */
  logger?: Logger;
}

type Listener = (payload: never) => unknown;

/**
 * Typed events. Listeners are called at once and in order; one that throws or rejects is logged and does not disturb
 * the others.
 */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<{ call: Listener }>>();
  readonly #logger: Logger;

  constructor({ logger }: EmitterOptions = {}) {
    this.#logger = guardLogger(logger);
  }

  /** Calls `listener` at every event of that name, and returns a function that stops it. */
  on<K extends keyof Events & string>(
    event: K,
    listener: (payload: Events[K]) => void,
    { signal }: ListenOptions = {},
  ): () => void {
    if (signal?.aborted) return () => {};
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners);
    const entry = { call: listener };
    listeners.add(entry);
    const remove = () => listeners.delete(entry);
    const release = signal && onAbort(signal, remove);
    return () => {
      remove();
      release?.();
    };
  }

  emit<K extends keyof Events & string>(event: K, payload: Events[K]): void {
    const listeners = this.#listeners.get(event);
    if (!listeners) return;
    const report = (error: unknown) => this.#logger.error('A listener failed', { event, error });
    for (const entry of [...listeners]) {
      // An earlier listener may have stopped this one.
      if (!listeners.has(entry)) continue;
      try {
        const outcome = entry.call(payload as never);
        if (outcome instanceof Promise) outcome.catch(report);
      } catch (error) {
        report(error);
      }
    }
  }
}

/**
 * An `AbortController` for work that is seldom ended early. A signal for each call, and a listener to it, cost a tenth of the
 * calls per second with 32 in flight; this makes a signal only for those who need one.
 */
export class Interruption {
  #fired: { reason: unknown } | undefined;
  #controller: AbortController | undefined;
  readonly #listeners = new Set<() => void>();

  get aborted(): boolean {
    return this.#fired !== undefined;
  }

  get reason(): unknown {
    return this.#fired?.reason;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#fired) this.#controller.abort(this.#fired.reason);
    }
    return this.#controller.signal;
  }

  throwIfAborted(): void {
    if (this.#fired) throw this.#fired.reason;
  }

  /** Only the first reason counts. */
  abort(reason: unknown): void {
    if (this.#fired) return;
    this.#fired = { reason };
    this.#controller?.abort(reason);
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /** Calls `listener` when it fires, once however often it is added. Returns a function that removes it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** A signal that ends work early. */
export type StopSignal = AbortSignal | Interruption;

export function asAbortSignal(signal: StopSignal): AbortSignal {
  return signal instanceof Interruption ? signal.signal : signal;
}

/** The listeners of one signal. */
interface Listeners {
  entries: Set<{ listener: () => void }>;
  /** The one listener of the signal itself. */
  fire: () => void;
}

const listenersOf = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `listener` when the signal fires, and returns a function that removes it. All listeners of a signal share one of its
 * own: Node warns of a leak when more than ten calls in flight have the same signal.
 */
export function onAbort(signal: StopSignal, listener: () => void): () => void {
  if (signal instanceof Interruption) return signal.listen(listener);
  const listeners = listenersOf.get(signal) ?? listenTo(signal);
  const entry = { listener };
  listeners.entries.add(entry);
  return () => {
    listeners.entries.delete(entry);
    if (listeners.entries.size === 0 && listenersOf.get(signal) === listeners) release(signal, listeners);
  };
}

function listenTo(signal: AbortSignal): Listeners {
  const listeners: Listeners = {
    entries: new Set(),
    fire: () => {
      release(signal, listeners);
      for (const entry of [...listeners.entries]) {
        // An earlier listener may have removed this one.
        if (listeners.entries.has(entry)) entry.listener();
      }
    },
  };
  listenersOf.set(signal, listeners);
  signal.addEventListener('abort', listeners.fire);
  return listeners;
}

function release(signal: AbortSignal, { fire }: Listeners): void {
  listenersOf.delete(signal);
  signal.removeEventListener('abort', fire);
}

/** The part of Node's `EventEmitter` that `onAny` needs. */
interface EventSource {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

/** Listens to several events of an emitter of Node. Returns a function that removes the listener. */
export function onAny(emitter: EventSource, events: readonly string[], listener: () => void): () => void {
  for (const event of events) emitter.on(event, listener);
  return () => {
    for (const event of events) emitter.off(event, listener);
  };
}
