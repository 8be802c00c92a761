import { pause, SerialQueue } from '@a2c-smcp/core';

export interface RefreshQueueOptions {
  /** Milliseconds from one fetch of a topic to its next. */
  interval: number;
}

/**
 * Fetches the topics of one Computer, one at a time. Requests before a fetch begins share it; a request during the fetch
 * causes another one, because the answer may be stale.
 */
export class RefreshQueue<Topic extends string> {
  readonly #fetch: (topic: Topic, signal: AbortSignal) => Promise<void>;
  readonly #interval: number;
  readonly #queue = new SerialQueue();
  /** Fetches that have not begun. */
  readonly #pending = new Map<Topic, Promise<void>>();
  /** Times of the last fetches, as `performance.now()` has them. */
  readonly #fetchedAt = new Map<Topic, number>();
  readonly #stop = new AbortController();

  /** @param fetch must not reject while its signal has not fired */
  constructor(fetch: (topic: Topic, signal: AbortSignal) => Promise<void>, { interval }: RefreshQueueOptions) {
    this.#fetch = fetch;
    this.#interval = interval;
  }

  /** Resolves when the topics are fetched, or the queue is closed. */
  async request(topics: readonly Topic[]): Promise<void> {
    await Promise.all(topics.map(topic => this.#schedule(topic)));
  }

  /** Aborts the fetch that runs and drops all others. */
  close(): void {
    this.#stop.abort();
  }

  #schedule(topic: Topic): Promise<void> {
    const fetch = this.#pending.get(topic) ?? this.#queue.run(() => this.#refresh(topic));
    this.#pending.set(topic, fetch);
    return fetch;
  }

  async #refresh(topic: Topic): Promise<void> {
    const { signal } = this.#stop;
    const wait = (this.#fetchedAt.get(topic) ?? -Infinity) + this.#interval - performance.now();
    if (wait > 0) await pause(wait, signal).catch(() => {});
    this.#pending.delete(topic);
    if (signal.aborted) return;
    this.#fetchedAt.set(topic, performance.now());
    await this.#fetch(topic, signal);
  }
}
