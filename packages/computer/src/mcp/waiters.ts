/** Callers that wait for one value, each as long as its own signal allows. */
export class Waiters<T> {
  readonly #waiting = new Set<{ resolve: (value: T) => void; reject: (error: unknown) => void }>();

  wait(signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const waiter = { resolve: settle(resolve), reject: settle(reject) };
      const abandon = () => waiter.reject(signal?.reason);
      const waiting = this.#waiting;
      function settle<A>(act: (value: A) => void): (value: A) => void {
        return value => {
          signal?.removeEventListener('abort', abandon);
          waiting.delete(waiter);
          act(value);
        };
      }
      waiting.add(waiter);
      signal?.addEventListener('abort', abandon, { once: true });
    });
  }

  resolve(value: T): void {
    for (const waiter of [...this.#waiting]) waiter.resolve(value);
  }

  reject(error: unknown): void {
    for (const waiter of [...this.#waiting]) waiter.reject(error);
  }
}
