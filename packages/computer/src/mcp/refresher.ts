import { setTimeout as delay } from 'node:timers/promises';

/** Does a job whenever asked, one run at a time: whatever is asked for meanwhile is covered by a single further run. */
export class Refresher {
  readonly #job: () => Promise<void>;
  readonly #pause: number;
  #wanted = false;
  #running = false;

  /** @param pause milliseconds between the end of a run and the next, so that a storm of requests costs little */
  constructor(job: () => Promise<void>, pause: number) {
    this.#job = job;
    this.#pause = pause;
  }

  request(): void {
    this.#wanted = true;
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#wanted) {
      this.#wanted = false;
      await this.#job();
      await delay(this.#pause, undefined, { ref: false });
    }
    this.#running = false;
  }
}
