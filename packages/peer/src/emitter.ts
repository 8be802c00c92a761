export interface ListenOptions {
  /** Removes the listener when it fires. */
  signal?: AbortSignal;
}

/**
 * Typed events on top of `EventTarget`, so that it runs everywhere. Listeners are called at once and in order; one
 * that throws is reported as an uncaught error of the program and does not disturb the others.
 */
export class Emitter<Events extends object> {
  readonly #target = new EventTarget();

  /** Calls `listener` at every event of that name, and returns a function that stops it. */
  on<K extends keyof Events & string>(
    event: K,
    listener: (payload: Events[K]) => void,
    { signal }: ListenOptions = {},
  ): () => void {
    const forward = (emitted: Event) => listener((emitted as CustomEvent<Events[K]>).detail);
    this.#target.addEventListener(event, forward, { signal });
    return () => this.#target.removeEventListener(event, forward);
  }

  emit<K extends keyof Events & string>(event: K, payload: Events[K]): void {
    this.#target.dispatchEvent(new CustomEvent(event, { detail: payload }));
  }
}
