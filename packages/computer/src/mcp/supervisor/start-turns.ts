import { availableParallelism } from 'node:os';
import { Limiter, within } from '@a2c-smcp/core';

/** A start that takes longer than this waits for something else than a processor, and lets the next one begin. */
const MAX_TURN_MS = 5000;

/** How many processes start at the same time: enough for all cores while some wait for their disk. */
const CONCURRENT_STARTS = Math.max(4, 2 * availableParallelism());

/** Lets a few processes start at the same time, first come, first served. */
export class StartTurns {
  readonly #limiter = new Limiter(CONCURRENT_STARTS);

  take<T>(start: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      void this.#limiter.run(async () => {
        const started = start();
        started.then(resolve, reject);
        await within(started, { timeout: MAX_TURN_MS }).catch(() => {});
      });
    });
  }
}
