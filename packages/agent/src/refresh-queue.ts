import { pause } from '@a2c-smcp/core';

export interface RefreshQueueOptions {
  /** Milliseconds from the start of one round to the start of the next. A storm of changes costs no more than that. */
  interval: number;
}

/**
 * Refreshes of one Computer: one at a time, and a topic that is asked for several times before its turn comes is
 * fetched once. A change during its fetch makes it stale, so it is fetched again.
 */
export class RefreshQueue<Topic extends string> {
  readonly #fetch: (topic: Topic, signal: AbortSignal) => Promise<void>;
  readonly #interval: number;
  readonly #waiting = new Set<Topic>();
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  /** @param fetch must not reject while its signal has not fired */
  constructor(fetch: (topic: Topic, signal: AbortSignal) => Promise<void>, { interval }: RefreshQueueOptions) {
    this.#fetch = fetch;
    this.#interval = interval;
  }

  /** Resolves when there is nothing left to fetch, or the queue was closed. */
  request(topics: Iterable<Topic>): Promise<void> {
    for (const topic of topics) this.#waiting.add(topic);
    if (this.#waiting.size > 0 && !this.#stop.signal.aborted) this.#running ??= this.#run();
    return this.#running ?? Promise.resolve();
  }

  /** Gives up what runs and what waits. */
  close(): void {
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (this.#waiting.size > 0 && !signal.aborted) {
      const start = performance.now();
      for (const topic of [...this.#waiting]) {
        if (signal.aborted) break;
        this.#waiting.delete(topic);
        await this.#fetch(topic, signal);
      }
      if (this.#waiting.size > 0) await pause(start + this.#interval - performance.now(), signal).catch(() => {});
    }
    this.#running = undefined;
  }
}
