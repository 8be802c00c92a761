const FIRST = 1000;
const LAST = 30_000;
/** A server that stayed up this long, in milliseconds, has recovered: its next failure counts as the first. */
const STABLE = 5 * 60_000;

/** Growing pauses between restarts, each shortened by up to a quarter so that many servers do not move in step. */
export class Backoff {
  #failures = 0;

  /** The pause before the next start, in milliseconds, after the last one held for `uptime`. */
  next(uptime: number): number {
    if (uptime >= STABLE) this.#failures = 0;
    const pause = Math.min(FIRST * 2 ** this.#failures, LAST);
    this.#failures += 1;
    return pause * (1 - Math.random() / 4);
  }
}
