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
    const stop = () => {
      listeners.delete(entry);
      signal?.removeEventListener('abort', stop);
    };
    signal?.addEventListener('abort', stop, { once: true });
    return stop;
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
