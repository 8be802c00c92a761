const INTERVAL_MS = 100;

/**
 * Watches how much memory the process takes while workers parse. The heap limit of a worker does not count buffers, and
 * a worker in a loop cannot count them itself.
 */
export class MemoryWatch {
  readonly #limit: number;
  readonly #onExceeded: () => void;
  #timer: NodeJS.Timeout | undefined;
  #baseline = 0;

  /** @param limit bytes that the process may grow by until `onExceeded` is called */
  constructor(limit: number, onExceeded: () => void) {
    this.#limit = limit;
    this.#onExceeded = onExceeded;
  }

  /** Measures from now on; no-op while it does. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#baseline = process.memoryUsage.rss();
    this.#timer = setInterval(() => this.#measure(), INTERVAL_MS).unref();
  }

  /** Ends measuring. Returns the bytes by which the process has grown. */
  stop(): number {
    if (this.#timer === undefined) return 0;
    clearInterval(this.#timer);
    this.#timer = undefined;
    return process.memoryUsage.rss() - this.#baseline;
  }

  #measure(): void {
    const size = process.memoryUsage.rss();
    this.#baseline = Math.min(this.#baseline, size);
    if (size - this.#baseline > this.#limit) this.#onExceeded();
  }
}
